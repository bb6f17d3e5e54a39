// SPDX-License-Identifier: MIT
// The table of the numbers of SchedulerConfig: none is missing, and each one is its own.
#include "model/scheduler_fields.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "tb/model/members.h"

namespace paws {
namespace {

TEST(SchedulerFields, EveryNumberHasARow) {
  constexpr std::size_t kOthers = 4;  // level, policy, the policy's parameters, affinity
  EXPECT_EQ(test::members<SchedulerConfig>(), scheduler_fields().size() + kOthers)
      << "a member of SchedulerConfig has no row in scheduler_fields()";
}

TEST(SchedulerFields, NamesAreUnique) {
  std::set<std::string> names;
  std::set<std::string> rtl;
  for (const SchedulerField& field : scheduler_fields()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_TRUE(rtl.insert(field.rtl).second) << field.rtl;
    EXPECT_FALSE(field.meaning.empty()) << field.name;
    EXPECT_FALSE(field.said.empty()) << field.name;
  }
}

TEST(SchedulerFields, EachIsAMemberOfItsOwn) {
  const SchedulerConfig standard;
  for (const SchedulerField& field : scheduler_fields()) {
    SchedulerConfig config;
    set_value(config, field, value_of(standard, field) == field.low ? field.high : field.low);
    EXPECT_NE(config, standard) << field.name;
    for (const SchedulerField& other : scheduler_fields()) {
      EXPECT_EQ(value_of(config, other) == value_of(standard, other), other.name != field.name)
          << field.name << " and " << other.name;
    }
  }
}

TEST(SchedulerFields, LimitsAreChecked) {
  for (const SchedulerField& field : scheduler_fields()) {
    if (is_switch(field)) continue;
    SchedulerConfig config;
    if (field.single_level) config.level = Level::single;
    config.ready = 1;
    for (const unsigned inside : {field.low, field.name == "ready" ? config.warps : field.high}) {
      set_value(config, field, inside);
      EXPECT_EQ(check(config), std::nullopt) << field.name << " is " << inside;
    }
    set_value(config, field, field.high + 1);
    const auto wrong = check(config);
    ASSERT_TRUE(wrong.has_value()) << field.name;
    EXPECT_TRUE(wrong->starts_with(field.name + " is " + std::to_string(field.high + 1))) << *wrong;
  }
}

TEST(SchedulerFields, LevelAndPolicyDecideWhatIsHeeded) {
  const auto heeded = [](const std::string& name) {
    SchedulerConfig config;
    EXPECT_EQ(set_scheduler_name(config, name), std::nullopt);
    std::set<std::string> names;
    for (const SchedulerField& field : scheduler_fields()) {
      if (heeds(config, field)) names.insert(field.name);
    }
    return names;
  };
  using Names = std::set<std::string>;
  EXPECT_EQ(heeded("single:rr"), (Names{"warps", "phase_bits"}));
  EXPECT_EQ(heeded("single:gto"), (Names{"warps", "phase_bits", "age_limit"}));
  EXPECT_EQ(heeded("single:youngest"), heeded("single:gto"));
  EXPECT_EQ(heeded("single:paws"), (Names{"warps", "phase_bits", "age_limit", "key_precision"}));
  EXPECT_EQ(heeded("single:cggty"), heeded("single:gto"));
  EXPECT_EQ(heeded("single:tlv"), heeded("single:gto"));
  EXPECT_EQ(heeded("single:sca"), (Names{"warps", "phase_bits", "age_limit", "pair_bits"}));
  EXPECT_EQ(heeded("single:group"), (Names{"warps", "phase_bits", "group", "group_timeout"}));
  EXPECT_EQ(heeded("single:sca-keep"), heeded("single:sca"));
  EXPECT_EQ(heeded("single:paws-window"), heeded("single:paws"));
  EXPECT_EQ(heeded("single:paws-ordered"),
            (Names{"warps", "phase_bits", "age_limit", "key_precision", "compares"}));
  EXPECT_EQ(heeded("two-level:rr"),
            (Names{"warps", "ready", "phase_bits", "age_limit", "wake_oldest"}));
  EXPECT_EQ(heeded("two-level:paws"), (Names{"warps", "ready", "phase_bits", "age_limit",
                                             "wake_oldest", "key_precision", "tie_by_arrival"}));
}

}  // namespace
}  // namespace paws
