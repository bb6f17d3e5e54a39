// SPDX-License-Identifier: MIT
#include "engine/rtl_engine.h"

#include "engine/engine_fields.h"
#include "engine/engine_registry.h"
#include "engine/on_demand.h"

namespace paws {

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
  policy_code(config.level, config.policy);
  if (const auto problem = check(config)) throw std::invalid_argument(*problem);
  return make_rtl(config,
                  engine_parameters(config, options.sorter, options.picker, options.assertions));
}

std::unique_ptr<Scheduler> make_rtl(const SchedulerConfig& config, const EngineParameters& engine,
                                    Instrument instrument) {
  for (const BuiltEngine& built : standard_engines()) {
    if (instrument == Instrument::none && built.parameters == engine) {
      return make_engine(built, config);
    }
  }
  return make_engine(build_on_demand(engine, instrument), config);
}

}  // namespace paws
