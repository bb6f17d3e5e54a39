// SPDX-License-Identifier: MIT
#include "sim/core/load_store_unit.h"

#include <utility>

#include "sim/core/local_layout.h"

namespace paws::core {

LoadStoreUnit::LoadStoreUnit(const GpuConfig& config, memory::Port& port, LoadStoreClient& client,
                             CoreStatistics& statistics, L1Listener* listener,
                             CoreObserver* observer)
    : config_(config),
      port_(port),
      client_(client),
      statistics_(statistics),
      observer_(observer),
      l1_(config, port, statistics, listener),
      texture_(config, port, statistics),
      queue_(config.core.memory_queue) {}

void LoadStoreUnit::push(memory::LineOwner warp, std::uint32_t name, Instruction instruction,
                         Kind kind, bool bypass_l1, const exec::Outcome& outcome,
                         std::uint64_t local_base, std::uint64_t start) {
  Access& access = queue_.push();
  access.warp = warp;
  access.name = name;
  access.instruction = instruction;
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
    local_lines(
        outcome, [local_base](unsigned /*lane*/) { return local_base; }, access.transactions);
  } else {
    coalesce(outcome, atomic, access.transactions);
    if (kind == Kind::fetch) split_lines(access.transactions, config_.texture.line_bytes);
    if (kind == Kind::load && outcome.space == ir::Space::global && outcome.texels.empty()) {
      count_global_load(outcome, access.transactions, config_.l1.sectored, statistics_);
    }
  }
  if (!access.shared && by_turns(kind, outcome)) {
    take_turns(access.transactions, config_.l1.tag_banks);
    // A lane's words of local memory lie in its own bank.
    access.passes = access.local ? std::max(1U, outcome.bytes / 4U)
                                 : shared_passes(outcome, config_.core.shared_banks, false);
  }
  access.operation = begin(access);
}

std::uint32_t LoadStoreUnit::begin(const Access& access) {
  if (free_operations_.empty()) {
    free_operations_.push_back(static_cast<std::uint32_t>(operations_.size()));
    operations_.emplace_back();
  }
  const std::uint32_t operation = free_operations_.back();
  free_operations_.pop_back();
  operations_[operation] = {access.warp.warp_slot(), access.name, access.kind == Kind::copy,
                            access.transactions.count, 0};
  return operation;
}

void LoadStoreUnit::tell_done(const Operation& operation, std::uint32_t delay) {
  if (operation.copy) {
    client_.copy_done(operation.warp, operation.name, delay);
  } else {
    client_.load_done(operation.warp, operation.name, delay);
  }
}

void LoadStoreUnit::serve(std::uint64_t cycle) {
  port_.listen(cycle);
  // Tried in vain in every cycle since the last one.
  if (refused_ != nullptr) *std::exchange(refused_, nullptr) += cycle - tried_ - 1;
  free_ = cycle + config_.core.memory_interval;
  Access& access = queue_.front();
  if (access.shared) {
    if (--access.passes > 0) return;
    finish_front(config_.core.shared_latency);
    return;
  }
  if (access.transactions.count == 0) {  // no lane was active
    finish_front(latency_of(access.kind));
    return;
  }
  if (access.next == 0) {
    const std::uint64_t more = access.passes > 0 ? access.passes - 1 : 0;
    access.last_pass = cycle + more * config_.core.memory_interval;
  }
  const unsigned turn = access.transactions.list[access.next].turn;
  do {
    if (!look_up(access, cycle)) return;
    if (access.next == access.transactions.count) {
      free_ = std::max(cycle, access.last_pass) + config_.core.memory_interval;
      queue_.pop();
      return;
    }
  } while (access.passes > 0 && access.transactions.list[access.next].turn == turn);
}

bool LoadStoreUnit::look_up(Access& access, std::uint64_t cycle) {
  const std::uint64_t looked_up = statistics_.l1_accesses + statistics_.texture_accesses;
  const std::uint64_t missed = statistics_.l1_misses + statistics_.texture_misses;
  const L1DataCache::Result result = try_transaction(access, cycle);
  if (observer_ != nullptr) tell(access.instruction, looked_up, missed);
  switch (result) {
    case L1DataCache::Result::full:
      full_since_ = cycle;
      return false;
    case L1DataCache::Result::retry:
      free_ = cycle + 1;
      tried_ = cycle;
      refused_by_port_ = !port_.can_send(cycle);
      refused_ = (access.kind == Kind::fetch ? texture_.told_to_stop() : l1_.told_to_stop())
                     ? &statistics_.l2_stop_cycles
                     : &statistics_.l1_reservation_fails;
      ++*refused_;
      return false;
    case L1DataCache::Result::done:
    case L1DataCache::Result::under_way:
      break;
  }
  ++access.next;
  return true;
}

void LoadStoreUnit::tell(const Instruction& instruction, std::uint64_t looked_up,
                         std::uint64_t missed) {
  // Past the L1, or to be tried again.
  if (statistics_.l1_accesses + statistics_.texture_accesses == looked_up) return;
  observer_->looked_up(instruction.launch, instruction.pc,
                       statistics_.l1_misses + statistics_.texture_misses != missed);
}

void LoadStoreUnit::finish_front(std::uint32_t delay) {
  const Access& access = queue_.front();
  if (returns_value(access.kind)) {
    tell_done(operations_[access.operation], delay);
  } else {
    client_.store_done(access.warp.warp_slot());
  }
  free_operations_.push_back(access.operation);
  queue_.pop();
}

L1DataCache::Result LoadStoreUnit::try_transaction(const Access& access, std::uint64_t cycle) {
  const Transaction& transaction = access.transactions.list[access.next];
  const L1DataCache::Requester who{access.operation, access.warp};
  L1DataCache::Result result = L1DataCache::Result::retry;
  switch (access.kind) {
    case Kind::load:
    case Kind::copy:
      operations_[access.operation].earliest =
          std::max(cycle, access.last_pass) + latency_of(access.kind);
      // A line of local memory may be dirty, and no other core can have another copy.
      result = access.bypass && !access.local ? l1_.load_past(transaction, who, cycle)
                                              : l1_.load(transaction, who, cycle);
      if (result == L1DataCache::Result::done) delivered(access.operation, cycle);
      break;
    case Kind::fetch:
      operations_[access.operation].earliest = cycle + latency_of(access.kind);
      result = texture_.load(transaction, who, cycle);
      if (result == L1DataCache::Result::done) delivered(access.operation, cycle);
      break;
    case Kind::store:
      result = access.local ? l1_.store_local(transaction, who, cycle)
                            : l1_.store(transaction, who, cycle);
      if (result == L1DataCache::Result::done) acknowledged(access.operation);
      break;
    case Kind::atomic:
    case Kind::reduction:
      result = l1_.atomic(transaction, who, access.kind == Kind::atomic, cycle);
      break;
  }
  return result;
}

void LoadStoreUnit::delivered(std::uint32_t operation, std::uint64_t cycle) {
  Operation& waiting = operations_[operation];
  if (--waiting.remaining > 0) return;
  const std::uint64_t left = waiting.earliest > cycle ? waiting.earliest - cycle : 0;
  tell_done(waiting, static_cast<std::uint32_t>(left));
  free_operations_.push_back(operation);
}

void LoadStoreUnit::acknowledged(std::uint32_t operation) {
  Operation& waiting = operations_[operation];
  if (--waiting.remaining > 0) return;
  client_.store_done(waiting.warp);
  free_operations_.push_back(operation);
}

void LoadStoreUnit::respond(const memory::Response& response) {
  if (full_since_) {
    // Tried in vain in every cycle until this one.
    statistics_.l1_reservation_fails += response.cycle - *full_since_;
    free_ = response.cycle;
    full_since_.reset();
  }
  if (TextureCache::owns(response)) {
    // What a hit takes longer than one of the L1 is the way through the texture unit, which a line
    // that has come still has before it.
    const unsigned further =
        config_.texture.latency - std::min(config_.texture.latency, config_.l1.latency);
    for (const std::uint32_t operation : texture_.respond(response)) {
      std::uint64_t& earliest = operations_[operation].earliest;
      earliest = std::max(earliest, response.cycle + further);
      delivered(operation, response.cycle);
    }
    return;
  }
  const L1DataCache::Reply reply = l1_.respond(response);
  for (const std::uint32_t operation : reply.operations) {
    if (reply.acknowledges) {
      acknowledged(operation);
    } else {
      delivered(operation, response.cycle);
    }
  }
}

}  // namespace paws::core
