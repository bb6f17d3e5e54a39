// SPDX-License-Identifier: MIT
#include "sim/core/thread_block_compaction.h"

#include <algorithm>
#include <utility>

namespace paws::core {
void ThreadBlockCompaction::begin() {
  kernels_.clear();
  blocks_.clear();
  waiting_.clear();
  held_.clear();
}

void ThreadBlockCompaction::start(std::uint32_t launch, std::span<const std::uint32_t> rows,
                                  const LargeWarpMask& threads) {
  const auto ended = std::find_if(blocks_.begin(), blocks_.end(),
                                  [](const Block& block) { return block.stack.empty(); });
  Block& block = ended != blocks_.end() ? *ended : blocks_.emplace_back();
  const auto index = static_cast<std::size_t>(&block - blocks_.data());
  for (std::size_t row = 0; row < rows.size(); ++row) homes_[rows[row]] = {index, row};
  block.launch = launch;
  block.rows.assign(rows.begin(), rows.end());
  block.stack.start(threads);
  form(block);
}

ThreadBlockCompaction::Block& ThreadBlockCompaction::block_of(const FormedWarp& warp) {
  return blocks_[homes_[warp.row[lowest_lane(warp.lanes)]].block];
}

LargeWarpMask ThreadBlockCompaction::threads_of(const FormedWarp& warp) const {
  LargeWarpMask threads{};
  for (LaneBits left = warp.lanes; left != 0; left &= left - 1) {
    threads[homes_[warp.row[lowest_lane(left)]].row] |= left & -left;
  }
  return threads;
}

FormedWarp ThreadBlockCompaction::select() {
  FormedWarp warp = waiting_.front();
  waiting_.pop_front();
  return warp;
}

void ThreadBlockCompaction::retire(const FormedWarp& warp, const NextPcs& next, LaneBits ended,
                                   LaneBits held) {
  Block& block = block_of(warp);
  const FormedWarp rest = part_of(warp, warp.lanes & ~ended, warp.pc);
  if (ended != 0) {
    const LargeWarpMask gone = threads_of(part_of(warp, ended, warp.pc));
    const std::size_t depth = block.stack.depth();
    block.stack.exit(gone, block.stack.pc());
    if (block.stack.depth() != depth) {
      // They were all of the path.
      if (!block.stack.empty()) form(block);
      return;
    }
  }
  if (rest.lanes == 0) {
    --block.running;
    if (block.running == 0) end_path(block);
  } else if (held != 0) {
    held_.push_back({rest, held});
  } else {
    go_on(rest, next);
  }
}

void ThreadBlockCompaction::release(std::span<const std::uint32_t> rows,
                                    const LargeWarpMask& threads) {
  std::vector<FormedWarp> released;
  for (Held& held : held_) {
    held.lanes &= ~lanes_among(held.warp, rows, threads);
    if (held.lanes == 0) released.push_back(held.warp);
  }
  std::erase_if(held_, [](const Held& held) { return held.lanes == 0; });
  for (const FormedWarp& warp : released) {
    NextPcs next{};
    next.fill(warp.pc + 1);
    go_on(warp, next);
  }
}

std::vector<FormedWarp> ThreadBlockCompaction::held() const {
  std::vector<FormedWarp> warps;
  for (const Held& held : held_) warps.push_back(part_of(held.warp, held.lanes, held.warp.pc + 1));
  return warps;
}

void ThreadBlockCompaction::go_on(const FormedWarp& warp, const NextPcs& next) {
  Block& block = block_of(warp);
  const bool branch = can_diverge(kernels_[block.launch]->code[warp.pc]);
  const std::uint32_t first = next[lowest_lane(warp.lanes)];
  if (!branch && first != block.stack.reconvergence()) {
    waiting_.push_back(part_of(warp, warp.lanes, first));
    return;
  }
  if (branch) block.branch = warp.pc;
  block.arrived.push_back(warp);
  for (LaneBits left = warp.lanes; left != 0; left &= left - 1) {
    const std::uint32_t target = next[lowest_lane(left)];
    auto leg = std::find_if(block.legs.begin(), block.legs.end(),
                            [&](const Stack::Leg& other) { return other.target == target; });
    if (leg == block.legs.end()) leg = block.legs.insert(leg, {target, {}});
    leg->lanes[homes_[warp.row[lowest_lane(left)]].row] |= left & -left;
  }
  --block.running;
  if (block.running == 0) end_path(block);
}

void ThreadBlockCompaction::end_path(Block& block) {
  std::vector<Stack::Leg> legs = std::exchange(block.legs, {});
  const std::vector<FormedWarp> arrived = std::exchange(block.arrived, {});
  const std::uint32_t branch = std::exchange(block.branch, kNone);
  if (legs.size() > 1) {
    ++counts_.splits;
    // As in the stack of a warp: what falls through runs last.
    std::sort(legs.begin(), legs.end(), [&](const Stack::Leg& a, const Stack::Leg& b) {
      return std::pair{a.target != branch + 1, a.target} <
             std::pair{b.target != branch + 1, b.target};
    });
    block.stack.diverge(legs, kernels_[block.launch]->code[branch].reconverge);
    form(block);
    return;
  }
  if (branch != kNone) ++counts_.together;
  const std::uint32_t pc = legs.front().target;
  const std::size_t depth = block.stack.depth();
  block.stack.advance(pc);
  if (block.stack.depth() != depth) {
    form(block);
    return;
  }
  for (const FormedWarp& warp : arrived) waiting_.push_back(part_of(warp, warp.lanes, pc));
  block.running = static_cast<unsigned>(arrived.size());
}

void ThreadBlockCompaction::form(Block& block) {
  LargeWarpMask left = block.stack.lanes();
  const bool whole = block.stack.depth() == 1;
  block.running = 0;
  // Packed, each round makes a warp of all rows; of the path of all threads, of one row.
  for (std::size_t first = 0; first < block.rows.size();) {
    FormedWarp warp{.launch = block.launch, .pc = block.stack.pc(), .lanes = 0, .row = {}};
    for (std::size_t row = first; row < (whole ? first + 1 : block.rows.size()); ++row) {
      const LaneBits takes = left[row] & ~warp.lanes;
      for (LaneBits lanes = takes; lanes != 0; lanes &= lanes - 1) {
        warp.row[lowest_lane(lanes)] = static_cast<std::uint8_t>(block.rows[row]);
      }
      warp.lanes |= takes;
      left[row] &= ~takes;
    }
    while (first < block.rows.size() && left[first] == 0) ++first;
    if (warp.lanes == 0) continue;
    waiting_.push_back(warp);
    ++block.running;
    ++counts_.formed;
  }
  counts_.most = std::max<std::uint64_t>(counts_.most, waiting_.size());
}

}  // namespace paws::core
