// SPDX-License-Identifier: MIT
// A block without values: every warp follows a script of program counters, lanes and addresses, as
// a recorded trace would give them.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/exec/resident_block.h"

namespace paws::core {

/// One warp instruction of a script.
struct ScriptStep {
  std::uint32_t pc = 0;
  exec::LaneMask lanes = 0xffff'ffff;
  std::uint64_t address = 0;  ///< of lane 0; the others follow at 4 bytes each. 0: no access
  bool barrier = false;       ///< the warp stands until all warps that have not ended have come
};

/// Where a scripted instruction has been issued.
struct ScriptIssue {
  std::uint64_t block = 0;
  unsigned warp = 0;
  std::uint32_t pc = 0;
  std::uint64_t cycle = 0;

  bool operator==(const ScriptIssue&) const = default;
};

/// Every block of the grid runs `scripts`, one per warp; the last step ends the warp.
class ScriptedBlock final : public exec::ResidentBlock {
 public:
  using Scripts = std::vector<std::vector<ScriptStep>>;

  ScriptedBlock(Scripts scripts, std::vector<ScriptIssue>& issues)
      : scripts_(std::move(scripts)), issues_(issues), warps_(scripts_.size()) {}

  void start(std::uint64_t index) override {
    index_ = index;
    executed_ = 0;
    warps_.assign(scripts_.size(), {});
  }
  [[nodiscard]] std::uint64_t index() const override { return index_; }
  [[nodiscard]] exec::Dim3 coordinates() const override {
    return {static_cast<std::uint32_t>(index_), 0, 0};
  }
  [[nodiscard]] std::uint32_t pc(unsigned warp) const override {
    return done(warp) ? 0 : scripts_[warp][warps_[warp].next].pc;
  }
  [[nodiscard]] bool done(unsigned warp) const override {
    return warps_[warp].next == scripts_[warp].size();
  }
  [[nodiscard]] bool at_barrier(unsigned warp) const override { return warps_[warp].waits; }
  [[nodiscard]] bool next_ends_warp(unsigned warp) const override {
    return warps_[warp].next + 1 == scripts_[warp].size();
  }
  void execute(unsigned warp, std::uint64_t clock, exec::Outcome& outcome,
               exec::DeferredAccesses* /*later*/) override {
    const ScriptStep& step = scripts_[warp][warps_[warp].next++];
    issues_.push_back({index_, warp, step.pc, clock});
    ++executed_;
    outcome.active = outcome.path = step.lanes;
    outcome.memory = step.address != 0;
    outcome.store = false;
    outcome.done = done(warp);
    outcome.barrier = step.barrier;
    outcome.space = outcome.memory ? ir::Space::global : ir::Space::none;
    outcome.bytes = 4;
    outcome.released = 0;
    for (unsigned lane = 0; outcome.memory && lane < ir::kWarpSize; ++lane) {
      outcome.addresses[lane] = step.address + 4 * std::uint64_t{lane};
    }
    warps_[warp].waits = step.barrier;
    if (step.barrier || outcome.done) outcome.released = complete_barrier();
    outcome.pc = pc(warp);
    outcome.at_barrier = at_barrier(warp);
  }
  void arrive(unsigned /*warp*/, const exec::LateArrival& /*arrival*/) override {}
  [[nodiscard]] std::uint64_t executed() const override { return executed_; }

 private:
  struct Warp {
    std::size_t next = 0;
    bool waits = false;
  };

  /// Lets all warps go on when every one that has not ended waits.
  std::uint32_t complete_barrier() {
    std::uint32_t waiting = 0;
    for (unsigned warp = 0; warp < warps_.size(); ++warp) {
      if (!warps_[warp].waits && !done(warp)) return 0;
      if (warps_[warp].waits) waiting |= 1U << warp;
    }
    for (Warp& warp : warps_) warp.waits = false;
    return waiting;
  }

  Scripts scripts_;
  std::vector<ScriptIssue>& issues_;
  std::vector<Warp> warps_;
  std::uint64_t index_ = 0;
  std::uint64_t executed_ = 0;
};

}  // namespace paws::core
