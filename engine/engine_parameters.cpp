// SPDX-License-Identifier: MIT
#include "engine/engine_parameters.h"

#include <algorithm>
#include <sstream>
#include <stdexcept>

#include "model/registry.h"

namespace paws {

unsigned all_policies(Level level) {
  unsigned mask = 0;
  for (const Policy& policy : policies()) {
    if (policy.level == level && policy.rtl_code) mask |= 1U << *policy.rtl_code;
  }
  return mask;
}

bool has_age_limit(const SchedulerConfig& config) {
  return config.level == Level::two_level || config.policy != "rr";
}

EngineParameters engine_parameters(const SchedulerConfig& config, Sorter sorter, unsigned picker,
                                   bool checked) {
  EngineParameters parameters;
  parameters.level = config.level;
  parameters.warps = config.warps;
  parameters.phase_bits = config.phase_bits;
  // Keys and arrival decide nothing but PAWS: the other policies need no engine of their own.
  const bool paws = config.policy == "paws";
  parameters.key_precision =
      paws ? std::min(config.key_precision, config.phase_bits) : config.phase_bits;
  parameters.policies = all_policies(config.level);
  parameters.age_limit = has_age_limit(config) ? config.age_limit : 0;
  parameters.checked = checked;
  const bool two_level = config.level == Level::two_level;
  parameters.ready = two_level ? config.ready : 0;
  parameters.tie_by_arrival = two_level && paws && config.tie_by_arrival;
  parameters.wake_oldest = two_level && config.wake_oldest;
  parameters.sorter = two_level ? sorter : Sorter::shift_register;
  parameters.picker = two_level ? kDefaultPicker : picker;
  return parameters;
}

std::string engine_name(const EngineParameters& parameters) {
  const bool two_level = parameters.level == Level::two_level;
  std::ostringstream name;
  name << (two_level ? "two_level_" : "single_level_") << parameters.warps;
  if (two_level) name << '_' << parameters.ready;
  name << '_' << parameters.phase_bits;
  if (parameters.key_precision != parameters.phase_bits) {
    name << "_precision" << parameters.key_precision;
  }
  if (parameters.length_bits != kLengthBits) name << "_length" << parameters.length_bits;
  if (parameters.policies != all_policies(parameters.level)) {
    name << "_policies" << parameters.policies;
  }
  if (parameters.tie_by_arrival) name << "_arrival";
  if (parameters.wake_oldest) name << "_oldest";
  if (two_level && parameters.sorter == Sorter::shift_register) name << "_shift";
  if (parameters.sorter == Sorter::selection_tree) name << "_tree";
  if (parameters.picker != kDefaultPicker) name << "_picker" << parameters.picker;
  if (parameters.age_limit != 0) name << "_limit" << parameters.age_limit;
  if (parameters.held_length) name << "_held";
  if (parameters.clock_gates != 0) name << "_gates" << parameters.clock_gates;
  if (parameters.checked) name << "_checked";
  return name.str();
}

unsigned policy_code(Level level, const std::string& policy) {
  for (const Policy& known : policies()) {
    if (known.level == level && known.name == policy && known.rtl_code) return *known.rtl_code;
  }
  throw std::invalid_argument("policy '" + policy + "' has no RTL at the " +
                              (level == Level::single ? "single level" : "two-level scheduler") +
                              "; use the model");
}

}  // namespace paws
