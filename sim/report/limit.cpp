// SPDX-License-Identifier: MIT
#include "sim/report/limit.h"

#include <fmt/format.h>

#include <algorithm>

namespace paws::report {
namespace {

using observe::Wait;

/// Causes of lost issue slots: a warp that is not selected, or whose scheduler is not enabled, has
/// lost nothing but its turn. Of two reasons with the same cycles the first one counts.
constexpr std::array kCauses{Wait::memory,      Wait::arithmetic, Wait::barrier,
                             Wait::instruction, Wait::unit,       Wait::outside};

std::string what_warps_do(Wait reason) {
  switch (reason) {
    case Wait::memory:
      return "wait for memory";
    case Wait::arithmetic:
      return "wait for results of arithmetic, shared or constant memory";
    case Wait::barrier:
      return "stand at a barrier";
    case Wait::instruction:
      return "wait for instructions";
    case Wait::unit:
      return "have their operands and wait for a unit that takes no instruction";
    default:
      return "could issue, but are outside the ready queue";
  }
}

std::string name_of_limit(Wait reason) {
  switch (reason) {
    case Wait::memory:
      return "Memory latency";
    case Wait::arithmetic:
      return "Latency of dependent instructions";
    case Wait::barrier:
      return "Barriers";
    case Wait::instruction:
      return "Fetch";
    case Wait::unit:
      return "A unit that is held up";
    default:
      return "The ready queue of the two-level scheduler";
  }
}

bool is_hidden_by_warps(Wait reason) {
  return reason == Wait::memory || reason == Wait::arithmetic || reason == Wait::instruction;
}

const Roof* most_used(const std::vector<Roof>& roofs) {
  const auto found = std::max_element(roofs.begin(), roofs.end(),
                                      [](const Roof& a, const Roof& b) { return a.use < b.use; });
  return found == roofs.end() ? nullptr : &*found;
}

}  // namespace

Limit limit_of(const Evidence& evidence) {
  const Roof* const roof = most_used(evidence.roofs);
  if (roof != nullptr && roof->use >= kNearRoof) {
    return {LimitKind::roof, fmt::format("{}: {:.0f} % of the roof, {}.", roof->limited,
                                         100 * roof->use, roof->figure)};
  }
  if (evidence.idle_cores > kIdleCores) {
    return {LimitKind::idle_cores,
            fmt::format("Too few blocks: cores are without a warp for {:.0f} % of their cycles.",
                        100 * evidence.idle_cores)};
  }
  if (!evidence.counts) {
    return {
        LimitKind::nothing,
        fmt::format("No roof that is known is used to more than {:.0f} %{}. What warps wait for "
                    "is not known: the run was without --profile.",
                    roof == nullptr ? 0 : 100 * roof->use,
                    roof == nullptr ? "" : fmt::format(" ({})", roof->name))};
  }
  const observe::LineCounts& counts = *evidence.counts;
  const Wait reason = *std::max_element(kCauses.begin(), kCauses.end(), [&](Wait a, Wait b) {
    return counts.waited_for(a) < counts.waited_for(b);
  });
  if (counts.waited_for(reason) == 0) return {LimitKind::nothing, "Nothing: no warp has waited."};
  std::string why = fmt::format("warps {} in {:.0f} % of their cycles", what_warps_do(reason),
                                100.0 * static_cast<double>(counts.waited_for(reason)) /
                                    static_cast<double>(counts.warp_cycles()));
  const WorstLine& line = evidence.worst[static_cast<std::size_t>(reason)];
  if (!line.place.empty()) {
    why += fmt::format(", most at {} ({:.0f} %)", line.place, 100 * line.share);
  }
  if (roof != nullptr) {
    why += fmt::format("; no roof is used to more than {:.0f} % ({})", 100 * roof->use, roof->name);
  }
  if (is_hidden_by_warps(reason) && evidence.warps < kFewWarps * evidence.warp_slots) {
    return {LimitKind::few_warps,
            fmt::format("Too few warps: {:.1f} of {} warp slots of a core are in use ({}); {}.",
                        evidence.warps, evidence.warp_slots, evidence.room, why)};
  }
  return {LimitKind::latency, fmt::format("{}: {}.", name_of_limit(reason), why)};
}

}  // namespace paws::report
