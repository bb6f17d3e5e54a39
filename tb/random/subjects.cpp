// SPDX-License-Identifier: MIT
#include "tb/random/subjects.h"

#include "model/registry.h"

namespace paws {

std::string name_of(const EngineParameters& engine, const std::string& policy) {
  return engine_name(engine) + "_" + policy;
}

std::string name_of(const Subject& subject) {
  return name_of(subject.engine.parameters, subject.config.policy);
}

void PrintTo(const Subject& subject, std::ostream* out) { *out << name_of(subject); }

std::vector<Subject> subjects(std::span<const BuiltEngine> engines) {
  std::vector<Subject> all;
  for (const BuiltEngine& engine : engines) {
    const EngineParameters& parameters = engine.parameters;
    for (const Policy& policy : policies()) {
      if (policy.level != parameters.level || !policy.rtl_code) continue;
      SchedulerConfig config;
      config.level = policy.level;
      config.policy = policy.name;
      config.warps = parameters.warps;
      if (parameters.level == Level::two_level) config.ready = parameters.ready;
      config.phase_bits = parameters.phase_bits;
      config.key_precision = parameters.key_precision;
      config.tie_by_arrival = parameters.tie_by_arrival;
      config.wake_oldest = parameters.wake_oldest;
      config.age_limit = parameters.age_limit;
      if (serves(parameters, config)) all.push_back({engine, config});
    }
  }
  return all;
}

}  // namespace paws
