// SPDX-License-Identifier: MIT
#include "sim/core/warp_former.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace paws::core {
namespace {

unsigned lowest(LaneBits lanes) { return static_cast<unsigned>(std::countr_zero(lanes)); }
unsigned count(LaneBits lanes) { return static_cast<unsigned>(std::popcount(lanes)); }

}  // namespace

std::vector<bool> meeting_points(const ir::Kernel& kernel) {
  std::vector<bool> meets(kernel.code.size(), false);
  for (const ir::Instruction& instruction : kernel.code) {
    const bool branches = (instruction.op == ir::Op::bra && instruction.guard != ir::kNoReg) ||
                          instruction.op == ir::Op::brx;
    if (!branches || instruction.uniform) continue;
    if (instruction.reconverge < meets.size()) meets[instruction.reconverge] = true;
  }
  return meets;
}

WarpFormer::WarpFormer(FormationPriority priority, unsigned rows)
    : priority_(priority), passed_(std::size_t{rows} * kMaxLanes) {}

void WarpFormer::begin() {
  table_.clear();
  std::fill(passed_.begin(), passed_.end(), 0);
  pool_.clear();
  free_.clear();
  waiting_.clear();
  majority_.reset();
  counts_ = {};
}

void WarpFormer::add_launch(std::vector<bool> meets) {
  std::vector<Entry>& entries = table_.emplace_back(meets.size());
  for (std::size_t pc = 0; pc < meets.size(); ++pc) entries[pc].meets = meets[pc];
}

void WarpFormer::start(std::uint32_t launch, std::uint8_t row, LaneBits lanes) {
  DynamicWarp warp{.launch = launch, .pc = 0, .lanes = lanes, .row = {}};
  for (LaneBits left = lanes; left != 0; left &= left - 1) {
    warp.row[lowest(left)] = row;
    passed(row, lowest(left)) = 0;
  }
  wait(warp);
}

void WarpFormer::retire(const DynamicWarp& warp, const NextPcs& next) {
  unsigned parts = 0;
  for (LaneBits left = warp.lanes; left != 0; ++parts) {
    DynamicWarp part{.launch = warp.launch, .pc = next[lowest(left)], .lanes = 0, .row = {}};
    const bool meets = at({part.launch, part.pc}).meets;
    for (LaneBits rest = left; rest != 0; rest &= rest - 1) {
      const unsigned lane = lowest(rest);
      if (next[lane] != part.pc) continue;
      part.lanes |= LaneBits{1} << lane;
      part.row[lane] = warp.row[lane];
      if (meets) ++passed(warp.row[lane], lane);
    }
    left &= ~part.lanes;
    wait(part);
  }
  if (parts > 1) ++counts_.splits;
}

void WarpFormer::wait(const DynamicWarp& part) {
  const Place place{part.launch, part.pc};
  at(place).threads += count(part.lanes);
  LaneBits left = part.lanes;
  if (const std::uint32_t youngest = at(place).youngest; youngest != kNone) {
    const LaneBits fits = left & ~pool_[youngest].threads.lanes;
    counts_.joined += count(fits);
    join(youngest, part, fits);
    left &= ~fits;
    if (left != 0) ++counts_.conflicts;
  }
  if (left == 0) return;
  const std::uint32_t index = found(place);
  at(place).youngest = index;
  join(index, part, left);
}

void WarpFormer::join(std::uint32_t index, const DynamicWarp& part, LaneBits lanes) {
  Warp& warp = pool_[index];
  warp.threads.lanes |= lanes;
  for (LaneBits left = lanes; left != 0; left &= left - 1) {
    const unsigned lane = lowest(left);
    warp.threads.row[lane] = part.row[lane];
    warp.passed = std::max(warp.passed, passed(part.row[lane], lane));
  }
}

std::uint32_t WarpFormer::found(const Place& at) {
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
  ++counts_.founded;
  counts_.most_warps = std::max<std::uint64_t>(counts_.most_warps, waiting_.size());
  return index;
}

std::size_t WarpFormer::pick_majority() {
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

std::size_t WarpFormer::pick_pdom() const {
  const auto goes_before = [this](std::uint32_t a, std::uint32_t b) {
    const Warp& first = pool_[a];
    const Warp& second = pool_[b];
    if (first.passed != second.passed) return first.passed < second.passed;
    return count(first.threads.lanes) > count(second.threads.lanes);
  };
  return static_cast<std::size_t>(std::min_element(waiting_.begin(), waiting_.end(), goes_before) -
                                  waiting_.begin());
}

DynamicWarp WarpFormer::select() {
  const std::size_t picked =
      priority_ == FormationPriority::majority ? pick_majority() : pick_pdom();
  const std::uint32_t index = waiting_[picked];
  waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(picked));
  free_.push_back(index);
  ++counts_.selected;

  const Warp& warp = pool_[index];
  Entry& entry = at({warp.threads.launch, warp.threads.pc});
  if (entry.youngest == index) entry.youngest = kNone;
  entry.threads -= count(warp.threads.lanes);
  if (entry.threads == 0) majority_.reset();
  for (LaneBits left = warp.threads.lanes; left != 0; left &= left - 1) {
    passed(warp.threads.row[lowest(left)], lowest(left)) = warp.passed;
  }
  return warp.threads;
}

std::vector<DynamicWarp> WarpFormer::waiting() const {
  std::vector<DynamicWarp> warps;
  warps.reserve(waiting_.size());
  for (const std::uint32_t index : waiting_) warps.push_back(pool_[index].threads);
  return warps;
}

}  // namespace paws::core
