// SPDX-License-Identifier: MIT
// The parameters of an engine (engine/parameters.def) as one table: what names of engines, commands
// that build one, waves and options of test programs are made from.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "engine/engine_parameters.h"
#include "model/scheduler_fields.h"

namespace paws {

/// The value that names leave out (engine/parameters.def).
struct Standard {
  enum class Kind : std::uint8_t { number, named, phases, all };
  constexpr Standard(unsigned value) : number(value) {}  // NOLINT(google-explicit-constructor)
  constexpr explicit Standard(Kind which) : kind(which) {}
  Kind kind = Kind::number;
  unsigned number = 0;
};

struct EngineField {
  using Member = std::variant<unsigned EngineParameters::*, bool EngineParameters::*,
                              Sorter EngineParameters::*>;

  std::string rtl;   ///< parameter of the RTL; empty: something else than the RTL decides
  std::string word;  ///< before its value in names and options; empty: the value alone
  Member member;
  Standard two_level, single;
};

/// Every parameter but level and module, in the order of names.
std::span<const EngineField> engine_fields();

/// The value that names leave out: with it the engine is as if there were no such parameter.
/// Nothing: names always say the value.
std::optional<unsigned> standard_value(const EngineParameters& engine, const EngineField& field);

/// NAME=VALUE of every parameter of the RTL, as build_engine.sh and build_wave.sh take them.
std::vector<std::string> settings_of(const EngineParameters& engine);

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
