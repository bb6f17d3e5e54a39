// SPDX-License-Identifier: MIT
// The front end of a strict barrel core with large warps (docs/reference/microarchitecture.md,
// "Sub-warp packer"), around a scheduler, a packer and branch masks; no instruction is executed.
//
// A large warp that is selected in cycle t is decoded and cut into sub-warps in t+1 to t+n, one in
// a cycle, while the scheduler is not enabled but in the last of these. A sub-warp of cycle u is in
// the back end in u+1 to u+5. The large warp can be selected again in t+n+6. A sub-warp with m
// cache lines holds the third stage of the back end for m cycles; what is behind it stands still.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "model/branch_masks.h"
#include "model/scheduler.h"
#include "model/subwarp_packer.h"

namespace paws::test {

class BarrelHost {
 public:
  struct Instruction {
    LargeWarpMask threads{};
    PackMode mode = PackMode::packed;
    unsigned lines = 1;   ///< of each of its sub-warps
    unsigned misses = 0;  ///< cycles in which the large warp waits for memory at its end
    std::optional<LargeWarpMask> taken = std::nullopt;  ///< of a branch: threads that take it
  };
  using Program = std::vector<Instruction>;

  /// What happens in a run.
  struct Counts {
    std::uint64_t cycles = 0;  ///< up to the last one with a selection
    std::uint64_t selections = 0;
    std::uint64_t idle = 0;       ///< cycles of these in which the scheduler could have selected
    std::uint64_t stalled = 0;    ///< in which sub-warping or the back end kept it from it
    std::uint64_t subwarps = 0;   ///< taken by the back end
    std::uint64_t threads = 0;    ///< in these
    std::uint64_t frozen = 0;     ///< cycles in which the third stage holds the others
    std::uint64_t switches = 0;   ///< selections from another fetch group than the last one
    std::uint64_t premature = 0;  ///< of these, away from a group not all of whose warps miss
  };
  struct Selection {
    std::uint64_t cycle = 0;
    unsigned warp = 0;
    bool operator==(const Selection&) const = default;
  };
  /// A branch that is complete.
  struct Branch {
    unsigned warp = 0;
    std::size_t instruction = 0;
    BranchMasksOutputs outcome;
  };

  /// What makes the decisions.
  struct Parts {
    std::unique_ptr<Scheduler> scheduler;
    std::unique_ptr<SubwarpPacker> packer;
    std::unique_ptr<BranchMasks> masks;
  };

  /// One program for each large warp. The scheduler has at least as many slots; those that are left
  /// over stay free.
  BarrelHost(Parts parts, std::vector<Program> programs);

  /// Runs to the end of all programs.
  Counts run();
  /// Runs `cycles` cycles with programs that begin anew at their end, then counts `counted` more;
  /// `cycles` of what it returns are all of these.
  Counts run_for_ever(std::uint64_t cycles, std::uint64_t counted);
  /// Of the last run, in time order.
  [[nodiscard]] const std::vector<Selection>& selections() const { return selections_; }
  [[nodiscard]] const std::vector<Branch>& branches() const { return branches_; }

 private:
  static constexpr unsigned kStages = 5;       // of the back end
  static constexpr unsigned kMemoryStage = 2;  // the third one

  struct LargeWarp {
    std::size_t next = 0;    // instruction
    std::uint64_t from = 0;  // first cycle in which it can be selected
    bool misses = false;     // its last selected instruction, until it can be selected again
    bool in_flight = false;
    bool ended = false;  // its last instruction has been selected
  };
  struct Subwarp {
    unsigned warp = 0;
    std::size_t instruction = 0;
    SubwarpPackerOutputs shape;
    unsigned memory_cycles = 1;  // left in the third stage
  };
  /// What the pipeline register behind fetch holds, and what is being cut up.
  struct Decoded {
    unsigned warp = 0;
    std::size_t instruction = 0;
  };

  void start();
  void cycle();
  [[nodiscard]] bool frozen() const;
  SubwarpPackerOutputs decode(bool take);
  void select(bool enabled);
  void advance(std::optional<Subwarp> next);
  void complete(const Subwarp& subwarp);
  [[nodiscard]] const Instruction& at(unsigned warp, std::size_t instruction) const {
    return programs_[warp][instruction];
  }

  Parts parts_;
  unsigned group_;  // slots of a fetch group
  std::vector<Program> programs_;
  bool endless_ = false;
  std::vector<Selection> selections_;
  std::vector<Branch> branches_;

  std::uint64_t now_ = 0;
  std::vector<LargeWarp> warps_;
  std::optional<Decoded> fetched_;  // selected in the cycle before
  Decoded decoded_;                 // whose threads the packer has
  std::array<std::optional<Subwarp>, kStages> back_end_;
  std::optional<unsigned> last_group_;
  Counts counts_;
};

/// The parts that a test program is about, of the large warps of `packer`. Each program has its
/// own.
BarrelHost::Parts barrel_parts(const SchedulerConfig& scheduler, const SubwarpPackerConfig& packer);

}  // namespace paws::test
