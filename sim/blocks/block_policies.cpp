// SPDX-License-Identifier: MIT
#include "sim/blocks/block_policies.h"

#include <optional>

#include "sim/blocks/blocks_in_turn.h"
#include "sim/blocks/concurrent_blocks.h"
#include "sim/blocks/limited_blocks.h"
#include "sim/blocks/paired_blocks.h"

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
  NamedChoice policy;
  BlockSchedulerFactory (*make)(const Numbers& numbers, const DistributorSettings& config);
};

LimitRules limit_rules(const DistributorSettings& config) {
  return {static_cast<LimitScope>(config.scope), config.remember};
}

PairedBlocks::PairRules pair_rules(const DistributorSettings& config) {
  return {config.row, config.single};
}

using Settings = DistributorSettings;

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{kRoundRobinBlocks, "", "round robin: every core gets as many blocks as fit"},
       [](const Numbers&, const Settings&) { return factory<BlocksInTurn>(); }},
      {{"limit", "N", "round robin with at most N blocks of a launch per core"},
       [](const Numbers& n, const Settings&) { return factory<FixedLimit>(n.front()); }},
      {{"lcs", "",
        "lazy (LCS): from the end of the first block on, only as many per core as issued its "
        "instructions"},
       [](const Numbers&, const Settings& config) {
         return factory<LazyBlocks>(limit_rules(config));
       }},
      {{"bcs", "", "in pairs (BCS): two consecutive blocks of two-dimensional launches per core"},
       [](const Numbers&, const Settings& config) {
         return factory<PairedBlocks>(std::optional<LimitRules>(), pair_rules(config));
       }},
      {{"lcs+bcs", "", "lazy and in pairs: both, the limit in whole pairs"},
       [](const Numbers&, const Settings& config) {
         return factory<PairedBlocks>(std::optional(limit_rules(config)), pair_rules(config));
       }},
      {{"cke", "",
        "concurrent launches (CKE): a core has blocks of one of them at a time, with the limit of "
        "lcs"},
       [](const Numbers&, const Settings& config) {
         return factory<ConcurrentBlocks>(limit_rules(config));
       }},
      {{"mcke", "N,M",
        "concurrent launches mixed (mCKE): every core has at most N blocks of the first one and M "
        "of the second"},
       [](const Numbers& n, const Settings& config) {
         return factory<MixedBlocks>(n, config.expand);
       }},
      {{"random-limit", "", "negative control: as lcs, but the limit is drawn at random", true},
       [](const Numbers&, const Settings& config) {
         return factory<RandomLimit>(limit_rules(config), config.seed);
       }},
      {{"random-pairs", "", "negative control: as bcs, but the pairs are drawn at random", true},
       [](const Numbers&, const Settings& config) { return factory<RandomPairs>(config.seed); }}};
  return all;
}

}  // namespace

const std::vector<NamedChoice>& block_policies() {
  static const std::vector<NamedChoice> policies = [] {
    std::vector<NamedChoice> list;
    for (const Entry& entry : entries()) list.push_back(entry.policy);
    return list;
  }();
  return policies;
}

BlockSchedulerFactory block_scheduler(const std::string& name, const DistributorSettings& config) {
  const Chosen chosen = choose(block_policies(), name, "--blocks", "block scheduler");
  return entries()[chosen.entry].make(chosen.numbers, config);
}

}  // namespace paws
