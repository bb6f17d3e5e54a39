// SPDX-License-Identifier: MIT
// The table of the parameters of an engine: none is missing, and each gets through every
// conversion.
#include "engine/engine_fields.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>
#include <string>

#include "engine/cached_library.h"
#include "engine/engine_registry.h"
#include "tb/model/members.h"
#include "tb/random/failure.h"

namespace paws {
namespace {

/// Another value than `engine` has; of numbers of a configuration one within its limits.
unsigned another(const EngineParameters& engine, const EngineField& field) {
  const unsigned value = value_of(engine, field);
  return is_switch(field) ? (value == 0 ? 1 : 0) : value == 1 ? 2 : value - 1;
}

/// An engine in which no number has the value of another one.
EngineParameters distinct() {
  EngineParameters engine;
  engine.policies = 2;
  engine.ready = 5;
  engine.age_limit = 40;
  engine.clock_gates = 8;
  engine.pair_bits = 2;
  engine.group = 6;
  engine.group_timeout = 70;
  engine.key_precision = 4;
  engine.length_bits = 12;
  return engine;
}

TEST(EngineFields, EachIsAMemberOfItsOwn) {
  const EngineParameters standard = distinct();
  std::set<std::string> names;
  for (const EngineField& field : engine_fields()) {
    EngineParameters engine = standard;
    set_value(engine, field, another(standard, field));
    EXPECT_NE(engine, standard) << field.rtl << field.word;
    for (const EngineField& other : engine_fields()) {
      EXPECT_EQ(value_of(engine, other) == value_of(standard, other), &other != &field)
          << field.rtl << " and " << other.rtl;
    }
    EXPECT_TRUE(names.insert(engine_name(engine)).second) << engine_name(engine);
  }
}

TEST(EngineFields, NoMemberIsMissing) {
  EXPECT_EQ(test::members<EngineParameters>(), engine_fields().size() + 2)
      << "every member but level and module has a row in engine_fields()";
}

TEST(EngineFields, AreParametersOfTheRtl) {
  std::string rtl;
  for (const char* module :
       {"paws_two_level", "paws_single_level", "paws_fetch_group", "paws_ordered"}) {
    std::ifstream file(source_dir() / "rtl" / (std::string(module) + ".sv"));
    rtl.append(std::istreambuf_iterator<char>(file), {});
  }
  for (const EngineField& field : engine_fields()) {
    if (field.rtl.empty()) continue;
    EXPECT_TRUE(std::regex_search(rtl, std::regex("parameter [a-z ]+" + field.rtl + " =")))
        << field.rtl;
  }
  for (const SchedulerField& number : scheduler_fields()) {
    EXPECT_EQ(scheduler_field(engine_field(number)), &number) << number.name;
  }
}

TEST(EngineFields, NamesSayWhatIsNotStandard) {
  EngineParameters engine;
  engine.policies = all_policies(Level::two_level);
  EXPECT_EQ(engine_name(engine), "two_level_24_6_9");
  engine = distinct();
  engine.policies = 5;
  engine.tie_by_arrival = engine.wake_oldest = engine.held_length = engine.late_exit = true;
  engine.checked = true;
  engine.sorter = Sorter::selection_tree;
  engine.picker = 0;
  EXPECT_EQ(engine_name(engine),
            "two_level_24_5_9_precision4_length12_policies5_arrival_oldest_tree_picker0_limit40_"
            "held_gates8_pair2_group6_timeout70_late_checked");
  SchedulerConfig config;
  ASSERT_EQ(set_scheduler_name(config, "single:paws"), std::nullopt);
  EXPECT_EQ(engine_name(engine_parameters(config, Sorter::ranks, 2, false)),
            "single_level_24_9_picker2");
  const FailedRun run{{}, engine, {.seed = 3, .cycles = 70}};
  EXPECT_EQ(replay_command(run),
            "PAWS_SEED=3 PAWS_CYCLES=70 build/tb/random/lockstep_run two-level:paws 24 5 9 "
            "precision=4 length=12 policies=5 arrival oldest tree picker=0 limit=40 held gates=8 "
            "pair=2 group=6 timeout=70 late");
}

/// The first policy that heeds `number`, a number that two levels do not have.
std::string single_level_policy_with(const SchedulerField& number) {
  for (const std::string& name : scheduler_names()) {
    SchedulerConfig config;
    EXPECT_EQ(set_scheduler_name(config, name), std::nullopt);
    if (heeds(config, number)) return name;
  }
  ADD_FAILURE() << "no policy heeds " << number.name;
  return "single:rr";
}

TEST(EngineFields, EveryNumberOfAConfigurationGetsThrough) {
  for (const SchedulerField& number : scheduler_fields()) {
    SchedulerConfig standard;
    standard.key_precision = 6;
    standard.age_limit = 30;
    if (number.single_level) {
      ASSERT_EQ(set_scheduler_name(standard, single_level_policy_with(number)), std::nullopt);
      standard.key_precision = standard.phase_bits;
      if (has_fetch_groups(standard)) standard.age_limit = 0;  // their timeout takes its place
    }
    const EngineParameters plain =
        engine_parameters(standard, Sorter::ranks, kDefaultPicker, false);
    SchedulerConfig config = standard;
    set_value(config, number, value_of(standard, number) == 0 ? 1 : value_of(standard, number) - 1);
    const EngineParameters engine = engine_parameters(config, Sorter::ranks, kDefaultPicker, false);
    EXPECT_EQ(value_of(engine, engine_field(number)), value_of(config, number)) << number.name;
    EXPECT_NE(engine, plain) << number.name;
    EXPECT_EQ(scheduler_of(engine, config.policy), config) << number.name;
    if (has_rtl(config)) {
      EXPECT_TRUE(serves(engine, config)) << number.name;
      EXPECT_FALSE(serves(plain, config)) << number.name;
    }
  }
}

TEST(EngineFields, WhatAPolicyDoesNotHeedMayBeAsItIs) {
  SchedulerConfig config;
  ASSERT_EQ(set_scheduler_name(config, "two-level:rr"), std::nullopt);
  config.tie_by_arrival = true;
  config.key_precision = 3;
  config.age_limit = 7;
  EngineParameters engine = engine_parameters(config, Sorter::ranks, kDefaultPicker, false);
  EXPECT_FALSE(engine.tie_by_arrival);
  EXPECT_EQ(engine.key_precision, engine.phase_bits);
  EXPECT_EQ(engine.age_limit, 7U);
  configure(engine, config, Unheeded::taken);
  EXPECT_TRUE(engine.tie_by_arrival);
  EXPECT_EQ(engine.key_precision, 3U);
  EXPECT_TRUE(serves(engine, config)) << "a policy without keys runs on any of these";
  ASSERT_EQ(set_scheduler_name(config, "single:rr"), std::nullopt);
  engine = engine_parameters(config, Sorter::ranks, kDefaultPicker, false);
  EXPECT_EQ(engine.age_limit, 0U) << "single-level RR is fair by itself";
  EXPECT_EQ(engine.ready, 0U);
  EXPECT_EQ(engine.sorter, Sorter::shift_register);
  configure(engine, config, Unheeded::taken);
  EXPECT_EQ(engine.age_limit, 7U);
  EXPECT_FALSE(engine.tie_by_arrival) << "its level has none";
  EXPECT_TRUE(serves(engine, config));
}

}  // namespace
}  // namespace paws
