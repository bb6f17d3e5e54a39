// SPDX-License-Identifier: MIT
#include "sim/throttle/dynamic_block_limit.h"

#include <algorithm>

namespace paws::throttle {

void DynamicBlockLimit::begin(const core::Core& core, const core::RunningKernels& running,
                              std::uint64_t cycle) {
  core_ = &core;
  slots_ = core::WarpSlots(core.schedulers());
  blocks_.clear();
  paused_.assign(core.schedulers(), 0);
  most_ = core.free().count(running.only().needs).blocks;
  limit_ = std::max(1U, most_ / 2);
  period_end_ = cycle + settings_.period;
  counted_ = cycle;
  state_ = State::idle;
  idle_ = waiting_ = 0;
  counts_ = {};
}

void DynamicBlockLimit::block_started(std::uint64_t /*cycle*/, const core::BlockTable::Slot& slot) {
  blocks_.push_back(slot.warps);
  pause();
}

void DynamicBlockLimit::block_ended(std::uint64_t cycle, const core::BlockTable::Slot& slot) {
  blocks_.erase(std::find(blocks_.begin(), blocks_.end(), slot.warps));
  pause();
  if (!blocks_.empty()) return;
  // A core without blocks need not be stepped again before one comes.
  count_until(cycle + 1);
  state_ = State::idle;
}

void DynamicBlockLimit::advance(std::uint64_t cycle) {
  count_until(cycle);
  if (blocks_.empty()) return;
  if (cycle >= period_end_) {
    decide();
    period_end_ = cycle + settings_.period;
    pause();
  }
  state_ = state();
}

void DynamicBlockLimit::count_until(std::uint64_t cycle) {
  if (cycle <= counted_) return;
  if (state_ == State::idle) idle_ += cycle - counted_;
  if (state_ == State::waiting) waiting_ += cycle - counted_;
  counted_ = cycle;
}

DynamicBlockLimit::State DynamicBlockLimit::state() const {
  State found = State::idle;
  for (std::uint32_t warp = 0; warp < core_->warps(); ++warp) {
    const core::WarpView view = core_->view(warp);
    if (!view.live || view.at_barrier) continue;
    // Without a decoded instruction a fetch or a branch is under way, or the fetch waits its turn.
    if (!view.waits_for_memory) return State::working;
    found = State::waiting;
  }
  return found;
}

void DynamicBlockLimit::decide() {
  ++counts_.periods;
  counts_.idle_cycles += idle_;
  counts_.memory_cycles += waiting_;
  counts_.limits += limit_;
  if (idle_ >= settings_.idle || waiting_ < settings_.memory_low) {
    limit_ = std::min(most_, limit_ + 1);
  } else if (waiting_ >= settings_.memory_high) {
    limit_ = std::max(1U, limit_ - 1);
  }
  idle_ = waiting_ = 0;
}

void DynamicBlockLimit::pause() {
  std::fill(paused_.begin(), paused_.end(), 0);
  for (std::size_t i = limit_; i < blocks_.size(); ++i) {
    for (const std::uint32_t warp : blocks_[i]) {
      paused_[slots_.scheduler(warp)] |= slots_.bit(warp);
    }
  }
}

void DynamicBlockLimit::end(CoreStatistics& statistics) { statistics.dyncta += counts_; }

}  // namespace paws::throttle
