// SPDX-License-Identifier: MIT
#include "sim/observe/warp_series.h"

#include <algorithm>
#include <utility>

#include "sim/core/core.h"

namespace paws::observe {
namespace {

/// What a warp that stands so counts in a cycle, or did.
constexpr WarpCounts counts_of(core::Standing standing) {
  WarpCounts counts;
  counts.memory = standing == core::Standing::memory ? 1 : 0;
  counts.ready = standing == core::Standing::clear ? 1 : 0;
  return counts;
}

class WarpObserver final : public core::CoreObserver {
 public:
  explicit WarpObserver(WarpChanges& changes) : CoreObserver(false), changes_(changes) {}

  void begin(const core::Core& core, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {
    standing_.assign(core.warps(), core::Standing::fetching);
  }

  void decided(const core::SchedulerView& /*view*/) override {}
  void launched(std::uint64_t cycle, std::uint32_t /*warp*/, std::uint32_t /*launch*/) override {
    changes_.add(cycle, {1, 0, 0, 0});
  }
  void moved(std::uint64_t cycle, std::uint32_t warp, std::uint32_t /*pc*/,
             core::Standing standing) override {
    WarpCounts more = counts_of(standing);
    const WarpCounts before = counts_of(std::exchange(standing_[warp], standing));
    more.memory -= before.memory;
    more.ready -= before.ready;
    if ((more.memory | more.ready) != 0) changes_.add(cycle, more);
  }

  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void executed(std::uint64_t cycle, std::uint32_t /*warp*/, std::uint32_t /*pc*/,
                unsigned /*path*/, unsigned /*lanes*/) override {
    changes_.issue(cycle);
  }
  void ended(std::uint64_t cycle, std::uint32_t warp) override {
    moved(cycle, warp, 0, core::Standing::fetching);
    changes_.add(cycle, {~std::uint64_t{0}, 0, 0, 0});
  }
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t cycle) override { changes_.end(cycle); }

 private:
  WarpChanges& changes_;
  std::vector<core::Standing> standing_;  ///< by warp slot
};

}  // namespace

WarpCounts& WarpCounts::operator+=(const WarpCounts& other) {
  live += other.live;
  memory += other.memory;
  ready += other.ready;
  issues += other.issues;
  return *this;
}

WarpSeries& WarpSeries::operator+=(const WarpSeries& other) {
  // A stretch of one is a part of a stretch of the other: widths are powers of 2.
  const std::uint64_t wide = std::max(width, other.width);
  const std::uint64_t end =
      std::max(stretches.size() * width, other.stretches.size() * other.width);
  std::vector<WarpCounts> sum((end + wide - 1) / wide);
  for (const WarpSeries* series : {static_cast<const WarpSeries*>(this), &other}) {
    for (std::size_t i = 0; i < series->stretches.size(); ++i) {
      sum[i * series->width / wide] += series->stretches[i];
    }
  }
  width = wide;
  stretches = std::move(sum);
  return *this;
}

WarpChanges::Stretch& WarpChanges::Stretch::operator+=(const Stretch& other) {
  more += other.more;
  within += other.within;
  return *this;
}

inline WarpChanges::Stretch& WarpChanges::at(std::uint64_t cycle) {
  while (cycle > WarpSeries::kStretches << shift_) widen();
  return stretches_[cycle >> shift_];
}

void WarpChanges::add(std::uint64_t cycle, const WarpCounts& more) {
  Stretch& stretch = at(cycle);
  const std::uint64_t cycles = (((cycle >> shift_) + 1) << shift_) - cycle;
  stretch += {more, {cycles * more.live, cycles * more.memory, cycles * more.ready, 0}};
}

void WarpChanges::issue(std::uint64_t cycle) { ++at(cycle).within.issues; }

void WarpChanges::end(std::uint64_t cycle) {
  end_ = std::max(end_, cycle);
  static_cast<void>(at(end_));
}

void WarpChanges::widen() {
  const std::uint64_t width = std::uint64_t{1} << shift_;
  for (std::size_t i = 0; i < stretches_.size() / 2; ++i) {
    Stretch both = stretches_[2 * i];
    // What has changed in the first half holds in all of the second.
    const WarpCounts& more = both.more;
    both.within += {width * more.live, width * more.memory, width * more.ready, 0};
    both += stretches_[2 * i + 1];
    stretches_[i] = both;
  }
  std::fill(stretches_.begin() + stretches_.size() / 2, stretches_.end(), Stretch{});
  ++shift_;
}

WarpSeries WarpChanges::series() const {
  WarpSeries series;
  series.width = std::uint64_t{1} << shift_;
  series.stretches.resize((end_ + series.width - 1) >> shift_);
  WarpCounts each;
  for (std::size_t i = 0; i < series.stretches.size(); ++i) {
    const Stretch& stretch = stretches_[i];
    series.stretches[i] = {series.width * each.live, series.width * each.memory,
                           series.width * each.ready, 0};
    series.stretches[i] += stretch.within;
    each += stretch.more;
  }
  return series;
}

std::unique_ptr<core::CoreObserver> WarpWatch::observer(std::uint32_t core) {
  return std::make_unique<WarpObserver>(cores_.at(core));
}

WarpSeries WarpWatch::total() const {
  WarpSeries sum;
  for (const WarpChanges& core : cores_) sum += core.series();
  return sum;
}

}  // namespace paws::observe
