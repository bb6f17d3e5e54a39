#include "sim/core/load_store_unit.h"

#include <bit>

namespace paws::core {
namespace {

// A response to a cached load names its line; the others name the load or warp that waits.
constexpr std::uint32_t kCachedTag = 0xffff'ffff;

/// Local memory is interleaved so that lanes with the same offset share a line: the word at offset
/// o of lane l lies at base + (o / 4) * 128 + l * 4.
exec::Outcome place_local(const exec::Outcome& outcome, std::uint64_t base) {
  exec::Outcome placed = outcome;
  for (std::uint32_t lanes = outcome.active; lanes != 0; lanes &= lanes - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint64_t offset = outcome.addresses[lane];
    placed.addresses[lane] =
        base + offset / 4 * memory::kLineBytes + std::uint64_t{lane} * 4 + offset % 4;
  }
  placed.bytes = static_cast<std::uint8_t>(std::min<unsigned>(outcome.bytes, 4));
  return placed;
}

}  // namespace

LoadStoreUnit::LoadStoreUnit(const GpuConfig& config, memory::Port& port, LoadStoreClient& client,
                             CoreStatistics& statistics)
    : config_(config),
      port_(port),
      client_(client),
      statistics_(statistics),
      tags_(config.l1.bytes, config.l1.ways, memory::kLineBytes),
      queue_(config.core.memory_queue) {}

void LoadStoreUnit::push(std::uint32_t warp, std::uint32_t pc, Kind kind, bool bypass_l1,
                         const exec::Outcome& outcome, std::uint64_t local_base,
                         std::uint64_t start) {
  Access& access = queue_.push();
  access.warp = warp;
  access.pc = pc;
  access.kind = kind;
  access.start = start;
  access.bypass = bypass_l1;
  access.local = outcome.space == ir::Space::local;
  access.shared = outcome.space == ir::Space::shared;
  const bool atomic = kind == Kind::atomic || kind == Kind::reduction;
  if (access.shared) {
    access.passes = shared_passes(outcome, config_.core.shared_banks, atomic);
    ++statistics_.shared_accesses;
    statistics_.shared_conflict_cycles += access.passes - 1;
  } else if (access.local) {
    // Elements wider than a word are consecutive lines of the interleaved layout.
    const unsigned words = std::max(1U, outcome.bytes / 4U);
    exec::Outcome part = outcome;
    for (unsigned word = 0; word < words; ++word) {
      Transactions lines;
      for (std::uint32_t lanes = outcome.active; lanes != 0; lanes &= lanes - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(lanes));
        part.addresses[lane] = outcome.addresses[lane] + std::uint64_t{word} * 4;
      }
      coalesce(place_local(part, local_base), false, lines);
      for (unsigned i = 0; i < lines.count && access.transactions.count < kMaxTransactions; ++i) {
        access.transactions.list[access.transactions.count++] = lines.list[i];
      }
    }
  } else {
    coalesce(outcome, atomic, access.transactions);
  }
  if (returns_value(kind)) {
    if (free_loads_.empty()) {
      access.load = static_cast<std::uint32_t>(loads_.size());
      loads_.emplace_back();
    } else {
      access.load = free_loads_.back();
      free_loads_.pop_back();
    }
    loads_[access.load] = {warp, pc, access.transactions.count, 0};
  }
}

void LoadStoreUnit::step(std::uint64_t cycle) {
  if (queue_.empty() || cycle < free_ || cycle <= queue_.front().start) return;
  port_.listen(cycle);
  free_ = cycle + config_.core.memory_interval;
  Access& access = queue_.front();
  if (access.shared) {
    if (--access.passes > 0) return;
    if (returns_value(access.kind)) {
      client_.load_done(access.warp, access.pc, config_.core.shared_latency);
      free_loads_.push_back(access.load);
    }
    queue_.pop();
    return;
  }
  if (access.transactions.count == 0) {  // no lane was active
    if (returns_value(access.kind)) {
      client_.load_done(access.warp, access.pc, config_.l1.latency);
      free_loads_.push_back(access.load);
    }
    queue_.pop();
    return;
  }
  if (!try_transaction(access, cycle)) {
    free_ = cycle + 1;
    ++(told_to_stop_ ? statistics_.l2_stop_cycles : statistics_.l1_reservation_fails);
    return;
  }
  if (++access.next == access.transactions.count) queue_.pop();
}

bool LoadStoreUnit::try_transaction(Access& access, std::uint64_t cycle) {
  const Transaction& transaction = access.transactions.list[access.next];
  told_to_stop_ = false;
  switch (access.kind) {
    case Kind::load:
      return try_load(access, transaction, cycle);
    case Kind::store:
      return try_store(access, transaction, cycle);
    case Kind::atomic:
    case Kind::reduction:
      return try_atomic(access, transaction, cycle);
  }
  return false;
}

bool LoadStoreUnit::can_send(std::uint64_t line, std::uint64_t cycle) {
  if (!port_.can_send(cycle)) return false;
  told_to_stop_ = port_.stopped(line);
  return !told_to_stop_;
}

bool LoadStoreUnit::try_load(const Access& access, const Transaction& transaction,
                             std::uint64_t cycle) {
  const std::uint64_t line = transaction.line;
  loads_[access.load].earliest = cycle + config_.l1.latency;
  if (access.bypass) {
    if (misses() >= config_.l1.mshrs || !can_send(line, cycle)) return false;
    tags_.evict(line);
    ++uncached_;
    port_.send({memory::RequestKind::load, 0, line, transaction.bytes, 1, access.load}, cycle);
    return true;
  }
  if (memory::MshrFile::Waiting* const merge = mshrs_.find(line)) {
    if (merge->size() >= config_.l1.mshr_merges) return false;
    ++statistics_.l1_accesses;
    ++statistics_.l1_pending_hits;
    merge->push_back(access.load);
    return true;
  }
  // A hit needs neither an MSHR nor the port.
  if ((misses() >= config_.l1.mshrs || !can_send(line, cycle)) && !tags_.holds(line)) return false;
  const memory::TagArray::Access found = tags_.read(line);
  if (found.result == memory::TagArray::Result::reservation_fail) return false;
  ++statistics_.l1_accesses;
  if (found.result == memory::TagArray::Result::hit) {
    delivered(access.load, cycle);
    return true;
  }
  ++statistics_.l1_misses;
  if (found.writeback) send_store(access.warp, *found.writeback, memory::kLineBytes, cycle);
  mshrs_.add(line, access.load);
  port_.send({memory::RequestKind::load, 0, line, transaction.bytes, 1, kCachedTag}, cycle);
  return true;
}

bool LoadStoreUnit::try_store(const Access& access, const Transaction& transaction,
                              std::uint64_t cycle) {
  if (stores_ >= config_.l1.stores || !can_send(transaction.line, cycle)) return false;
  if (access.local) {
    const memory::TagArray::Access found = tags_.write(transaction.line);
    if (found.result == memory::TagArray::Result::reservation_fail) return false;
    if (found.writeback) send_store(access.warp, *found.writeback, memory::kLineBytes, cycle);
    return true;
  }
  tags_.evict(transaction.line);
  return send_store(access.warp, transaction.line, transaction.bytes, cycle);
}

bool LoadStoreUnit::send_store(std::uint32_t warp, std::uint64_t line, std::uint32_t bytes,
                               std::uint64_t cycle) {
  ++stores_;
  ++statistics_.store_transactions;
  client_.store_sent(warp);
  port_.send({memory::RequestKind::store, 0, line, bytes, 1, warp}, cycle);
  return true;
}

bool LoadStoreUnit::try_atomic(const Access& access, const Transaction& transaction,
                               std::uint64_t cycle) {
  if (!can_send(transaction.line, cycle)) return false;
  if (access.kind == Kind::atomic) {
    if (misses() >= config_.l1.mshrs) return false;
    ++uncached_;
  } else if (stores_ >= config_.l1.stores) {
    return false;
  }
  tags_.evict(transaction.line);
  ++statistics_.atomic_transactions;
  if (access.kind == Kind::atomic) {
    port_.send({memory::RequestKind::atomic, 0, transaction.line, transaction.bytes,
                transaction.conflicts, access.load},
               cycle);
    return true;
  }
  ++stores_;
  client_.store_sent(access.warp);
  port_.send({memory::RequestKind::reduction, 0, transaction.line, transaction.bytes,
              transaction.conflicts, access.warp},
             cycle);
  return true;
}

void LoadStoreUnit::delivered(std::uint32_t load, std::uint64_t cycle) {
  Load& waiting = loads_[load];
  if (--waiting.remaining > 0) return;
  const std::uint64_t left = waiting.earliest > cycle ? waiting.earliest - cycle : 0;
  client_.load_done(waiting.warp, waiting.pc, static_cast<std::uint32_t>(left));
  free_loads_.push_back(load);
}

void LoadStoreUnit::respond(const memory::Response& response) {
  switch (response.kind) {
    case memory::RequestKind::store:
    case memory::RequestKind::reduction:
      --stores_;
      client_.store_done(response.tag);
      return;
    case memory::RequestKind::atomic:
      --uncached_;
      delivered(response.tag, response.cycle);
      return;
    case memory::RequestKind::load:
      break;
    case memory::RequestKind::instruction:  // never reaches the unit
      return;
  }
  if (response.tag != kCachedTag) {
    --uncached_;
    delivered(response.tag, response.cycle);
    return;
  }
  tags_.fill(response.line);
  mshrs_.take(response.line, arrived_);
  for (std::uint32_t load : arrived_) delivered(load, response.cycle);
}

void LoadStoreUnit::invalidate() { tags_.clear(); }

}  // namespace paws::core
