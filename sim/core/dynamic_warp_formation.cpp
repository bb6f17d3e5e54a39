// SPDX-License-Identifier: MIT
#include "sim/core/dynamic_warp_formation.h"

#include <algorithm>
#include <utility>

namespace paws::core {
DynamicWarpFormation::DynamicWarpFormation(FormationPriority priority, unsigned rows,
                                           FormationCounts& counts)
    : priority_(priority), counts_(counts), passed_(std::size_t{rows} * kMaxLanes) {}

void DynamicWarpFormation::begin() {
  table_.clear();
  std::fill(passed_.begin(), passed_.end(), 0);
  pool_.clear();
  free_.clear();
  waiting_.clear();
  held_.clear();
  majority_.reset();
}

void DynamicWarpFormation::add_launch(const ir::Kernel& kernel) {
  std::vector<Entry>& entries = table_.emplace_back(kernel.code.size());
  for (const ir::Instruction& instruction : kernel.code) {
    if (!can_diverge(instruction)) continue;
    if (instruction.reconverge < entries.size()) entries[instruction.reconverge].meets = true;
  }
}

void DynamicWarpFormation::start(std::uint32_t launch, std::span<const std::uint32_t> rows,
                                 const LargeWarpMask& threads) {
  for (std::size_t i = 0; i < rows.size(); ++i) {
    FormedWarp warp{.launch = launch, .pc = 0, .lanes = threads[i], .row = {}};
    for (LaneBits left = warp.lanes; left != 0; left &= left - 1) {
      const unsigned lane = lowest_lane(left);
      warp.row[lane] = static_cast<std::uint8_t>(rows[i]);
      passed(warp.row[lane], lane) = 0;
    }
    if (warp.lanes != 0) wait(warp);
  }
}

void DynamicWarpFormation::retire(const FormedWarp& warp, const NextPcs& next, LaneBits ended,
                                  LaneBits held) {
  if (held != 0) held_.push_back(part_of(warp, held, warp.pc + 1));
  unsigned parts = 0;
  for (LaneBits left = warp.lanes & ~(ended | held); left != 0; ++parts) {
    const std::uint32_t pc = next[lowest_lane(left)];
    LaneBits lanes = 0;
    for (LaneBits rest = left; rest != 0; rest &= rest - 1) {
      if (next[lowest_lane(rest)] == pc) lanes |= rest & -rest;
    }
    left &= ~lanes;
    arrive(part_of(warp, lanes, pc));
  }
  if (parts > 1) ++counts_.splits;
}

void DynamicWarpFormation::release(std::span<const std::uint32_t> rows,
                                   const LargeWarpMask& threads) {
  std::vector<FormedWarp> released;
  for (FormedWarp& warp : held_) {
    const LaneBits lanes = lanes_among(warp, rows, threads);
    if (lanes == 0) continue;
    released.push_back(part_of(warp, lanes, warp.pc));
    warp.lanes &= ~lanes;
  }
  std::erase_if(held_, [](const FormedWarp& warp) { return warp.lanes == 0; });
  for (const FormedWarp& warp : released) arrive(warp);
}

void DynamicWarpFormation::arrive(const FormedWarp& part) {
  if (at({part.launch, part.pc}).meets) {
    for (LaneBits left = part.lanes; left != 0; left &= left - 1) {
      ++passed(part.row[lowest_lane(left)], lowest_lane(left));
    }
  }
  wait(part);
}

void DynamicWarpFormation::wait(const FormedWarp& part) {
  const Place place{part.launch, part.pc};
  at(place).threads += count_lanes(part.lanes);
  LaneBits left = part.lanes;
  if (const std::uint32_t youngest = at(place).youngest; youngest != kNone) {
    const LaneBits fits = left & ~pool_[youngest].threads.lanes;
    counts_.joined += count_lanes(fits);
    join(youngest, part, fits);
    left &= ~fits;
    if (left != 0) ++counts_.conflicts;
  }
  if (left == 0) return;
  const std::uint32_t index = found(place);
  at(place).youngest = index;
  join(index, part, left);
}

void DynamicWarpFormation::join(std::uint32_t index, const FormedWarp& part, LaneBits lanes) {
  Warp& warp = pool_[index];
  warp.threads.lanes |= lanes;
  for (LaneBits left = lanes; left != 0; left &= left - 1) {
    const unsigned lane = lowest_lane(left);
    warp.threads.row[lane] = part.row[lane];
    warp.passed = std::max(warp.passed, passed(part.row[lane], lane));
  }
}

std::uint32_t DynamicWarpFormation::found(const Place& at) {
  if (free_.empty()) {
    free_.push_back(static_cast<std::uint32_t>(pool_.size()));
    pool_.emplace_back();
  }
  const std::uint32_t index = free_.back();
  free_.pop_back();
  pool_[index] = {};
  pool_[index].threads.launch = at.launch;
  pool_[index].threads.pc = at.pc;
  waiting_.push_back(index);
  ++counts_.formed;
  counts_.most = std::max<std::uint64_t>(counts_.most, waiting_.size());
  return index;
}

std::size_t DynamicWarpFormation::pick_majority() {
  const auto place_of = [this](std::uint32_t index) {
    return Place{pool_[index].threads.launch, pool_[index].threads.pc};
  };
  if (!majority_) {
    for (const std::uint32_t index : waiting_) {
      const Place place = place_of(index);
      if (!majority_ || at(place).threads > at(*majority_).threads ||
          (at(place).threads == at(*majority_).threads && place < *majority_)) {
        majority_ = place;
      }
    }
  }
  const auto first = std::find_if(waiting_.begin(), waiting_.end(), [&](std::uint32_t index) {
    return place_of(index) == *majority_;
  });
  return static_cast<std::size_t>(first - waiting_.begin());
}

std::size_t DynamicWarpFormation::pick_pdom() const {
  const auto goes_before = [this](std::uint32_t a, std::uint32_t b) {
    const Warp& first = pool_[a];
    const Warp& second = pool_[b];
    if (first.passed != second.passed) return first.passed < second.passed;
    return count_lanes(first.threads.lanes) > count_lanes(second.threads.lanes);
  };
  return static_cast<std::size_t>(std::min_element(waiting_.begin(), waiting_.end(), goes_before) -
                                  waiting_.begin());
}

FormedWarp DynamicWarpFormation::select() {
  const std::size_t picked =
      priority_ == FormationPriority::majority ? pick_majority() : pick_pdom();
  const std::uint32_t index = waiting_[picked];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(picked));
  free_.push_back(index);

  const Warp& warp = pool_[index];
  Entry& entry = at({warp.threads.launch, warp.threads.pc});
  if (entry.youngest == index) entry.youngest = kNone;
  entry.threads -= count_lanes(warp.threads.lanes);
  if (entry.threads == 0) majority_.reset();
  for (LaneBits left = warp.threads.lanes; left != 0; left &= left - 1) {
    passed(warp.threads.row[lowest_lane(left)], lowest_lane(left)) = warp.passed;
  }
  return warp.threads;
}

std::vector<FormedWarp> DynamicWarpFormation::waiting() const {
  std::vector<FormedWarp> warps;
  warps.reserve(waiting_.size());
  for (const std::uint32_t index : waiting_) warps.push_back(pool_[index].threads);
  return warps;
}

}  // namespace paws::core
