// SPDX-License-Identifier: MIT
// Sequential CTA-aware scheduling, which sca and sca_keep have in common (SCA; Lee et al., HPCA
// 2014, section 4.2): "scheduled in a round-robin manner between two warps of neighboring thread
// blocks or within a block [...] until one of the two warps stall. Then, the next group of warps
// within the same block is scheduled."
//
// A group is the live warps of one row of a pair of blocks: at most one first and one second
// member. Its members issue in turn. A warp has stalled if it cannot issue in the cycle.
#pragma once

#include <cstdint>
#include <optional>

#include "model/single_level/single_level_scheduler.h"

namespace paws {

class SequentialCtaAware final : public SingleLevelScheduler {
 public:
  enum class Leave : std::uint8_t {
    on_stall,       ///< the group is left when the warp whose turn it is stalls
    on_both_stalls  ///< its partner goes on while it can
  };
  SequentialCtaAware(const SchedulerConfig& config, Leave leave)
      : SingleLevelScheduler(config), leave_(leave) {}

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override;
  void on_issue(const Issue& issue) override;
  void on_reset() override { turn_.reset(); }
  [[nodiscard]] std::optional<GroupTurn> group() const override { return turn_; }

 private:
  /// The warps of `among` in row `row` of pair `pair`.
  [[nodiscard]] WarpMask members(WarpMask among, unsigned pair, unsigned row) const;
  /// The member that issues first of those that can, `candidates` of one group.
  [[nodiscard]] WarpId first_of(WarpMask candidates) const;
  /// The warp to issue if the group is not left: the member whose turn it is, or its partner.
  [[nodiscard]] std::optional<WarpId> stay(WarpMask candidates) const;
  /// The candidates of the next row of the pair that has any; none if the pair has none.
  [[nodiscard]] WarpMask next_group(WarpMask candidates) const;

  Leave leave_;
  std::optional<GroupTurn> turn_;  ///< of the last issue; no exit clears it
};

}  // namespace paws
