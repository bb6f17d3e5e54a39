// SPDX-License-Identifier: MIT
// A block that tells a listener what it executes.
#pragma once

#include <memory>
#include <utility>

#include "sim/exec/execution_listener.h"
#include "sim/exec/resident_block.h"

namespace paws::exec {

class ListenedBlock final : public ResidentBlock {
 public:
  /// `warps`: of the block.
  ListenedBlock(std::unique_ptr<ResidentBlock> block, unsigned warps,
                std::unique_ptr<ExecutionListener> listener)
      : block_(std::move(block)), listener_(std::move(listener)), warps_(warps) {}

  void start(std::uint64_t index) override {
    block_->start(index);
    running_ = warps_;
    listener_->started(index);
  }
  [[nodiscard]] std::uint64_t index() const override { return block_->index(); }
  [[nodiscard]] Dim3 coordinates() const override { return block_->coordinates(); }
  [[nodiscard]] std::uint32_t pc(unsigned warp) const override { return block_->pc(warp); }
  [[nodiscard]] bool done(unsigned warp) const override { return block_->done(warp); }
  [[nodiscard]] bool at_barrier(unsigned warp) const override { return block_->at_barrier(warp); }
  [[nodiscard]] std::string endless(unsigned warp) const override { return block_->endless(warp); }
  [[nodiscard]] std::uint64_t executed() const override { return block_->executed(); }
  [[nodiscard]] bool next_ends_warp(unsigned warp) const override {
    return block_->next_ends_warp(warp);
  }
  void execute(unsigned warp, std::uint64_t clock, Outcome& outcome,
               DeferredAccesses* later) override {
    const std::uint32_t pc = block_->pc(warp);
    block_->execute(warp, clock, outcome, later);
    listener_->executed(warp, pc, outcome);
    if (outcome.done && --running_ == 0) listener_->ended();
  }
  void arrive(unsigned warp, const LateArrival& arrival) override { block_->arrive(warp, arrival); }

 private:
  std::unique_ptr<ResidentBlock> block_;
  std::unique_ptr<ExecutionListener> listener_;
  unsigned warps_;
  unsigned running_ = 0;  ///< warps that have not ended
};

}  // namespace paws::exec
