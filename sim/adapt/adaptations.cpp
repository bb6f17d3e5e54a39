// SPDX-License-Identifier: MIT
#include "sim/adapt/adaptations.h"

#include <fmt/format.h>

#include "sim/adapt/duel.h"
#include "sim/adapt/ipaws.h"
#include "sim/adapt/local_adaptation.h"
#include "sim/adapt/pattern.h"
#include "sim/adapt/random_switching.h"
#include "sim/support/error.h"

namespace paws {
namespace {

struct Entry {
  NamedChoice adaptation;
  AdaptationFactory (*make)(const GpuConfig& config, const SchedulerConfig& scheduler,
                            SwitchedPolicy first);
};

template <bool Swapped>
AdaptationFactory duel(const GpuConfig& config, const SchedulerConfig& /*scheduler*/,
                       SwitchedPolicy first) {
  return [settings = config.adapt, latency = config.distributor.latency, first](unsigned cores) {
    return std::make_unique<adapt::Duel>(
        adapt::Duel::Setup{settings, cores, latency, first, Swapped});
  };
}

/// Of controls that know of their core alone; `control` makes one.
template <typename Control>
AdaptationFactory each_core(Control control) {
  return
      [control](unsigned /*cores*/) { return std::make_unique<adapt::LocalAdaptation>(control); };
}

template <bool Swapped>
AdaptationFactory pattern(const GpuConfig& config, const SchedulerConfig& /*scheduler*/,
                          SwitchedPolicy first) {
  return each_core([settings = config.adapt, first](std::uint32_t /*core*/) {
    return std::make_unique<adapt::Pattern>(settings, first, Swapped);
  });
}

const std::vector<Entry>& entries() {
  static const std::vector<Entry> all{
      {{kNoAdaptation, "", "every scheduler keeps its policy"},
       [](const GpuConfig&, const SchedulerConfig&, SwitchedPolicy) {
         return AdaptationFactory();
       }},
      {{"duel", "",
        "a few cores lead for RR and for GTO, the others follow the leaders that issue more"},
       duel<false>},
      {{"pattern", "",
        "every scheduler for itself: RR when warps near a long operation starve, GTO when all wait "
        "together"},
       pattern<false>},
      {{"ipaws", "", "iPAWS: as the first warp of a core ends, by how unevenly GTO has issued"},
       [](const GpuConfig& config, const SchedulerConfig& scheduler, SwitchedPolicy) {
         const bool single = scheduler.level == Level::single;
         return each_core([settings = config.adapt, single](std::uint32_t /*core*/) {
           return std::make_unique<adapt::Ipaws>(settings, single);
         });
       }},
      {{"random", "", "control experiment: drawn for each core and epoch from adapt.seed"},
       [](const GpuConfig& config, const SchedulerConfig&, SwitchedPolicy) {
         return each_core([settings = config.adapt](std::uint32_t core) {
           return std::make_unique<adapt::RandomSwitching>(settings, core);
         });
       }},
      {{"duel-swapped", "", "control experiment: the duel, won by the leaders that issue less"},
       duel<true>},
      {{"pattern-swapped", "", "control experiment: pattern with its two events exchanged"},
       pattern<true>}};
  return all;
}

}  // namespace

const std::vector<NamedChoice>& adaptations() {
  static const std::vector<NamedChoice> list = [] {
    std::vector<NamedChoice> made;
    for (const Entry& entry : entries()) made.push_back(entry.adaptation);
    return made;
  }();
  return list;
}

AdaptationFactory adaptation_factory(const std::string& name, const GpuConfig& config,
                                     const SchedulerConfig& scheduler) {
  const Chosen chosen = choose(adaptations(), name, "--adapt", "adaptation");
  if (chosen.entry == 0) return {};
  const auto first = switched_policy(scheduler);
  if (!first) {
    throw InputError(fmt::format("--adapt {}: {} does not change its policy: RR and GTO do", name,
                                 scheduler_name(scheduler)));
  }
  if (scheduler.age_limit != 0) {
    throw InputError(fmt::format(
        "--adapt {}: a scheduler that changes its policy has no age limit (scheduler.age_limit)",
        name));
  }
  return entries()[chosen.entry].make(config, scheduler, *first);
}

}  // namespace paws
