// SPDX-License-Identifier: MIT
// The block limits of LCS: what the block monitors of the cores have found, and from when on it
// holds.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "sim/blocks/block_scheduler.h"

namespace paws {

/// Whose block monitor decides the limit of a launch.
enum class LimitScope : std::uint8_t {
  first_core,  ///< that of the first core that got a block of it, for all cores
  each_core,   ///< each core's own
  /// The median, the lower one of two, of the cores that had blocks of it when the first monitor
  /// was done.
  median
};

/// Of LCS.
struct LimitRules {
  LimitScope scope = LimitScope::first_core;
  /// Limits hold for later launches of the same kernel too, from their first cycle on, instead of
  /// what would be found there; with a limit of each core, cores without one stay without. Blocks
  /// of the launches must need the same of a core.
  bool remember = false;
};

/// Lee et al., HPCA 2014, section 4.1. A limit holds `latency` cycles after the last core that it
/// depends on has ended its monitoring, on that core too: a message to the block scheduler and its
/// answer.
class MonitoredLimits {
 public:
  MonitoredLimits(const LimitRules& rules, std::uint64_t latency)
      : rules_(rules), latency_(latency) {}

  void begin(std::span<const LaunchBlocks> launches, std::uint64_t cycle);
  /// The core gets a block of the launch, which starts in `cycle`.
  void gave(std::uint32_t core, std::uint32_t launch, std::uint64_t cycle);
  void monitored(const BlockScheduler::Monitored& found);
  /// The limit of the launch on a core in `cycle`; nothing while there is none.
  [[nodiscard]] std::optional<unsigned> limit(std::uint32_t core, std::uint32_t launch,
                                              std::uint64_t cycle) const;
  /// Of each launch that has limits, those of its cores, in the order of the cores; one of no
  /// core if it is the same for all.
  [[nodiscard]] std::vector<BlockLimit> found() const;

 private:
  struct Launch {
    std::optional<std::uint32_t> first;            ///< core that got a block of it first
    std::map<std::uint32_t, std::uint64_t> begun;  ///< by core, when it got its first block
    std::vector<BlockLimit> told;                  ///< by the cores, with when it would hold
    std::optional<BlockLimit> all;                 ///< for all cores
    bool remembered = false;                       ///< `told` and `all` are an earlier launch's
    std::uint64_t kernel = 0;                      ///< LaunchBlocks
    core::Resources needs;                         ///< LaunchBlocks
  };

  [[nodiscard]] bool has_limits(const Launch& of) const {
    return rules_.scope == LimitScope::each_core ? !of.told.empty() : of.all.has_value();
  }
  /// The launch has `limits` from `cycle` on.
  static void recall(Launch& of, const Launch& limits, std::uint32_t launch, std::uint64_t cycle);

  /// The median of the cores that count, if all of them have told.
  [[nodiscard]] std::optional<BlockLimit> median(const Launch& of) const;

  LimitRules rules_;
  std::uint64_t latency_;
  std::vector<Launch> launches_;
  std::vector<Launch> remembered_;  ///< a launch of every kernel that has had limits
};

}  // namespace paws
