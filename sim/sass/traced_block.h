// SPDX-License-Identifier: MIT
// A block whose warps do what a trace says they did. It has no values: no memory, no registers.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/exec/barriers.h"
#include "sim/exec/resident_block.h"
#include "sim/sass/traced_launch.h"

namespace paws::sass {

/// Warps wait for each other at barriers as those of an executed block do; everything else is read
/// from the trace, so that they take the ways that they took when it was made.
class TracedBlock final : public exec::ResidentBlock {
 public:
  explicit TracedBlock(const TracedLaunch& launch);

  void start(std::uint64_t index) override;
  [[nodiscard]] std::uint64_t index() const override { return index_; }
  [[nodiscard]] exec::Dim3 coordinates() const override;
  [[nodiscard]] std::uint32_t pc(unsigned warp) const override;
  [[nodiscard]] bool done(unsigned warp) const override {
    return warps_[warp].next == warps_[warp].end;
  }
  [[nodiscard]] bool at_barrier(unsigned warp) const override { return barriers_.waiting(warp); }
  [[nodiscard]] std::uint64_t executed() const override { return executed_; }
  [[nodiscard]] bool next_ends_warp(unsigned warp) const override {
    return warps_[warp].next + 1 == warps_[warp].end;
  }
  void execute(unsigned warp, std::uint64_t clock, exec::Outcome& outcome,
               exec::DeferredAccesses* later) override;
  /// Traces have no barrier objects.
  void arrive(unsigned warp, const exec::LateArrival& arrival) override;

 private:
  struct Warp {
    std::uint64_t next = 0, end = 0;  ///< in TracedLaunch::steps()
  };

  const TracedLaunch& launch_;
  std::uint64_t index_ = 0;
  std::uint64_t executed_ = 0;
  std::vector<Warp> warps_;
  exec::Barriers barriers_;
};

}  // namespace paws::sass
