// SPDX-License-Identifier: MIT
// What limits a run, in one sentence with the figure that says so: a decision over figures.
//
// In this order:
// 1. The roof that is used most, if it is used to kNearRoof or more: the machine does not go
// faster.
// 2. Idle cores: cores are without a warp for more than kIdleCores of the time.
// 3. The reason for which warps wait most: latency that other warps do not hide. If it is memory,
//    arithmetic or fetch, and fewer than kFewWarps of the warp slots are in use, too few warps.
//    Only a profile says what warps wait for.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "sim/observe/line_profile.h"

namespace paws::report {

/// Nsight Compute's rule "Speed of Light" calls a use below 60 % of the peak a latency issue:
/// queues and bursts keep a resource from being used all the time, long before it has a cycle to
/// spare.
inline constexpr double kNearRoof = 0.6;
/// Blocks that are more, or more alike, could at most halve the time below this.
inline constexpr double kIdleCores = 0.5;
/// With half of the slots in use, twice as many warps could hide the latency.
inline constexpr double kFewWarps = 0.5;

/// Something of which the machine has so much in a cycle and not more.
struct Roof {
  std::string name;     ///< "issue slots"
  std::string limited;  ///< begin of the sentence: "Issue rate"
  double use = 0;       ///< 0 to 1
  std::string figure;   ///< with its unit, and the roof: "9.1 of 16 warp instructions per cycle"
};

/// The line at which warps wait most for one reason.
struct WorstLine {
  std::string place;  ///< "matmul.cu:30"; empty: there is none
  double share = 0;   ///< of all warp cycles, 0 to 1
};

struct Evidence {
  std::vector<Roof> roofs;                    ///< of two that are used alike the first one counts
  std::optional<observe::LineCounts> counts;  ///< nothing: without a profile
  std::array<WorstLine, observe::kWaits> worst;  ///< by reason
  double idle_cores = 0;                         ///< core cycles without a warp ÷ core cycles
  double warps = 0;  ///< live warps of a core that has some, in the mean
  unsigned warp_slots = 0;
  std::string room;  ///< what a core has room for: "2 blocks of 8 warps; limit: registers"
};

enum class LimitKind : std::uint8_t { nothing, roof, idle_cores, few_warps, latency };

struct Limit {
  LimitKind kind = LimitKind::nothing;
  std::string sentence;
};

Limit limit_of(const Evidence& evidence);

}  // namespace paws::report
