// SPDX-License-Identifier: MIT
#include "engine/engine_fields.h"

#include <algorithm>
#include <array>
#include <stdexcept>

namespace paws {
namespace {

using Engine = EngineParameters;

/// By value of SORTER; the standard one has no word.
constexpr std::array<const char*, 3> kSorterWords{"shift", "tree", "ranks"};

std::optional<unsigned> none(const Engine& /*engine*/) { return std::nullopt; }
std::optional<unsigned> off(const Engine& /*engine*/) { return 0; }
std::optional<unsigned> no_ready(const Engine& engine) {
  return engine.level == Level::single ? std::optional(0U) : std::nullopt;
}
std::optional<unsigned> exact(const Engine& engine) { return engine.phase_bits; }
std::optional<unsigned> full_length(const Engine& /*engine*/) { return kLengthBits; }
std::optional<unsigned> all_built(const Engine& engine) { return all_policies(engine.level); }
std::optional<unsigned> fast_sorter(const Engine& engine) {
  return static_cast<unsigned>(engine.level == Level::two_level ? Sorter::ranks
                                                                : Sorter::shift_register);
}
std::optional<unsigned> usual_pairs(const Engine& /*engine*/) {
  return EngineParameters{}.pair_bits;
}
std::optional<unsigned> usual_group(const Engine& /*engine*/) { return EngineParameters{}.group; }
std::optional<unsigned> one_compare(const Engine& /*engine*/) { return 1; }
std::optional<unsigned> fast_picker(const Engine& /*engine*/) { return kDefaultPicker; }

}  // namespace

std::span<const EngineField> engine_fields() {
  static const std::array fields{
      EngineField{"WARPS", "", &Engine::warps, none, true},
      EngineField{"READY", "", &Engine::ready, no_ready, true},
      EngineField{"PHASE_W", "", &Engine::phase_bits, none, true},
      EngineField{"PRECISION", "precision", &Engine::key_precision, exact, true},
      EngineField{"LENGTH_W", "length", &Engine::length_bits, full_length},
      EngineField{"POLICIES", "policies", &Engine::policies, all_built, true},
      EngineField{"TIE_ARRIVAL", "arrival", &Engine::tie_by_arrival, off, true},
      EngineField{"WAKE_OLDEST", "oldest", &Engine::wake_oldest, off, true},
      EngineField{"SORTER", "", &Engine::sorter, fast_sorter},
      EngineField{"PICKER", "picker", &Engine::picker, fast_picker},
      EngineField{"AGE_LIMIT", "limit", &Engine::age_limit, off, true},
      EngineField{"HELD_LENGTH", "held", &Engine::held_length, off},
      EngineField{"CLOCK_GATES", "gates", &Engine::clock_gates, off},
      EngineField{"PAIR_W", "pair", &Engine::pair_bits, usual_pairs, true},
      EngineField{"GROUP", "group", &Engine::group, usual_group, true},
      EngineField{"TIMEOUT", "timeout", &Engine::group_timeout, off, true},
      EngineField{"COMPARES", "compares", &Engine::compares, one_compare, true},
      EngineField{"LATE_EXIT", "late", &Engine::late_exit, off},
      EngineField{"", "checked", &Engine::checked, off},
  };
  return fields;
}

unsigned value_of(const EngineParameters& engine, const EngineField& field) {
  return std::visit([&](auto member) { return static_cast<unsigned>(engine.*member); },
                    field.member);
}

void set_value(EngineParameters& engine, const EngineField& field, unsigned value) {
  if (const auto* number = std::get_if<unsigned Engine::*>(&field.member)) {
    engine.** number = value;
  } else if (const auto* on = std::get_if<bool Engine::*>(&field.member)) {
    engine.** on = value != 0;
  } else {
    engine.*std::get<Sorter Engine::*>(field.member) = static_cast<Sorter>(value);
  }
}

bool is_switch(const EngineField& field) {
  return !std::holds_alternative<unsigned Engine::*>(field.member);
}

bool is_positional(const EngineField& field) { return !is_switch(field) && field.word.empty(); }

std::string text_of(const EngineField& field, unsigned value, const std::string& between) {
  if (std::holds_alternative<Sorter Engine::*>(field.member)) return kSorterWords.at(value);
  if (is_switch(field)) return field.word;
  return field.word.empty() ? std::to_string(value) : field.word + between + std::to_string(value);
}

bool is_said(const EngineParameters& engine, const EngineField& field) {
  return field.standard(engine) != value_of(engine, field);
}

const EngineField& engine_field(const SchedulerField& field) {
  const auto all = engine_fields();
  const auto found = std::ranges::find(all, field.rtl, &EngineField::rtl);
  if (found == all.end()) throw std::logic_error("no engine has a parameter " + field.rtl);
  return *found;
}

const SchedulerField* scheduler_field(const EngineField& field) {
  const auto all = scheduler_fields();
  const auto found = std::ranges::find(all, field.rtl, &SchedulerField::rtl);
  return found == all.end() ? nullptr : &*found;
}

void configure(EngineParameters& engine, const SchedulerConfig& config, Unheeded unheeded) {
  engine.level = config.level;
  for (const SchedulerField& number : scheduler_fields()) {
    const EngineField& field = engine_field(number);
    if (heeds(config, number) || (has_field(config, number) && unheeded == Unheeded::taken)) {
      set_value(engine, field, value_of(config, number));
    } else if (!has_field(config, number) || unheeded == Unheeded::standard) {
      set_value(engine, field, field.standard(engine).value());
    }
  }
  engine.key_precision = std::min(engine.key_precision, engine.phase_bits);
  if (config.level == Level::two_level) {
    engine.picker = kDefaultPicker;
  } else {
    engine.sorter = Sorter::shift_register;
  }
}

SchedulerConfig scheduler_of(const EngineParameters& engine, const std::string& policy) {
  SchedulerConfig config;
  config.level = engine.level;
  config.policy = policy;
  for (const SchedulerField& number : scheduler_fields()) {
    if (has_field(config, number))
      set_value(config, number, value_of(engine, engine_field(number)));
  }
  return config;
}

}  // namespace paws
