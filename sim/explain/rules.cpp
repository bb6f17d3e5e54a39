// SPDX-License-Identifier: MIT
#include "sim/explain/rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace paws::explain {
namespace {

// Each policy of model/policies.toml.
constexpr std::array kRules{
    Rule{"single:rr", Order::turn, true, "in turn after the last issuer",
         "Round robin: the next warp slot after the last issuer that can issue. Each warp gets its "
         "turn."},
    Rule{"single:gto", Order::greedy_oldest, true, "the greedy warp, then the oldest first",
         "Greedy, then oldest: the warp that issued last goes on while it can. Then the oldest "
         "warp that can issue does."},
    Rule{"single:paws", Order::shortest, true, "shortest phase distance first, then the oldest",
         "Phase aware: of the warps that can issue, the one with the fewest cycles to the end of "
         "its phase. Of equal ones the oldest."},
    Rule{"single:oldest", Order::oldest, true, "the oldest first",
         "The oldest warp that can issue."},
    Rule{"single:youngest", Order::youngest, true, "the youngest first",
         "The youngest warp that can issue."},
    Rule{"single:cggty", Order::greedy_youngest, true, "the greedy warp, then the youngest first",
         "Greedy, then youngest: the warp that issued last goes on while it can. Then the youngest "
         "warp that can issue does. A warp that yields is left out once."},
    Rule{"single:sca", Order::slot, false, "by slot",
         "Two blocks are a pair, and a group has a warp of each. The warps of a group take turns. "
         "If the one whose turn it is cannot issue, the next group of the same pair goes. Else the "
         "group of the oldest warp that can issue goes."},
    Rule{"single:sca-keep", Order::slot, false, "by slot",
         "Two blocks are a pair, and a group has a warp of each. The warps of a group take turns, "
         "and one goes on alone if the other cannot. If neither can, the next group of the same "
         "pair goes, else that of the oldest warp that can issue."},
    Rule{"single:tlv", Order::slot, false, "by slot",
         "Slots form fetch groups. Round robin goes on in one group until all its warps wait for "
         "memory or a barrier. If none of the group can issue, the next group that can does."},
    Rule{"single:group", Order::slot, false, "by slot",
         "Slots form fetch groups. Round robin goes on in one group while one of its warps can "
         "issue. Then the next group that can issue goes, from its lowest slot."},
    Rule{"single:paws-window", Order::oldest, false, "the oldest first",
         "Phase aware among the oldest: the policy looks at a few of the oldest warps that can "
         "issue, and takes the one with the fewest cycles to the end of its phase."},
    Rule{"single:paws-ordered", Order::shortest_alone, false, "shortest phase distance first",
         "Phase aware, with warps kept in order: the first that can issue, shortest phase distance "
         "first. A warp whose distance has changed waits for its new place."},
    Rule{"two-level:rr", Order::arrival, false, "in order of arrival",
         "The active queue is in order of arrival."},
    Rule{"two-level:gto", Order::oldest, false, "the oldest first",
         "The active queue has the oldest warp at its head."},
    Rule{"two-level:paws", Order::shortest, false, "shortest phase first, then the oldest",
         "The active queue has the warp with the shortest phase at its head. Of equal ones the "
         "oldest."},
    Rule{"two-level:longest", Order::longest, false, "longest phase first, then the oldest",
         "The active queue has the warp with the longest phase at its head. Of equal ones the "
         "oldest."},
    Rule{"two-level:gto-in-ready", Order::arrival, false, "in order of arrival",
         "The active queue is in order of arrival. Each time a warp comes into ready, ready is "
         "sorted: the oldest first.",
         Order::oldest},
    Rule{"two-level:paws-in-ready", Order::arrival, false, "in order of arrival",
         "The active queue is in order of arrival. Each time a warp comes into ready, ready is "
         "sorted: the shortest phase first, of equal ones the oldest.",
         Order::shortest},
};

}  // namespace

std::span<const Rule> rules() { return kRules; }

const Rule& rule_of(const std::string& scheduler) {
  const auto* const found = std::find_if(
      kRules.begin(), kRules.end(), [&](const Rule& rule) { return rule.scheduler == scheduler; });
  if (found == kRules.end()) {
    throw std::logic_error(
        fmt::format("sim/explain/rules.cpp: {} has no rule in words", scheduler));
  }
  return *found;
}

std::string sentences_of(const SchedulerConfig& config) {
  std::string text = rule_of(scheduler_name(config)).sentence;
  if (config.level == Level::two_level) {
    text = fmt::format(
        "The first warp of the ready queue that can issue does, and goes to its tail. A warp that "
        "waits for memory or a barrier leaves ready for pending. When it wakes, it goes through "
        "the collector into active. The head of active fills a free place of ready ({} places). {}",
        config.ready, text);
  }
  if (config.tie_by_arrival) text += " Here the first that came takes the place of the oldest.";
  if (config.age_limit != 0) {
    text += fmt::format(" A warp that was passed over for {} issues is due and goes first.",
                        config.age_limit);
  }
  return text;
}

}  // namespace paws::explain
