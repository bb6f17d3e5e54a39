// SPDX-License-Identifier: MIT
#include "sim/adapt/pattern.h"

#include <algorithm>
#include <bit>
#include <limits>

#include "model/warp_mask.h"
#include "sim/core/core.h"
#include "sim/core/warp_slots.h"

namespace paws::adapt {
namespace {

/// Another warp than the issuer can issue whose key is at most half of the issuer's.
bool nearer_starves(const SchedulerInputs& inputs, WarpId issuer) {
  const unsigned key = inputs.phase[issuer];
  bool found = false;
  for_each_warp(inputs.issuable & ~mask_of(issuer),
                [&](WarpId warp) { found |= 2U * inputs.phase[warp] <= key; });
  return found;
}

}  // namespace

void Pattern::begin(const core::Core& core, const core::RunningKernels& /*running*/,
                    std::uint64_t cycle) {
  ports_ = core.schedulers();
  State state;
  state.next_lock = settings_.lockout;
  schedulers_.assign(ports_, state);
  block_issues_.clear();
  resident_.clear();
  monitoring_ = true;
  judged_ = fixed_ = false;
  epoch_end_ = cycle + settings_.pattern_epoch;
}

void Pattern::block_started(std::uint32_t block_slot) {
  if (!monitoring_) return;
  if (block_slot >= resident_.size()) {
    resident_.resize(block_slot + 1, false);
    block_issues_.resize(block_slot + 1, 0);
  }
  resident_[block_slot] = true;
}

void Pattern::add(State& state, int events) const {
  state.balance =
      std::clamp(state.balance + (swapped_ ? -events : events), kBalanceLeast, kBalanceMost);
}

void Pattern::decided(unsigned scheduler, const SchedulerInputs& inputs,
                      const SchedulerOutputs& outputs) {
  State& state = schedulers_[scheduler];
  const auto live = static_cast<unsigned>(std::popcount(state.live));
  const auto waiting = static_cast<unsigned>(std::popcount(state.live & inputs.long_outstanding));
  state.convoy = inputs.issuable == 0 && live > 0 && 4 * waiting >= 3 * live;
  if (inputs.issue_en && !monitoring_ && !fixed_) {
    if (state.convoy) add(state, -1);
    if (outputs.issue_valid && 4 * waiting < live && nearer_starves(inputs, outputs.issue_warp)) {
      add(state, 1);
    }
  }
  if (inputs.launch_valid) state.live |= mask_of(inputs.launch_warp);
}

void Pattern::skipped(unsigned scheduler, std::uint64_t cycles) {
  State& state = schedulers_[scheduler];
  if (!state.convoy || monitoring_ || fixed_) return;
  constexpr std::uint64_t kAll = kBalanceMost - kBalanceLeast;
  add(state, -static_cast<int>(std::min(cycles, kAll)));
}

void Pattern::issued(unsigned scheduler, std::uint32_t /*warp*/, std::uint32_t block_slot) {
  ++schedulers_[scheduler].issues;
  if (monitoring_) ++block_issues_[block_slot];
}

void Pattern::warp_ended(std::uint32_t warp, std::uint32_t /*block_slot*/, bool last) {
  const core::WarpSlots slots(ports_);
  schedulers_[slots.scheduler(warp)].live &= ~slots.bit(warp);
  if (last && monitoring_) judged_ = true;
}

void Pattern::judge() {
  std::uint64_t sum = 0;
  std::uint64_t most = 0;
  std::uint64_t blocks = 0;
  for (std::size_t slot = 0; slot < resident_.size(); ++slot) {
    if (!resident_[slot]) continue;
    ++blocks;
    sum += block_issues_[slot];
    most = std::max(most, block_issues_[slot]);
  }
  fixed_ = 2 * sum < blocks * most;
  if (fixed_) counts_.locks += ports_;
  monitoring_ = judged_ = false;
  for (State& state : schedulers_) {
    if (!fixed_) state.policy = first_;
    state.mean = 0;  // of the first policy nothing is known
  }
}

void Pattern::advance(std::uint64_t cycle) {
  if (judged_) judge();
  for (; cycle >= epoch_end_; epoch_end_ += settings_.pattern_epoch) {
    for (State& state : schedulers_) end_epoch(state);
  }
}

void Pattern::end_epoch(State& state) {
  const bool counts = state.live != 0 && !monitoring_ && !fixed_;
  if (counts) {
    ++counts_.epochs;
    if (state.locked > 0) --state.locked;
    if (!guard(state)) {
      const std::uint64_t now = state.issues * kFraction;
      state.mean = state.mean == 0 ? now : (3 * state.mean + now) / 4;
      const int threshold = static_cast<int>(settings_.threshold);
      if (state.locked == 0 && state.balance > threshold) change(state, SwitchedPolicy::rr);
      if (state.locked == 0 && state.balance < -threshold) change(state, SwitchedPolicy::gto);
    }
  }
  state.balance /= 2;
  state.issues = 0;
}

bool Pattern::guard(State& state) {
  if (state.before == 0) return false;
  const std::uint64_t least = state.before - state.before / settings_.loss;
  state.losses = state.issues * kFraction < least ? state.losses + 1 : 0;
  if (state.losses < 2) return false;
  const std::uint64_t mean = state.before;
  change(state, state.policy == SwitchedPolicy::rr ? SwitchedPolicy::gto : SwitchedPolicy::rr);
  state.mean = mean;
  state.before = 0;
  state.locked = state.next_lock;
  state.next_lock = std::min(2 * state.next_lock, std::numeric_limits<unsigned>::max() / 4);
  ++counts_.reverts;
  return true;
}

void Pattern::change(State& state, SwitchedPolicy policy) {
  if (state.policy == policy) return;
  state.policy = policy;
  state.before = state.mean;
  state.mean = 0;
  state.losses = 0;
}

void Pattern::end(std::uint64_t /*cycle*/, AdaptCounts& counts) {
  counts += counts_;
  counts_ = {};
}

}  // namespace paws::adapt
