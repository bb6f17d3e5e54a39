// SPDX-License-Identifier: MIT
// iPAWS: instruction-issue pattern-based adaptive warp scheduling, the published comparator.
#pragma once

#include <cstdint>
#include <vector>

#include "model/scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/core/policy_control.h"

namespace paws::adapt {

/// iPAWS (Lee et al., HPCA 2016), of each core by itself. A launch
/// begins under GTO and stays there until the core's first warp ends. A warp's score is its issues
/// and its cycles at barriers. If the mean score of the live warps, the ended one included, is
/// below half of the largest, the issue pattern is concave: GTO stays to the end of the launch.
///
/// Else the core recovers: of the warps that were live then and have issued less than the one that
/// had issued most, those with the fewest issues go first, until there are none such or
/// adapt.recover cycles have gone by. From then on, and of several warps while the core recovers,
/// RR decides. A two-level scheduler does not recover: its ready queue would stand still behind a
/// warp outside.
class Ipaws final : public core::PolicyControl {
 public:
  /// `recovers`: single level.
  Ipaws(const AdaptSettings& settings, bool recovers) : settings_(settings), recovers_(recovers) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void issued(unsigned scheduler, std::uint32_t warp, std::uint32_t block_slot) override;
  void decided(unsigned scheduler, const SchedulerInputs& inputs,
               const SchedulerOutputs& outputs) override;
  void warp_ended(std::uint32_t warp, std::uint32_t block_slot, bool last) override;
  void advance(std::uint64_t cycle) override;
  [[nodiscard]] SwitchedPolicy policy(unsigned /*scheduler*/) const override {
    return state_ == State::adapting || state_ == State::concave ? SwitchedPolicy::gto
                                                                 : SwitchedPolicy::rr;
  }
  [[nodiscard]] WarpMask admit(unsigned scheduler, WarpMask issuable) const override;
  [[nodiscard]] std::uint64_t next_change(std::uint64_t /*cycle*/) const override {
    return state_ == State::recovering ? recovered_ : UINT64_MAX;
  }
  void end(std::uint64_t cycle, AdaptCounts& counts) override;

 private:
  enum class State : std::uint8_t { adapting, concave, recovering, round_robin };

  struct Warp {
    bool live = false;
    bool behind = false;  ///< of those that recover
    std::uint64_t issues = 0;
    std::uint64_t waited = 0;  ///< cycles at barriers
  };

  void judge(std::uint64_t cycle);
  void stop_recovering(std::uint64_t cycle);

  AdaptSettings settings_;
  bool recovers_;
  const core::Core* core_ = nullptr;
  std::vector<Warp> warps_;  ///< by warp slot
  State state_ = State::adapting;
  bool ended_ = false;           ///< the first warp has
  unsigned behind_ = 0;          ///< warps that are
  std::uint64_t most_ = 0;       ///< issues that they come up to
  std::uint64_t counted_ = 0;    ///< cycles at barriers before this one are counted
  std::uint64_t began_ = 0;      ///< recovering
  std::uint64_t recovered_ = 0;  ///< the latest end of it
  AdaptCounts counts_;
};

}  // namespace paws::adapt
