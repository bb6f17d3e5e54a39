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

std::string_view level_module(Level level) {
  return level == Level::two_level ? "paws_two_level" : "paws_single_level";
}

std::string_view module_of(const SchedulerConfig& config) {
  const Policy* policy = find_policy(config);
  const bool own = policy != nullptr && !policy->rtl_module.empty();
  return own ? std::string_view(policy->rtl_module) : level_module(config.level);
}

unsigned policies_with(const SchedulerConfig& config) {
  return module_of(config) == level_module(config.level) ? all_policies(config.level) : 0;
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
  std::string name(parameters.module.substr(std::string_view("paws_").size()));
  for (const EngineField& field : engine_fields()) {
    if (is_said(parameters, field)) name += '_' + text_of(field, value_of(parameters, field));
  }
  return name;
}

bool builds(const EngineParameters& engine, const SchedulerConfig& config) {
  const Policy* policy = find_policy(config);
  if (policy == nullptr || policy->level != engine.level) return false;
  if (engine.module != module_of(config)) return false;
  if (!policy->rtl_module.empty()) return true;
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
