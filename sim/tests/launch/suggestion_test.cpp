// SPDX-License-Identifier: MIT
#include "sim/support/suggestion.h"

#include <gtest/gtest.h>

namespace paws {
namespace {

TEST(Suggestion, NamesTheNearest) {
  EXPECT_EQ(suggestion("grdi", {"block", "grid", "shared"}), "; did you mean \"grid\"?");
  EXPECT_EQ(suggestion("gird", {"block", "gid", "shared"}), "; did you mean \"gid\"?");
  EXPECT_EQ(suggestion("tolerence", {"buffer", "tolerance"}), "; did you mean \"tolerance\"?");
}

TEST(Suggestion, KnowsWhatTypesAreCalledElsewhere) {
  EXPECT_EQ(suggestion("i32", {"s32", "u32", "b32"}), "; did you mean \"s32\"?");
  EXPECT_EQ(suggestion("double", {"f32", "f64"}), "; did you mean \"f64\"?");
  EXPECT_EQ(suggestion("int", {"grid", "inst"}), "; did you mean \"inst\"?");
}

TEST(Suggestion, ListsWhatIsKnownWhenNothingIsNear) {
  EXPECT_EQ(suggestion("x", {"block", "grid"}), "; known: block, grid");
  EXPECT_EQ(suggestion("x", {}), "");
}

}  // namespace
}  // namespace paws
