// SPDX-License-Identifier: MIT
// The parameters of an engine as one table: what names of engines, commands that build one, waves
// and options of test programs are made from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>

#include "engine/engine_parameters.h"
#include "model/scheduler_fields.h"

namespace paws {

struct EngineField {
  using Member = std::variant<unsigned EngineParameters::*, bool EngineParameters::*,
                              Sorter EngineParameters::*>;

  std::string rtl;   ///< parameter of the RTL; empty: something else than the RTL decides
  std::string word;  ///< before its value in names and options; empty: the value alone
  Member member;
  /// The value that names leave out: with it the engine is as if there were no such parameter.
  /// Nothing: names always say the value.
  std::optional<unsigned> (*standard)(const EngineParameters& engine);
  bool in_waves = false;  ///< waves show a difference; the others are the same at the ports
};

/// Every parameter but the level, in the order of build_engine.sh's arguments and of names.
std::span<const EngineField> engine_fields();

/// A switch that is on is 1, a sorter its value of the RTL's SORTER.
unsigned value_of(const EngineParameters& engine, const EngineField& field);
void set_value(EngineParameters& engine, const EngineField& field, unsigned value);
/// Whether a word says the value, without a number.
bool is_switch(const EngineField& field);
/// Whether the value stands alone, first of all, in names and commands.
bool is_positional(const EngineField& field);

/// What names and options say of a value: a word for a switch that is on and for every sorter, else
/// word, `between` and number.
std::string text_of(const EngineField& field, unsigned value, const std::string& between = "");
/// Whether a name that says all that is not standard says it.
bool is_said(const EngineParameters& engine, const EngineField& field);

/// The parameter that a number of SchedulerConfig becomes.
const EngineField& engine_field(const SchedulerField& field);
/// The number of SchedulerConfig that it comes from; null: none.
const SchedulerField* scheduler_field(const EngineField& field);

/// What becomes of a parameter whose number the policy does not heed.
enum class Unheeded : std::uint8_t {
  standard,  ///< its standard value: one engine for all configurations that differ in it
  taken,     ///< the number all the same: one engine for all policies
  kept       ///< as it is
};

/// Gives `engine` level and numbers of `config`. What its level does not have gets its standard
/// value.
void configure(EngineParameters& engine, const SchedulerConfig& config, Unheeded unheeded);

/// The numbers of `engine` with `policy`, a policy of its level.
SchedulerConfig scheduler_of(const EngineParameters& engine, const std::string& policy);

}  // namespace paws
