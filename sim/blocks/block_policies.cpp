// SPDX-License-Identifier: MIT
#include "sim/blocks/block_policies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <charconv>
#include <optional>
#include <utility>

#include "sim/blocks/blocks_in_turn.h"
#include "sim/blocks/concurrent_blocks.h"
#include "sim/blocks/limited_blocks.h"
#include "sim/blocks/paired_blocks.h"
#include "sim/support/error.h"

namespace paws {
namespace {

using Numbers = std::vector<unsigned>;

/// A factory of `Scheduler`, whose constructor takes `more` behind cores and latency.
template <typename Scheduler, typename... More>
BlockSchedulerFactory factory(More... more) {
  return [more...](std::uint32_t cores, std::uint64_t latency) {
    return std::make_unique<Scheduler>(cores, latency, more...);
  };
}

struct Entry {
  BlockPolicy policy;
  std::size_t least = 0, most = 0;  ///< numbers of the parameter
  BlockSchedulerFactory (*make)(const Numbers& numbers, LimitScope scope);
};

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{kRoundRobinBlocks, "", "round robin: every core gets as many blocks as fit"},
       0,
       0,
       [](const Numbers&, LimitScope) { return factory<BlocksInTurn>(); }},
      {{"limit", "N", "round robin with at most N blocks of a launch per core"},
       1,
       1,
       [](const Numbers& n, LimitScope) { return factory<FixedLimit>(n.front()); }},
      {{"lcs", "",
        "lazy (LCS): from the end of the first block on, only as many per core as issued its "
        "instructions"},
       0,
       0,
       [](const Numbers&, LimitScope scope) { return factory<LazyBlocks>(scope); }},
      {{"bcs", "", "in pairs (BCS): two consecutive blocks of two-dimensional launches per core"},
       0,
       0,
       [](const Numbers&, LimitScope) {
         return factory<PairedBlocks>(std::optional<LimitScope>());
       }},
      {{"lcs+bcs", "", "lazy and in pairs: both, the limit in whole pairs"},
       0,
       0,
       [](const Numbers&, LimitScope scope) {
         return factory<PairedBlocks>(std::optional<LimitScope>(scope));
       }},
      {{"cke", "",
        "concurrent launches (CKE): a core has blocks of one of them at a time, with the limit of "
        "lcs"},
       0,
       0,
       [](const Numbers&, LimitScope scope) { return factory<ConcurrentBlocks>(scope); }},
      {{"mcke", "N,M",
        "concurrent launches mixed (mCKE): every core has at most N blocks of the first one and M "
        "of the second"},
       2,
       2,
       [](const Numbers& n, LimitScope) { return factory<MixedBlocks>(n); }}};
  return all;
}

std::string spelled(const BlockPolicy& policy) {
  return policy.parameter.empty() ? policy.name : policy.name + ":" + policy.parameter;
}

/// The numbers behind the colon. Nothing: they are not numbers, or one is zero.
std::optional<Numbers> numbers(std::string_view text) {
  Numbers found;
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    const std::string_view word = text.substr(0, comma);
    unsigned value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc{} || end != word.data() + word.size() || value == 0) return {};
    found.push_back(value);
    if (comma + 1 == text.size()) return {};
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return found;
}

}  // namespace

const std::vector<BlockPolicy>& block_policies() {
  static const std::vector<BlockPolicy> policies = [] {
    std::vector<BlockPolicy> list;
    for (const Entry& entry : entries()) list.push_back(entry.policy);
    return list;
  }();
  return policies;
}

BlockSchedulerFactory block_scheduler(const std::string& name, const DistributorSettings& config) {
  const std::size_t colon = std::min(name.find(':'), name.size());
  const std::string base = name.substr(0, colon);
  for (const Entry& entry : entries()) {
    if (entry.policy.name != base) continue;
    const bool none = colon == name.size();
    const std::optional<Numbers> given = none ? Numbers() : numbers(name.substr(colon + 1));
    if (!given || given->size() < entry.least || given->size() > entry.most ||
        (!none && given->empty())) {
      throw InputError(fmt::format("--blocks {}: expected {}{}", name, spelled(entry.policy),
                                   entry.most == 0 ? "" : ", whole numbers from 1 on"));
    }
    return entry.make(*given, static_cast<LimitScope>(config.scope));
  }
  std::vector<std::string> names;
  for (const BlockPolicy& policy : block_policies()) names.push_back(spelled(policy));
  throw InputError(fmt::format("unknown block scheduler '{}' (block schedulers: {})", name,
                               fmt::join(names, ", ")));
}

}  // namespace paws
