// SPDX-License-Identifier: MIT
// A barrel core whose warps are formed anew from instruction to instruction, by dynamic warp
// formation. The key core.divergence says with which priority.
//
// A warp that is selected in cycle t is one sub-warp: it leaves the former, is in decode in t + 1
// and leaves the back end in t + core.pipeline_stages - 1. In the next cycle its threads are in the
// former again and can be selected; those of a warp that has missed the cache, in the cycle after
// that of its last line. While it is away, no thread can join it. A warp whose instruction is not
// in the instruction cache is away until the line comes.
//
// Threads of several blocks can be in one warp. It is executed block by block; its accesses to
// memory are those of one warp.
//
// A fence waits for all stores of the core that were selected before it: warps do not last, so
// nobody knows whose they are.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/core/barrel_core.h"
#include "sim/core/dynamic_warp_formation.h"
#include "sim/exec/resident_formed_block.h"

namespace paws::core {

class FormedWarpCore final : public BarrelCore {
 public:
  /// The blocks that RunningKernel::make_block gives it are exec::ResidentFormedBlock.
  FormedWarpCore(const GpuConfig& config, std::uint32_t number, memory::Port& crossbar);

  void begin(const RunningKernels& running, std::uint64_t cycle) override;
  /// Of a row of 32 threads; its pc is void.
  [[nodiscard]] WarpView view(std::uint32_t row) const override;
  [[nodiscard]] std::optional<std::string> stuck_warp() const override;

 private:
  /// A warp from its selection until its threads are in the former again and its stores have been
  /// acknowledged; its index is who waits for memory and for instructions.
  struct Flight {
    FormedWarp warp;
    std::uint64_t sequence = 0;  ///< instructions executed before it
    bool executed = false;       ///< else it waits for its instruction
    bool memory = false;
    bool fence = false;
    bool left = false;      ///< the back end
    bool returned = false;  ///< its threads are in the former again
    DynamicWarpFormation::NextPcs next{};
    LaneBits ended = 0;
    LaneBits held = 0;  ///< at a barrier
    /// Threads that it lets go on from a barrier, by block slot.
    std::vector<std::pair<std::uint32_t, LargeWarpMask>> released;
    std::vector<std::uint32_t> rows;  ///< of the core, one of each block, that it holds
  };
  /// The threads of one block.
  struct Part {
    std::uint32_t block_slot = 0;
    std::uint32_t row = 0;  ///< of the core: one of them
    exec::FormedWarp threads;
  };

  void begin_front() override;
  void block_started(const BlockTable::Slot& slot) override { starting_.push_back(&slot); }
  void block_ended(const BlockTable::Slot& slot) override;
  bool decode(bool frozen) override;
  [[nodiscard]] bool forming() const override { return false; }
  void decide(std::uint64_t cycle, bool enabled, SchedulerState state) override;
  void select(std::uint64_t cycle) override;
  void leave(const SubWarp& sub_warp) override;
  void line_came(std::uint32_t flight) override;
  void wait_begun(std::uint32_t /*flight*/) override {}
  void wait_ended(std::uint32_t flight) override;
  [[nodiscard]] bool active() const override {
    return !former_.empty() || loaded_ || !returning_.empty() || !starting_.empty();
  }
  [[nodiscard]] SchedulerState idle_state() const override;
  [[nodiscard]] bool held() const override { return former_.empty() && away_ == 0; }

  void issue(std::uint64_t cycle);
  void execute(std::uint64_t cycle, std::uint32_t flight);
  /// Cuts the warp into parts_, by block slot.
  void cut(const FormedWarp& warp);
  /// Adds what a part did to the outcome of the warp.
  void add_outcome(const Part& part, Flight& flight);
  /// Rows of which the part has ended the last thread are no longer live.
  void end_rows(const Part& part, std::uint64_t cycle);
  void count(const Flight& flight);
  /// The threads of the flight can be in the former again after this cycle, if nothing is waited
  /// for.
  void try_return(std::uint32_t flight);
  [[nodiscard]] bool waits_for_stores(const Flight& fence) const;
  void return_threads(std::uint32_t flight);
  [[nodiscard]] std::uint32_t take_flight(const FormedWarp& warp);
  /// Ends the flight if nothing is under way any more.
  void try_end(std::uint32_t flight);
  [[nodiscard]] const BlockTable::Warp& first_of(const FormedWarp& warp) const;
  [[nodiscard]] static exec::ResidentFormedBlock& resident(const BlockTable::Slot& slot) {
    return static_cast<exec::ResidentFormedBlock&>(*slot.block);
  }

  DynamicWarpFormation former_;
  std::vector<const BlockTable::Slot*> starting_;  ///< blocks whose threads start after this cycle
  std::vector<Flight> flights_;
  std::vector<std::uint32_t> free_flights_;
  std::vector<std::uint32_t> returning_;  ///< flights whose threads return after this cycle
  std::vector<std::uint32_t> fences_;     ///< flights that have left and wait for stores
  std::uint64_t executed_ = 0;            ///< instructions
  unsigned away_ = 0;                     ///< flights whose threads are not in the former
  unsigned line_waits_ = 0;               ///< flights that wait for their instruction
  bool selects_ = false;                  ///< in this cycle
  // The instruction selected last, which comes to decode in the next cycle if it is loaded_.
  bool loaded_ = false;
  std::uint32_t flight_ = 0;
  const ir::Instruction* instruction_ = nullptr;
  bool bypass_l1_ = false;
  exec::Outcome outcome_;  ///< of the whole warp
  bool branch_ = false;
  std::vector<Part> parts_;
  exec::FormedOutcome part_outcome_;
};

}  // namespace paws::core
