// SPDX-License-Identifier: MIT
#include "tb/random/subjects.h"

#include <algorithm>

#include "engine/engine_fields.h"
#include "model/registry.h"

namespace paws {

std::string name_of(const EngineParameters& engine, const std::string& policy) {
  std::string name = engine_name(engine) + "_" + policy;
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string name_of(const Subject& subject) {
  return name_of(subject.engine.parameters, subject.config.policy);
}

HostOptions host_options(const EngineParameters& engine) {
  return {.hold_lengths = engine.held_length, .late_ends = engine.late_exit};
}

void PrintTo(const Subject& subject, std::ostream* out) { *out << name_of(subject); }

std::vector<Subject> subjects(std::span<const BuiltEngine> engines) {
  std::vector<Subject> all;
  for (const BuiltEngine& engine : engines) {
    const EngineParameters& parameters = engine.parameters;
    for (const Policy& policy : policies()) {
      if (policy.level != parameters.level || !policy.in_rtl()) continue;
      const SchedulerConfig config = scheduler_of(parameters, policy.name);
      if (serves(parameters, config)) all.push_back({engine, config});
    }
  }
  return all;
}

}  // namespace paws
