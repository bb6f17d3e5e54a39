// SPDX-License-Identifier: MIT
// A barrel core whose warps have one row of 32 threads or several: large warps (Narasiman et al.,
// MICRO 2011, section 3.1). A large warp has one pc, one stack and one mask; each of its threads
// stays in its column, which is a lane. In decode the threads on its path are cut into sub-warps of
// at most one thread per lane.
//
// A large warp that is selected in cycle t and gives n sub-warps is in decode in t + 1 to t + n. In
// the last of these cycles the next one can be selected. Its sub-warp i leaves the back end i - 1
// cycles after the first one, and it can be selected again from t + n + core.pipeline_stages - 1
// on: then the last sub-warp has left, and its stack and pc are known. A frozen back end delays all
// of this. A large warp that has missed the cache can be selected from the cycle after that of its
// last line.
//
// Three engines decide: the scheduler, whose warp slots are large warps, the packer of sub-warps
// (model/subwarp_packer.h), and the branch masks (model/branch_masks.h), whose outcome of a branch
// is compared with that of the execution.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/branch_masks.h"
#include "model/scheduler.h"
#include "model/subwarp_packer.h"
#include "sim/config/gpu_config.h"
#include "sim/core/barrel_core.h"
#include "sim/exec/resident_large_block.h"

namespace paws::core {

using SubwarpPackerFactory =
    std::function<std::unique_ptr<SubwarpPacker>(const SubwarpPackerConfig& config)>;
using BranchMasksFactory =
    std::function<std::unique_ptr<BranchMasks>(const BranchMasksConfig& config)>;

/// What makes the engines of a core.
struct LargeWarpEngines {
  SchedulerFactory scheduler;
  SubwarpPackerFactory packer;
  BranchMasksFactory masks;
};

class LargeWarpCore final : public BarrelCore {
 public:
  /// `observer` may be null. The blocks that RunningKernel::make_block gives it are
  /// exec::ResidentLargeBlock.
  LargeWarpCore(const GpuConfig& config, const SchedulerConfig& scheduler,
                const LargeWarpEngines& engines, std::uint32_t number, memory::Port& crossbar,
                std::unique_ptr<CoreObserver> observer = {});

  [[nodiscard]] WarpView view(std::uint32_t warp) const override;
  [[nodiscard]] std::optional<std::string> stuck_warp() const override;

 private:
  /// Of a warp slot; its place is its slot of the scheduler.
  struct LargeWarp {
    bool in_pipeline = false;     ///< selected, and not to be selected again yet
    bool barred = false;          ///< stands at a barrier
    bool fence = false;           ///< its last instruction is a fence
    bool waits_for_line = false;  ///< of the instruction cache
    bool fetched = false;         ///< the line for which it waited has come
    bool accessing = false;       ///< its memory instruction is over but for its lines
  };
  /// An instruction from its selection until its last sub-warp leaves the back end.
  struct InFlight {
    std::uint32_t warp = 0;
    std::uint32_t block_slot = 0;
    bool memory = false;
    bool early = false;          ///< its warp may be selected again after the first sub-warp
    bool ends = false;           ///< its warp has ended
    bool branch = false;         ///< a guarded one: the branch masks gather its outcome
    std::uint32_t released = 0;  ///< LargeOutcome::released
    LargeWarpMask path{};        ///< with `branch`, as `taken`
    LargeWarpMask taken{};
  };

  void begin_front() override;
  void block_started(const BlockTable::Slot& slot) override;
  void block_ended(const BlockTable::Slot& slot) override;
  bool decode(bool frozen) override;
  [[nodiscard]] bool forming() const override { return forming_; }
  void decide(std::uint64_t cycle, bool enabled, SchedulerState state) override;
  void select(std::uint64_t cycle) override;
  void leave(const SubWarp& sub_warp) override;
  void line_came(std::uint32_t warp) override;
  void wait_begun(std::uint32_t warp) override;
  void wait_ended(std::uint32_t warp) override;
  [[nodiscard]] bool active() const override;
  [[nodiscard]] SchedulerState idle_state() const override;
  [[nodiscard]] bool held() const override { return barred_ == live_; }

  /// The warp's turn: fetches its next instruction and executes it.
  void issue(std::uint64_t cycle, std::uint32_t warp);
  void execute(std::uint64_t cycle, std::uint32_t warp);
  /// Counts the instruction, which leaves `depth` paths on the stack.
  void count(Launch& launch, std::size_t depth);
  void count_switch(std::uint32_t warp);
  [[nodiscard]] PackMode mode_of(const ir::Instruction& instruction) const;
  /// The branch's sub-warp has its outcome.
  void gather_branch(const InFlight& branch, const SubWarp& sub_warp);
  /// All sub-warps of the instruction have left.
  void complete(InFlight& instruction);
  /// The warp can be selected from the next cycle on, if nothing speaks against it.
  void wake(std::uint32_t warp);
  /// What the scheduler sees of the warp's waits.
  void update_waits(std::uint32_t warp);
  [[nodiscard]] static exec::ResidentLargeBlock& resident(const BlockTable::Warp& warp) {
    return static_cast<exec::ResidentLargeBlock&>(*warp.block);
  }

  SchedulerConfig scheduler_config_;
  std::unique_ptr<Scheduler> scheduler_;
  std::unique_ptr<SubwarpPacker> packer_;
  std::unique_ptr<BranchMasks> masks_;
  SchedulerInputs inputs_;
  SchedulerOutputs outputs_;
  bool changed_ = false;                        ///< inputs that do not change by themselves
  std::deque<std::uint32_t> launches_waiting_;  ///< warp slots
  std::vector<LargeWarp> warps_;
  WarpMask live_ = 0;
  WarpMask barred_ = 0;      ///< LargeWarp::barred
  WarpMask selectable_ = 0;  ///< in this cycle
  WarpMask ready_ = 0;       ///< from the next cycle on
  WarpMask ending_ = 0;      ///< of the selectable ones, those that the next instruction ends
  unsigned line_waits_ = 0;  ///< warps with waits_for_line
  std::optional<std::uint32_t> last_selected_;
  std::vector<InFlight> in_flight_;  ///< in turn
  std::uint64_t instructions_ = 0;   ///< so far: the next one's place in in_flight_
  // In decode: the instruction selected last.
  SubwarpPackerInputs packer_inputs_;
  bool loaded_ = false;   ///< it comes to decode in the next cycle
  bool forming_ = false;  ///< sub-warps are left
  bool first_ = false;    ///< none of its sub-warps has left decode
  exec::LargeOutcome outcome_;
  const ir::Instruction* instruction_ = nullptr;
  bool bypass_l1_ = false;
  std::uint64_t threads_ = 0;  ///< on its path
  exec::Outcome part_;         ///< of a sub-warp
  BranchMasksInputs masks_inputs_;
};

}  // namespace paws::core
