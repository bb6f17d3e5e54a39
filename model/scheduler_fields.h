// SPDX-License-Identifier: MIT
// The numbers of SchedulerConfig as one table: what the configuration of the GPU, decision traces,
// the RTL's parameters and the limits are made from. A number that is added to SchedulerConfig
// needs a row here.
#pragma once

#include <span>
#include <string>
#include <variant>

#include "model/scheduler.h"

namespace paws {

struct SchedulerField {
  using Member = std::variant<unsigned SchedulerConfig::*, bool SchedulerConfig::*>;

  std::string name;  ///< in decision traces and messages; in the GPU's configuration scheduler.NAME
  std::string rtl;   ///< parameter of the RTL
  Member member;
  unsigned low = 0, high = 1;  ///< limits, inclusive
  std::string unit = {};
  std::string meaning;        ///< one sentence, as the listing of the configuration has it
  std::string said;           ///< in messages about a scheduler; {} is the value
  bool of_machine = false;    ///< it follows from the machine, and is no key of the configuration
  bool two_level = false;     ///< the single level has none
  bool single_level = false;  ///< two levels have none
  /// Whether the policy heeds it, at a level that has it. Null: every policy does.
  bool (*heeded_by)(const SchedulerConfig& config) = nullptr;
};

/// Every number, in the order in which limits are checked.
std::span<const SchedulerField> scheduler_fields();

bool is_switch(const SchedulerField& field);
/// A switch that is on is 1.
unsigned value_of(const SchedulerConfig& config, const SchedulerField& field);
/// `value` is taken as it is: check() knows the limits.
void set_value(SchedulerConfig& config, const SchedulerField& field, unsigned value);

/// Whether the level of `config` has the number.
bool has_field(const SchedulerConfig& config, const SchedulerField& field);
/// Whether its level has it, and its policy heeds it.
bool heeds(const SchedulerConfig& config, const SchedulerField& field);

/// Whether its level has it with a value that is not as if there were no such number: a switch that
/// is off, no age limit, and a precision that takes in the whole phase field make no difference.
bool makes_difference(const SchedulerConfig& config, const SchedulerField& field);

}  // namespace paws
