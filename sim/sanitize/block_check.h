// SPDX-License-Identifier: MIT
// Checks what the blocks of one slot do, instruction by instruction (docs/guide/check.md).
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "sim/exec/block_observer.h"
#include "sim/exec/kernel_runner.h"
#include "sim/sanitize/barrier_clocks.h"
#include "sim/sanitize/barrier_rules.h"
#include "sim/sanitize/finding_log.h"
#include "sim/sanitize/global_check.h"
#include "sim/sanitize/shared_shadow.h"

namespace paws::sanitize {

/// What the checks of all slots share during one launch.
struct Session {
  /// What an instruction is checked for.
  enum class Concern : std::uint8_t { none, access, division, shuffle, barrier, end };

  Session(const KernelLaunch& launch, std::uint64_t number);

  const ir::Kernel* kernel;
  exec::Dim3 block_shape;
  std::uint64_t launch;  ///< number of the launch, from 1
  std::uint64_t shared_bytes;
  unsigned cell_bytes;            ///< of the narrowest access to what may be shared memory
  std::vector<Concern> concerns;  ///< by pc
  std::deque<FindingLog> logs;    ///< of each slot
  GlobalRaces races;
};

class BlockCheck : public exec::BlockObserver {
 public:
  explicit BlockCheck(std::shared_ptr<Session> session);

  void started(const exec::Dim3& block, std::uint64_t index) override;
  void executing(const exec::PendingInstruction& instruction) override;
  void accessing(const exec::PendingInstruction& instruction) override;
  void arriving(const ir::Instruction& in, const exec::LateArrival& arrival,
                const std::byte* shared) override;
  void released(exec::BlockWarpMask warps) override;

 private:
  void check_access(const exec::PendingInstruction& instruction);
  /// What an operation on barrier objects puts in order.
  void follow_objects(const exec::PendingInstruction& instruction);
  void check_division(const exec::PendingInstruction& instruction);
  void check_shuffles(const exec::PendingInstruction& instruction);
  void check_barrier(const exec::PendingInstruction& instruction);
  void check_end(const exec::PendingInstruction& instruction);
  void describe_race(Finding& finding, const std::string& what, const Encounter& met) const;
  void note(const Divergence& divergence);
  /// Notes `count` occurrences; `describe(finding)` fills in the cause of one to be kept.
  template <typename Describe>
  void note(Kind kind, std::uint32_t pc, std::uint64_t count, unsigned warp, unsigned lane,
            Describe describe);

  [[nodiscard]] exec::Dim3 thread(unsigned warp, unsigned lane) const;
  [[nodiscard]] exec::LaneMask lanes_of(unsigned warp) const;

  std::shared_ptr<Session> session_;
  FindingLog& log_;
  exec::Dim3 block_;
  std::uint64_t index_ = 0;
  SharedShadow shadow_;
  BarrierClocks clocks_;
  BarrierRules barriers_;
  GlobalCheck global_;
};

}  // namespace paws::sanitize
