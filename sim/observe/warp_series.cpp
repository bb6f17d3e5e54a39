// SPDX-License-Identifier: MIT
#include "sim/observe/warp_series.h"

#include <algorithm>
#include <bit>

#include "model/warp_mask.h"
#include "sim/core/core.h"
#include "sim/core/issue_levels.h"

namespace paws::observe {
namespace {

std::uint64_t number_of(WarpMask warps) { return static_cast<std::uint64_t>(std::popcount(warps)); }

class WarpObserver final : public core::CoreObserver {
 public:
  explicit WarpObserver(WarpSeries& series) : CoreObserver(false), series_(series) {}

  void begin(const core::Core& core, const core::RunningKernels& /*running*/,
             std::uint64_t cycle) override {
    schedulers_.assign(core.schedulers(), {});
    for (Scheduler& scheduler : schedulers_) scheduler.since = cycle;
  }

  void decided(const core::SchedulerView& view) override {
    Scheduler& scheduler = schedulers_[view.number];
    const SchedulerInputs& inputs = *view.inputs;
    const WarpMask clear = view.levels->clear();
    until(scheduler, view.cycle);
    scheduler.each.live = number_of(scheduler.live);
    scheduler.each.ready = number_of(clear & scheduler.live);
    scheduler.each.memory =
        number_of(view.levels->decoded() & ~clear & inputs.waits & scheduler.live);
    const WarpMask issuer = view.outputs->issue_valid ? WarpMask{1} << view.outputs->issue_warp : 0;
    const WarpMask ended = issuer & inputs.exits;
    if (issuer != 0) series_.add(view.cycle, view.cycle + 1, {0, 0, 0, 1});
    if (ended == 0 && !inputs.launch_valid) return;
    // From the next cycle on.
    until(scheduler, view.cycle + 1);
    scheduler.live &= ~ended;
    if (inputs.launch_valid) scheduler.live |= WarpMask{1} << inputs.launch_warp;
    scheduler.each.live = number_of(scheduler.live);
  }

  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t cycle) override {
    for (Scheduler& scheduler : schedulers_) until(scheduler, cycle);
  }

 private:
  struct Scheduler {
    WarpMask live = 0;
    WarpCounts each;          ///< of a cycle, as long as nothing changes
    std::uint64_t since = 0;  ///< first cycle that is not counted
  };

  void until(Scheduler& scheduler, std::uint64_t cycle) {
    series_.add(scheduler.since, cycle, scheduler.each);
    scheduler.since = cycle;
  }

  WarpSeries& series_;
  std::vector<Scheduler> schedulers_;
};

}  // namespace

WarpCounts& WarpCounts::operator+=(const WarpCounts& other) {
  live += other.live;
  memory += other.memory;
  ready += other.ready;
  issues += other.issues;
  return *this;
}

void WarpSeries::add(std::uint64_t from, std::uint64_t to, const WarpCounts& each) {
  if (from >= to) return;
  while (to > width * kStretches) widen();
  if (stretches.size() <= (to - 1) / width) stretches.resize((to - 1) / width + 1);
  while (from < to) {
    const std::uint64_t at = from / width;
    const std::uint64_t cycles = std::min(to, (at + 1) * width) - from;
    stretches[at] +=
        {cycles * each.live, cycles * each.memory, cycles * each.ready, cycles * each.issues};
    from += cycles;
  }
}

void WarpSeries::widen() {
  width *= 2;
  for (std::size_t i = 0; 2 * i < stretches.size(); ++i) {
    WarpCounts both = stretches[2 * i];
    if (2 * i + 1 < stretches.size()) both += stretches[2 * i + 1];
    stretches[i] = both;
  }
  stretches.resize((stretches.size() + 1) / 2);
}

WarpSeries& WarpSeries::operator+=(const WarpSeries& other) {
  WarpSeries copy = other;
  while (copy.width < width) copy.widen();
  while (width < copy.width) widen();
  if (stretches.size() < copy.stretches.size()) stretches.resize(copy.stretches.size());
  for (std::size_t i = 0; i < copy.stretches.size(); ++i) stretches[i] += copy.stretches[i];
  return *this;
}

std::unique_ptr<core::CoreObserver> WarpWatch::observer(std::uint32_t core) {
  return std::make_unique<WarpObserver>(cores_.at(core));
}

WarpSeries WarpWatch::total() const {
  WarpSeries sum;
  for (const WarpSeries& core : cores_) sum += core;
  return sum;
}

}  // namespace paws::observe
