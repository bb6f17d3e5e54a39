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

constexpr Standard NAMED{Standard::Kind::named};
constexpr Standard PHASES{Standard::Kind::phases};
constexpr Standard ALL{Standard::Kind::all};

}  // namespace

std::span<const EngineField> engine_fields() {
  static const std::array fields{
#define PAWS_ENGINE_PARAMETER(rtl, word, member, type, initial, two_level, single) \
  EngineField{#rtl, word, &Engine::member, {two_level}, {single}},
#include "engine/parameters.def"
#undef PAWS_ENGINE_PARAMETER
      EngineField{"", "checked", &Engine::checked, {0}, {0}},
  };
  return fields;
}

std::optional<unsigned> standard_value(const EngineParameters& engine, const EngineField& field) {
  const Standard& standard = engine.level == Level::two_level ? field.two_level : field.single;
  switch (standard.kind) {
    case Standard::Kind::named:
      return std::nullopt;
    case Standard::Kind::phases:
      return engine.phase_bits;
    case Standard::Kind::all:
      return engine.module == level_module(engine.level) ? all_policies(engine.level) : 0;
    case Standard::Kind::number:
      break;
  }
  return standard.number;
}

std::vector<std::string> settings_of(const EngineParameters& engine) {
  std::vector<std::string> settings;
  for (const EngineField& field : engine_fields()) {
    if (field.rtl.empty()) continue;
    settings.push_back(field.rtl + '=' + std::to_string(value_of(engine, field)));
  }
  return settings;
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
  return standard_value(engine, field) != value_of(engine, field);
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
  engine.module = module_of(config);
  for (const SchedulerField& number : scheduler_fields()) {
    const EngineField& field = engine_field(number);
    if (heeds(config, number) || (has_field(config, number) && unheeded == Unheeded::taken)) {
      set_value(engine, field, value_of(config, number));
    } else if (!has_field(config, number) || unheeded == Unheeded::standard) {
      set_value(engine, field, standard_value(engine, field).value());
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
