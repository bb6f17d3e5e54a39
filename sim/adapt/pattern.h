// SPDX-License-Identifier: MIT
// A policy chosen by the patterns in which warps wait: every scheduler decides for itself.
#pragma once

#include <cstdint>
#include <vector>

#include "model/scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/core/policy_control.h"

namespace paws::adapt {

/// A launch begins under GTO. As its first block on the core ends, the issues of the blocks are
/// compared: if the mean of a block is below half of the most, few warps do all the work, and GTO
/// stays to the end of the launch. Else the first policy is taken, and from then on events move the
/// balance of a scheduler, -64 to 63, in its enabled cycles:
///
/// * starved, +1: a warp issues, fewer than a quarter of the live warps have a long operation
///   outstanding, and another one that can issue has a key of at most half of the issuer's
/// * convoy, -1: no warp can issue, and three quarters of the live warps or more have one
///   outstanding
///
/// At the end of an epoch a balance above adapt.threshold means RR, one below its negative GTO, and
/// the balance is halved towards 0.
///
/// A guard watches every change: when the issues of two epochs in succession are below the old
/// policy's mean by more than 1 in adapt.loss, the change is taken back, and the scheduler keeps
/// its policy for adapt.lockout epochs, the next time for twice as many. An epoch that ends without
/// a live warp does not count.
class Pattern final : public core::PolicyControl {
 public:
  static constexpr int kBalanceMost = 63;
  static constexpr int kBalanceLeast = -64;

  /// `swapped`: control experiment, starved and convoy change places.
  Pattern(const AdaptSettings& settings, SwitchedPolicy first, bool swapped)
      : settings_(settings), first_(first), swapped_(swapped) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void block_started(std::uint32_t block_slot) override;
  void decided(unsigned scheduler, const SchedulerInputs& inputs,
               const SchedulerOutputs& outputs) override;
  void skipped(unsigned scheduler, std::uint64_t cycles) override;
  void issued(unsigned scheduler, std::uint32_t warp, std::uint32_t block_slot) override;
  void warp_ended(std::uint32_t warp, std::uint32_t block_slot, bool last) override;
  void advance(std::uint64_t cycle) override;
  [[nodiscard]] SwitchedPolicy policy(unsigned scheduler) const override {
    return schedulers_[scheduler].policy;
  }
  [[nodiscard]] std::uint64_t next_change(std::uint64_t /*cycle*/) const override {
    return epoch_end_;
  }
  void end(std::uint64_t cycle, AdaptCounts& counts) override;

  [[nodiscard]] int balance(unsigned scheduler) const { return schedulers_[scheduler].balance; }

 private:
  /// Sixteenths of an issue, as a mean is kept.
  static constexpr unsigned kFraction = 16;

  /// A warp scheduler.
  struct State {
    SwitchedPolicy policy = SwitchedPolicy::gto;
    WarpMask live = 0;
    int balance = 0;
    bool convoy = false;       ///< as the last decision left it
    std::uint64_t issues = 0;  ///< in the present epoch
    std::uint64_t mean = 0;    ///< of an epoch of the present policy, in sixteenths; 0: unknown
    std::uint64_t before = 0;  ///< that of the policy before; 0: nothing to be guarded
    unsigned losses = 0;       ///< epochs in succession that lost
    unsigned locked = 0;       ///< epochs for which the policy stays
    unsigned next_lock = 0;    ///< epochs of the next lock
  };

  void add(State& state, int events) const;
  void end_epoch(State& state);
  /// Whether the change to the present policy is taken back.
  bool guard(State& state);
  void change(State& state, SwitchedPolicy policy);
  /// The first block has ended.
  void judge();

  AdaptSettings settings_;
  SwitchedPolicy first_;
  bool swapped_;
  unsigned ports_ = 1;
  std::vector<State> schedulers_;
  std::vector<std::uint64_t> block_issues_;  ///< by block slot
  std::vector<bool> resident_;               ///< by block slot, since the launch began
  bool monitoring_ = false;                  ///< no block has ended
  bool judged_ = false;                      ///< one has, and the next cycle acts on it
  bool fixed_ = false;                       ///< GTO to the end of the launch
  std::uint64_t epoch_end_ = 0;
  AdaptCounts counts_;
};

}  // namespace paws::adapt
