// SPDX-License-Identifier: MIT
#include "engine/engine_parameters.h"

#include <stdexcept>

#include "engine/engine_fields.h"
#include "model/registry.h"

namespace paws {

unsigned all_policies(Level level) {
  unsigned mask = 0;
  for (const Policy& policy : policies()) {
    if (policy.level == level && policy.rtl_code) mask |= 1U << *policy.rtl_code;
  }
  return mask;
}

unsigned policies_with(const SchedulerConfig& config) {
  unsigned bit = kFirstModule;
  for (const Policy& policy : policies()) {
    if (policy.rtl_module.empty()) continue;
    if (&policy == find_policy(config)) return bit;
    bit <<= 1U;
  }
  return all_policies(config.level);
}

EngineParameters engine_parameters(const SchedulerConfig& config, Sorter sorter, unsigned picker,
                                   bool checked) {
  EngineParameters parameters;
  parameters.policies = policies_with(config);
  parameters.sorter = sorter;
  parameters.picker = picker;
  parameters.checked = checked;
  configure(parameters, config, Unheeded::standard);
  return parameters;
}

std::string engine_name(const EngineParameters& parameters) {
  std::string name = parameters.level == Level::two_level ? "two_level" : "single_level";
  for (const EngineField& field : engine_fields()) {
    if (is_said(parameters, field)) name += '_' + text_of(field, value_of(parameters, field));
  }
  return name;
}

bool builds(const EngineParameters& engine, const SchedulerConfig& config) {
  const Policy* policy = find_policy(config);
  if (policy == nullptr || policy->level != engine.level) return false;
  if (!policy->rtl_module.empty()) return engine.policies == policies_with(config);
  return policy->rtl_code && ((engine.policies >> *policy->rtl_code) & 1) != 0;
}

unsigned policy_code(Level level, const std::string& policy) {
  for (const Policy& known : policies()) {
    if (known.level == level && known.name == policy && known.in_rtl()) {
      return known.rtl_code.value_or(0);
    }
  }
  throw std::invalid_argument("policy '" + policy + "' has no RTL at the " +
                              (level == Level::single ? "single level" : "two-level scheduler") +
                              "; use the model");
}

}  // namespace paws
