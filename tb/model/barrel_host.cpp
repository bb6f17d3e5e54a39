// SPDX-License-Identifier: MIT
#include "tb/model/barrel_host.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "model/warp_mask.h"

namespace paws::test {

BarrelHost::BarrelHost(Parts parts, std::vector<Program> programs)
    : parts_(std::move(parts)),
      group_(parts_.scheduler->config().group),
      programs_(std::move(programs)) {}

void BarrelHost::start() {
  parts_.scheduler->reset();
  parts_.packer->reset();
  parts_.masks->reset();
  for (WarpId warp = 0; warp < programs_.size(); ++warp) {
    parts_.scheduler->decide({.launch_valid = true, .launch_warp = warp});
    parts_.scheduler->commit();
  }
  now_ = 0;
  warps_.assign(programs_.size(), {});
  fetched_.reset();
  back_end_.fill(std::nullopt);
  last_group_.reset();
  counts_ = {};
  selections_.clear();
  branches_.clear();
}

BarrelHost::Counts BarrelHost::run() {
  constexpr std::uint64_t kLimit = 1'000'000;
  endless_ = false;
  start();
  const auto works = [this] {
    return fetched_ || std::ranges::any_of(warps_, [](const LargeWarp& warp) {
             return !warp.ended || warp.in_flight;
           });
  };
  while (works()) {
    if (now_ == kLimit) throw std::runtime_error("the programs do not end");
    cycle();
  }
  counts_.cycles = selections_.back().cycle + 1;
  return counts_;
}

BarrelHost::Counts BarrelHost::run_for_ever(std::uint64_t cycles, std::uint64_t counted) {
  endless_ = true;
  start();
  while (now_ < cycles) cycle();
  counts_ = {};
  while (now_ < cycles + counted) cycle();
  counts_.cycles = counted;
  return counts_;
}

void BarrelHost::cycle() {
  const bool take = !frozen();
  const SubwarpPackerOutputs outputs = decode(take);
  select(take && !outputs.busy);
  std::optional<Subwarp> next;
  if (outputs.valid && take) {
    next = Subwarp{.warp = decoded_.warp,
                   .instruction = decoded_.instruction,
                   .shape = outputs,
                   .memory_cycles = at(decoded_.warp, decoded_.instruction).lines};
    ++counts_.subwarps;
    counts_.threads += static_cast<unsigned>(std::popcount(outputs.mask));
  }
  advance(next);
  ++now_;
}

bool BarrelHost::frozen() const {
  const std::optional<Subwarp>& in_memory = back_end_[kMemoryStage];
  return in_memory && in_memory->memory_cycles > 1;
}

SubwarpPackerOutputs BarrelHost::decode(bool take) {
  SubwarpPackerInputs inputs{.take = take};
  if (fetched_) {
    decoded_ = *std::exchange(fetched_, std::nullopt);
    const Instruction& instruction = at(decoded_.warp, decoded_.instruction);
    inputs.load_valid = true;
    inputs.load_mode = instruction.mode;
    inputs.load_mask = instruction.threads;
  }
  const SubwarpPackerOutputs outputs = parts_.packer->decide(inputs);
  parts_.packer->commit();
  return outputs;
}

void BarrelHost::select(bool enabled) {
  SchedulerInputs inputs{.issue_en = enabled};
  bool work = false;
  for (WarpId warp = 0; warp < warps_.size(); ++warp) {
    const LargeWarp& state = warps_[warp];
    if (state.ended) continue;
    work = true;
    if (!state.in_flight && state.from <= now_) inputs.issuable |= mask_of(warp);
    if (!endless_ && state.next + 1 == programs_[warp].size()) inputs.exits |= mask_of(warp);
  }
  const SchedulerOutputs outputs = parts_.scheduler->decide(inputs);
  parts_.scheduler->commit();
  if (!outputs.issue_valid) {
    if (work) ++(enabled ? counts_.idle : counts_.stalled);
    return;
  }
  LargeWarp& selected = warps_[outputs.issue_warp];
  selections_.push_back({now_, outputs.issue_warp});
  ++counts_.selections;
  const unsigned group = outputs.issue_warp / group_;
  if (last_group_ && *last_group_ != group) {
    ++counts_.switches;
    const std::size_t first = std::size_t{*last_group_} * group_;
    for (std::size_t warp = first; warp < std::min(warps_.size(), first + group_); ++warp) {
      const LargeWarp& left = warps_[warp];
      const bool waits = left.misses && (left.in_flight || now_ < left.from);
      if (left.ended || waits) continue;
      ++counts_.premature;
      break;
    }
  }
  last_group_ = group;
  fetched_ = Decoded{.warp = outputs.issue_warp, .instruction = selected.next};
  selected.in_flight = true;
  selected.misses = at(outputs.issue_warp, selected.next).misses > 0;
  if (++selected.next < programs_[outputs.issue_warp].size()) return;
  selected.next = 0;
  selected.ended = !endless_;
}

void BarrelHost::advance(std::optional<Subwarp> next) {
  const bool holds = frozen();
  if (holds) ++counts_.frozen;
  if (back_end_.back()) {
    complete(*back_end_.back());
  } else {
    parts_.masks->decide({});
    parts_.masks->commit();
  }
  for (unsigned stage = kStages - 1; stage > kMemoryStage + 1; --stage) {
    back_end_[stage] = std::exchange(back_end_[stage - 1], std::nullopt);
  }
  if (holds) {
    --back_end_[kMemoryStage]->memory_cycles;
    return;
  }
  for (unsigned stage = kMemoryStage + 1; stage > 0; --stage) {
    back_end_[stage] = std::exchange(back_end_[stage - 1], std::nullopt);
  }
  back_end_.front() = next;
}

void BarrelHost::complete(const Subwarp& subwarp) {
  const Instruction& instruction = at(subwarp.warp, subwarp.instruction);
  const SubwarpPackerOutputs& shape = subwarp.shape;
  BranchMasksInputs inputs;
  if (instruction.taken) {
    inputs = {.valid = true, .last = shape.last, .mask = shape.mask, .row = shape.row};
    for (unsigned lane = 0; lane < kMaxLanes; ++lane) {
      inputs.taken |= (*instruction.taken)[shape.row[lane]] & shape.mask & LaneBits{1} << lane;
    }
    if (shape.last) inputs.active = instruction.threads;
  }
  const BranchMasksOutputs outcome = parts_.masks->decide(inputs);
  parts_.masks->commit();
  if (!shape.last) return;
  if (instruction.taken) branches_.push_back({subwarp.warp, subwarp.instruction, outcome});
  LargeWarp& warp = warps_[subwarp.warp];
  warp.in_flight = false;
  warp.from = now_ + 1 + instruction.misses;
}

}  // namespace paws::test
