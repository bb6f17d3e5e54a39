// SPDX-License-Identifier: MIT
#include "sim/core/load_store_unit.h"

#include <bit>

namespace paws::core {
namespace {

// A response to a cached load names its line; the others name the operation that waits.
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
      for (unsigned i = 0; i < lines.count; ++i) {
        access.transactions.list[access.transactions.count++] = lines.list[i];
      }
    }
  } else {
    coalesce(outcome, atomic, access.transactions);
  }
  access.operation = begin(warp, pc, access.transactions.count, true);
}

std::uint32_t LoadStoreUnit::begin(std::uint32_t warp, std::uint32_t pc, unsigned transactions,
                                   bool instruction) {
  if (free_operations_.empty()) {
    free_operations_.push_back(static_cast<std::uint32_t>(operations_.size()));
    operations_.emplace_back();
  }
  const std::uint32_t operation = free_operations_.back();
  free_operations_.pop_back();
  operations_[operation] = {warp, pc, transactions, instruction, 0};
  return operation;
}

void LoadStoreUnit::step(std::uint64_t cycle) {
  if (queue_.empty() || cycle < free_ || cycle <= queue_.front().start) return;
  port_.listen(cycle);
  free_ = cycle + config_.core.memory_interval;
  Access& access = queue_.front();
  if (access.shared) {
    if (--access.passes > 0) return;
    finish_front(config_.core.shared_latency);
    return;
  }
  if (access.transactions.count == 0) {  // no lane was active
    finish_front(config_.l1.latency);
    return;
  }
  if (!try_transaction(access, cycle)) {
    free_ = cycle + 1;
    ++(told_to_stop_ ? statistics_.l2_stop_cycles : statistics_.l1_reservation_fails);
    return;
  }
  if (++access.next == access.transactions.count) queue_.pop();
}

void LoadStoreUnit::finish_front(std::uint32_t delay) {
  const Access& access = queue_.front();
  if (returns_value(access.kind)) {
    client_.load_done(access.warp, access.pc, delay);
  } else {
    client_.store_done(access.warp);
  }
  free_operations_.push_back(access.operation);
  queue_.pop();
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
  operations_[access.operation].earliest = cycle + config_.l1.latency;
  if (access.bypass) {
    if (misses() >= config_.l1.mshrs || !can_send(line, cycle)) return false;
    tags_.evict(line);
    ++uncached_;
    ++statistics_.bypass_transactions;
    send(memory::RequestKind::load, transaction, access.operation, cycle);
    return true;
  }
  if (memory::MshrFile::Waiting* const merge = mshrs_.find(line)) {
    if (merge->size() >= config_.l1.mshr_merges) return false;
    ++statistics_.l1_accesses;
    ++statistics_.l1_pending_hits;
    merge->push_back(access.operation);
    return true;
  }
  // A hit needs neither an MSHR nor the port.
  if ((misses() >= config_.l1.mshrs || !can_send(line, cycle)) && !tags_.holds(line)) return false;
  const memory::TagArray::Access found = tags_.read(line);
  if (found.result == memory::TagArray::Result::reservation_fail) return false;
  ++statistics_.l1_accesses;
  if (found.result == memory::TagArray::Result::hit) {
    ++statistics_.l1_hits;
    delivered(access.operation, cycle);
    return true;
  }
  ++statistics_.l1_misses;
  if (found.writeback) write_back(access.warp, *found.writeback, cycle);
  mshrs_.add(line, access.operation);
  send(memory::RequestKind::load, transaction, kCachedTag, cycle);
  return true;
}

bool LoadStoreUnit::try_store(const Access& access, const Transaction& transaction,
                              std::uint64_t cycle) {
  if (stores_ >= config_.l1.stores || !can_send(transaction.line, cycle)) return false;
  using Result = memory::TagArray::Result;
  Result result = Result::miss;
  if (access.local) {
    const memory::TagArray::Access found = tags_.write(transaction.line);
    result = found.result;
    if (result == Result::reservation_fail) return false;
    if (found.writeback) write_back(access.warp, *found.writeback, cycle);
    acknowledged(access.operation);
  } else {
    if (tags_.evict(transaction.line)) result = Result::hit;
    send_store(access.operation, transaction.line, transaction.bytes, cycle);
  }
  ++statistics_.l1_accesses;
  ++statistics_.l1_store_accesses;
  statistics_.l1_hits += result == Result::hit ? 1 : 0;
  statistics_.l1_pending_hits += result == Result::pending ? 1 : 0;
  statistics_.l1_misses += result == Result::miss ? 1 : 0;
  statistics_.l1_store_misses += result == Result::miss ? 1 : 0;
  return true;
}

void LoadStoreUnit::send(memory::RequestKind kind, const Transaction& transaction,
                         std::uint32_t tag, std::uint64_t cycle) {
  ++statistics_.requests;
  port_.send({kind, 0, transaction.line, transaction.bytes, transaction.conflicts, tag}, cycle);
}

void LoadStoreUnit::send_store(std::uint32_t operation, std::uint64_t line, std::uint32_t bytes,
                               std::uint64_t cycle) {
  ++stores_;
  ++statistics_.store_transactions;
  Transaction transaction;
  transaction.line = line;
  transaction.bytes = bytes;
  send(memory::RequestKind::store, transaction, operation, cycle);
}

void LoadStoreUnit::write_back(std::uint32_t warp, std::uint64_t line, std::uint64_t cycle) {
  send_store(begin(warp, 0, 1, false), line, memory::kLineBytes, cycle);
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
    send(memory::RequestKind::atomic, transaction, access.operation, cycle);
    return true;
  }
  ++stores_;
  send(memory::RequestKind::reduction, transaction, access.operation, cycle);
  return true;
}

void LoadStoreUnit::delivered(std::uint32_t operation, std::uint64_t cycle) {
  Operation& waiting = operations_[operation];
  if (--waiting.remaining > 0) return;
  const std::uint64_t left = waiting.earliest > cycle ? waiting.earliest - cycle : 0;
  client_.load_done(waiting.warp, waiting.pc, static_cast<std::uint32_t>(left));
  free_operations_.push_back(operation);
}

void LoadStoreUnit::acknowledged(std::uint32_t operation) {
  Operation& waiting = operations_[operation];
  if (--waiting.remaining > 0) return;
  if (waiting.instruction) client_.store_done(waiting.warp);
  free_operations_.push_back(operation);
}

void LoadStoreUnit::respond(const memory::Response& response) {
  ++statistics_.replies;
  switch (response.kind) {
    case memory::RequestKind::store:
    case memory::RequestKind::reduction:
      --stores_;
      acknowledged(response.tag);
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
  for (std::uint32_t operation : arrived_) delivered(operation, response.cycle);
}

void LoadStoreUnit::invalidate() { tags_.clear(); }

}  // namespace paws::core
