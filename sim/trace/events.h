// SPDX-License-Identifier: MIT
// What happens on one core, as traces see it: the scheduler's ports and the warps' levels of every
// stepped cycle, skipped stretches, and kernel launches. Recorded from a running core or read from
// a decision trace, the events are the same.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/scheduler.h"
#include "sim/stats/core_statistics.h"

namespace paws::trace {

/// What a trace tells of a kernel.
struct KernelInfo {
  struct Instruction {
    std::uint32_t line = 0;   ///< in the PTX file
    std::uint32_t phase = 0;  ///< index into phases
    std::string text;
  };
  struct Phase {
    std::uint32_t first = 0, last = 0;  ///< pcs, inclusive
    std::uint32_t length = 0;           ///< cycles
  };
  std::string name;
  std::string file;
  std::vector<Instruction> code;
  std::vector<Phase> phases;
};

struct LaunchInfo {
  std::shared_ptr<const KernelInfo> kernel;
  std::uint32_t number = 0;  ///< of the run's launches, from 0
  std::uint64_t cycle = 0;   ///< first cycle
};

/// The warps behind one scheduler; masks and arrays are by its own slots. What belongs to a slot
/// that is not live is zero.
struct WarpLevels {
  WarpMask live = 0;        ///< launched on the scheduler and not ended
  WarpMask at_barrier = 0;  ///< stands at a barrier
  WarpMask decoded = 0;     ///< the next instruction is in the i-buffer, no barrier holds the warp
  WarpMask clear = 0;       ///< decoded, and its operands are there
  std::array<std::uint32_t, kMaxWarps> pc{};        ///< next instruction
  std::array<std::uint64_t, kMaxWarps> block{};     ///< linear index in the grid
  std::array<std::uint32_t, kMaxWarps> in_block{};  ///< warp number within the block
  /// Results, fetches and branches under way; only where the trace has the detail.
  std::array<std::uint32_t, kMaxWarps> in_flight{};

  bool operator==(const WarpLevels&) const = default;
};

/// One scheduler in one stepped cycle.
struct SchedulerStep {
  SchedulerInputs inputs;
  SchedulerOutputs outputs;
  SchedulerState state = SchedulerState::no_instruction;
  WarpLevels warps;
};

/// One stepped cycle of a core.
struct CoreStep {
  std::uint64_t cycle = 0;
  std::vector<SchedulerStep> schedulers;
};

/// Takes the events of one core, in order, without a cycle missing between begin() and end(). The
/// end() of a launch that failed is not called.
class Sink {
 public:
  virtual ~Sink() = default;
  /// A launch: every scheduler is reset.
  virtual void begin(const LaunchInfo& launch) = 0;
  virtual void step(const CoreStep& step) = 0;
  /// Cycles [from, to) are as the last one stepped, issue_en aside; before the first one of a
  /// launch, as after reset: quiet, all inputs zero. Two stretches never meet.
  virtual void skipped(std::uint64_t from, std::uint64_t to) = 0;
  /// The launch has ended; `cycle` is the first one after it.
  virtual void end(std::uint64_t cycle) = 0;
};

/// What a run was, for every trace made of it.
struct RunInfo {
  std::string workload;
  std::string gpu;
  std::vector<std::string> settings;  ///< key=value, changes to the GPU configuration
  std::string engine;
  std::uint64_t seed = 0;
  std::map<std::string, std::string> made_by;  ///< by name; of an older trace empty
  SchedulerConfig scheduler;
  unsigned cores = 0;           ///< of the GPU
  unsigned schedulers = 0;      ///< of a core
  unsigned issue_interval = 1;  ///< scheduler s is enabled in cycles that are s modulo this
  /// In-flight counts are recorded (WarpLevels::in_flight).
  bool detail = false;
};

}  // namespace paws::trace
