// SPDX-License-Identifier: MIT
#include "engine/rtl_engine.h"

#include "engine/engine_registry.h"
#include "engine/on_demand.h"

namespace paws {

bool serves(const EngineParameters& engine, const SchedulerConfig& config) {
  EngineParameters wanted = engine_parameters(config, engine.sorter, engine.picker, engine.checked);
  wanted.length_bits = engine.length_bits;  // shows in no configuration
  wanted.policies = engine.policies;
  wanted.held_length = engine.held_length;  // a promise of the host
  wanted.clock_gates = engine.clock_gates;
  if (!has_age_limit(config)) wanted.age_limit = engine.age_limit;
  const bool built = ((engine.policies >> policy_code(config.level, config.policy)) & 1) != 0;
  // Only PAWS has keys, and ties to break: the other policies run on any of these engines.
  if (config.policy != "paws") {
    wanted.key_precision = engine.key_precision;
    wanted.tie_by_arrival = engine.tie_by_arrival;
  }
  return built && wanted == engine;
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
