// SPDX-License-Identifier: MIT
// Races of a launch on global memory (docs/guide/check.md, "Races in global memory").
//
// Blocks know of each other by atomics: a fence and then an atomic of one block publish what it did
// before the fence, and an atomic of another block acquires all that has been published. Which
// address the atomics are for is not asked.
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "sim/exec/block_observer.h"
#include "sim/exec/kernel_runner.h"
#include "sim/sanitize/finding_log.h"
#include "sim/sanitize/global_shadow.h"

namespace paws::sanitize {

/// What all blocks of a launch share.
class GlobalRaces {
 public:
  enum class Role : std::uint8_t { none, access, fence };

  /// `number`: of the launch, from 1.
  GlobalRaces(const KernelLaunch& launch, std::uint64_t number);

  [[nodiscard]] Role role(std::uint32_t pc) const { return roles_[pc]; }
  [[nodiscard]] GlobalShadow& shadow() { return shadow_; }
  /// The time of an access by which blocks know of each other; it goes on when another block has
  /// its turn.
  std::uint64_t turn(std::uint64_t block);
  /// A race of `by`, which writes or not, with what it has met.
  void note(GlobalSite by, bool writes, const Meeting& met, const DeviceMemory& memory);

  [[nodiscard]] const FindingLog& log() const { return log_; }

 private:
  struct Side {
    GlobalSite site;
    bool writes;
  };
  [[nodiscard]] exec::Dim3 block_of(GlobalSite site);
  [[nodiscard]] exec::Dim3 thread_of(GlobalSite site);
  [[nodiscard]] Finding describe(const Side& one, const Side& other, const Meeting& met,
                                 const DeviceMemory& memory);

  const ir::Kernel* kernel_;
  exec::LaunchShape shape_;
  std::uint64_t number_;
  std::vector<Role> roles_;  ///< by pc
  /// By pc: the first line of the PTX that comes from the same line of the source.
  std::vector<std::uint32_t> lines_;
  GlobalShadow shadow_;
  FindingLog log_;
  std::uint64_t time_ = 0;
  std::uint64_t turn_of_ = 0;
};

/// The blocks of one slot, one after the other.
class GlobalCheck {
 public:
  explicit GlobalCheck(GlobalRaces& launch) : launch_(launch) {}

  void started(std::uint64_t block);
  /// As those of BlockObserver; `clocks` are the block's.
  void executing(const exec::PendingInstruction& instruction, const BarrierClocks& clocks);
  void accessing(const exec::PendingInstruction& instruction, const BarrierClocks& clocks);

 private:
  /// When an access has issued.
  struct Issue {
    std::uint32_t period = 0;  ///< of the warp's clock
    std::uint32_t fences = 0;  ///< of the block until then
    bool operator==(const Issue&) const = default;
  };
  /// The stretch to which a warp adds.
  struct Current {
    std::uint32_t stretch = 0;
    Issue issue;
    std::uint64_t time = 0;
  };
  std::uint32_t stretch_of(unsigned warp, const Issue& issue);
  std::uint32_t strong_stretch(unsigned warp, const Issue& issue, std::uint64_t time);
  void publish(std::uint32_t fences, std::uint64_t time);

  GlobalRaces& launch_;
  std::uint64_t block_ = 0;
  std::uint32_t fences_ = 0;
  std::uint32_t published_ = 0;  ///< what issued before so many fences has been published
  std::uint64_t acquired_ = 0;
  std::deque<Issue> issues_;  ///< of accesses that have not happened
  std::array<Current, BarrierClocks::kWarps> weak_{}, strong_{};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> unpublished_;  ///< stretches, their fences
  std::vector<Meeting> met_;                                          ///< of one thread's access
};

}  // namespace paws::sanitize
