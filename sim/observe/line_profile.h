// SPDX-License-Identifier: MIT
// A profile by line: what each instruction of each kernel has cost.
//
// A live warp either issues in a core cycle or waits for one reason. Waits count at the instruction
// that the warp goes on to issue, those at a barrier at the barrier itself. So issues are the warp
// instructions of a run, and issues and waits together its warp cycles (CoreStatistics); both are
// checked at the end of every launch (check_profile() in sim/stats/conservation.h).
//
// No warp is looked at while it goes on waiting for the same reason: the core tells when a warp
// stands otherwise (CoreObserver::moved()), and a wait is counted when it ends. What cannot be told
// so, whether a warp that could issue is selected, is counted for all warps of a scheduler at once.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sim/core/observer.h"
#include "sim/core/running_kernels.h"
#include "sim/core/timed_kernel.h"
#include "sim/ir/operations.h"

namespace paws::observe {

/// Why a live warp does not issue in a cycle. From `unit` on its next instruction is decoded and
/// has its operands.
enum class Wait : std::uint8_t {
  instruction,   ///< the next instruction is not in the i-buffer: fetch, or a branch not resolved
  barrier,       ///< the warp stands at a barrier
  memory,        ///< an operand of a long-latency operation, a copy, or stores before a fence
  arithmetic,    ///< an operand of anything else
  unit,          ///< the unit is busy or another scheduler's, or a throttle holds the warp back
  disabled,      ///< the scheduler is not enabled in the cycle (core.issue_interval)
  not_selected,  ///< another warp was issued
  outside        ///< it could issue, but is not in the ready queue of its two-level scheduler
};
inline constexpr unsigned kWaits = 8;

struct LineCounts {
  std::uint64_t issues = 0;                   ///< warp instructions
  std::array<std::uint64_t, kWaits> waits{};  ///< warp cycles
  std::uint64_t path_threads = 0;             ///< lanes on the SIMT path, summed over issues
  std::uint64_t thread_instructions = 0;      ///< of these, lanes that passed the guard
  std::uint64_t l1_accesses = 0;              ///< transactions looked up in L1 or texture cache
  std::uint64_t l1_misses = 0;                ///< of these, sent to the L2 or allocated
  std::uint64_t shared_accesses = 0;          ///< warp instructions that access shared memory
  std::uint64_t shared_conflict_cycles = 0;   ///< further passes because of bank conflicts

  LineCounts& operator+=(const LineCounts& other);
  bool operator==(const LineCounts&) const = default;
  /// Warp cycles without an issue, of all reasons.
  [[nodiscard]] std::uint64_t waited() const;
  [[nodiscard]] std::uint64_t warp_cycles() const { return issues + waited(); }
  [[nodiscard]] std::uint64_t waited_for(Wait reason) const {
    return waits[static_cast<std::size_t>(reason)];
  }
};

struct ProfiledInstruction {
  std::string text;               ///< one line, close to PTX
  std::uint32_t line = 0;         ///< in the PTX file
  std::string source_file;        ///< as .file writes it; empty: unknown
  std::uint32_t source_line = 0;  ///< 0: unknown
  LineCounts counts;
  core::Unit unit = core::Unit::alu;
  std::uint32_t interval = 0;  ///< core cycles for which an issue keeps the unit busy

  bool operator==(const ProfiledInstruction&) const = default;
};

struct ProfiledKernel {
  std::string name;
  std::string file;                       ///< PTX file
  std::vector<ProfiledInstruction> code;  ///< by pc

  bool operator==(const ProfiledKernel&) const = default;
};

/// Kernels in the order of their first launch.
struct Profile {
  std::vector<ProfiledKernel> kernels;

  bool operator==(const Profile&) const = default;
  [[nodiscard]] LineCounts total() const;
};

/// The kernels that have been launched, with a number each. Any thread may call it.
class KernelTable {
 public:
  /// The numbers of the launches' kernels. Kernels with the same name, file and code are one.
  [[nodiscard]] std::vector<std::size_t> numbers(const core::RunningKernels& running);
  /// Without counts.
  [[nodiscard]] const std::vector<ProfiledKernel>& kernels() const { return kernels_; }

 private:
  [[nodiscard]] std::size_t number(const core::TimedKernel& timed);

  std::mutex mutex_;
  std::vector<ProfiledKernel> kernels_;
  std::vector<std::vector<ir::Op>> operations_;  ///< of each, by pc
};

/// The counts of every core; lives longer than the Gpu that it watches.
class LineProfile {
 public:
  /// Of one core: by kernel and pc.
  using CoreCounts = std::vector<std::vector<LineCounts>>;

  explicit LineProfile(std::uint32_t cores) : cores_(cores) {}

  /// The observer of a core, which must not be a barrel. It adds to that core's counts at the end
  /// of every launch, and throws std::logic_error there if they are not what the core has counted.
  [[nodiscard]] std::unique_ptr<core::CoreObserver> observer(std::uint32_t core);

  /// Summed over the cores, of launches that have ended.
  [[nodiscard]] Profile total() const;

 private:
  KernelTable kernels_;
  std::vector<CoreCounts> cores_;
};

}  // namespace paws::observe
