// SPDX-License-Identifier: MIT
#include "engine/rtl_engine.h"

#include <algorithm>
#include <vector>

#include "engine/engine_fields.h"
#include "engine/engine_registry.h"
#include "engine/on_demand.h"
#include "engine/plugin.h"

namespace paws {
namespace {

const BuiltEngine* find_engine(std::span<const BuiltEngine> engines,
                               const EngineParameters& parameters) {
  const auto found = std::ranges::find(engines, parameters, &BuiltEngine::parameters);
  return found == engines.end() ? nullptr : &*found;
}

}  // namespace

std::span<const BuiltEngine> standard_engines() {
  static const std::vector<BuiltEngine> all = [] {
    std::vector<BuiltEngine> engines(linked_engines().begin(), linked_engines().end());
    const auto others = plugin_list<BuiltEngine>("paws_plugin_engines");
    engines.insert(engines.end(), others.begin(), others.end());
    return engines;
  }();
  return all;
}

bool serves(const EngineParameters& engine, const SchedulerConfig& config) {
  // What a configuration does not say, and what its policy does not heed, may be as it is.
  EngineParameters wanted = engine;
  configure(wanted, config, Unheeded::kept);
  return config.affinity == Affinity::none && builds(engine, config) && wanted == engine;
}

std::unique_ptr<Scheduler> make_engine(const BuiltEngine& engine, const SchedulerConfig& config) {
  if (!serves(engine.parameters, config)) {
    throw std::invalid_argument("engine " + engine_name(engine.parameters) + " does not serve " +
                                scheduler_name(config));
  }
  return std::unique_ptr<Scheduler>(
      engine.create(config, policy_code(config.level, config.policy)));
}

std::unique_ptr<Scheduler> make_rtl(const SchedulerConfig& config, const RtlOptions& options) {
  const unsigned code = policy_code(config.level, config.policy);
  if (const auto problem = check(config)) throw std::invalid_argument(*problem);
  EngineParameters engine =
      engine_parameters(config, options.sorter, options.picker, options.assertions);
  // All policies that are built are evaluated, whichever is chosen. At the single level, where each
  // has a tree of its own, the policy alone takes 30 to 60 % of the time, at two levels 80 to 97 %
  // (docs/evidence/performance.md).
  if (engine.policies != 0 && !options.assertions) engine.policies = 1U << code;
  return make_rtl(config, engine);
}

std::unique_ptr<Scheduler> make_rtl(const SchedulerConfig& config, const EngineParameters& engine,
                                    Instrument instrument) {
  if (instrument == Instrument::none) {
    if (const BuiltEngine* built = find_engine(linked_engines(), engine)) {
      return make_engine(*built, config);
    }
    if (plugin_is_built()) {
      if (const BuiltEngine* built = find_engine(standard_engines(), engine)) {
        return make_engine(*built, config);
      }
    }
  }
  return make_engine(build_on_demand(engine, instrument), config);
}

}  // namespace paws
