// SPDX-License-Identifier: MIT
#include "sim/launch/expression.h"

#include <gtest/gtest.h>

#include <limits>

#include "sim/tests/launch/support.h"

namespace paws {
namespace {

const Location kHere{"here.toml", 7};

std::int64_t value(const std::string& text, const Variables& variables = {}) {
  return Expression(text, kHere).evaluate(variables);
}

std::string error(const std::string& text, const Variables& variables = {}) {
  return test::error_of([&] { (void)value(text, variables); });
}

struct Case {
  const char* text;
  std::int64_t value;
};

class ExpressionValues : public testing::TestWithParam<Case> {};

TEST_P(ExpressionValues, AreThoseOfC) {
  EXPECT_EQ(value(GetParam().text, {{"n", 100}, {"k", 3}, {"block_size", 16}}), GetParam().value)
      << GetParam().text;
}

INSTANTIATE_TEST_SUITE_P(
    All, ExpressionValues,
    testing::Values(Case{"7", 7}, Case{" 7 ", 7}, Case{"n", 100}, Case{"1+2*3", 7},
                    Case{"(1+2)*3", 9}, Case{"10-3-2", 5}, Case{"100/7/2", 7}, Case{"17%5*2", 4},
                    Case{"-7/2", -3}, Case{"-7%3", -1}, Case{"--5", 5}, Case{"2--3", 5},
                    Case{"-(2+3)", -5}, Case{"n - block_size*k - 16", 36}, Case{"min(4, 2, 3)", 2},
                    Case{"max(n, 2)", 100}, Case{"ceildiv(n, 16)", 7}, Case{"ceildiv(96, 16)", 6},
                    Case{"ceildiv(-7, 2)", -3}, Case{"ceildiv(7, -2)", -3},
                    Case{"ceildiv(-7, -2)", 4}, Case{"pow(2, 10)", 1024}, Case{"pow(2, 0)", 1},
                    Case{"pow(-1, 4000000000001)", -1}, Case{"pow(0, 4000000000001)", 0},
                    Case{"min(max(1, 2), ceildiv(9, 2))", 2},
                    Case{"9223372036854775807", std::numeric_limits<std::int64_t>::max()},
                    Case{"-9223372036854775807 - 1", std::numeric_limits<std::int64_t>::min()},
                    Case{"(-9223372036854775807 - 1) % -1", 0}));

TEST(Expression, NamesPlaceAndCauseOfAnError) {
  EXPECT_EQ(error("1 +"),
            "here.toml:7: expression \"1 +\": ends where a number, a name or \"(\" is expected");
  EXPECT_EQ(error("1 $ 2"), "here.toml:7: expression \"1 $ 2\": unexpected \"$\" at column 3");
  EXPECT_EQ(error("1 2"), "here.toml:7: expression \"1 2\": unexpected \"2\" at column 3");
  EXPECT_EQ(error("(1"), "here.toml:7: expression \"(1\": \")\" is missing");
  EXPECT_EQ(error("min(1"), "here.toml:7: expression \"min(1\": \")\" is missing");
  EXPECT_EQ(error("1.5"), "here.toml:7: expression \"1.5\": only integers are allowed");
  EXPECT_EQ(error("3x"), "here.toml:7: expression \"3x\": only integers are allowed");
  EXPECT_EQ(error(""),
            "here.toml:7: expression \"\": ends where a number, a name or \"(\" is expected");
  EXPECT_EQ(error("widht", {{"width", 1}}),
            "here.toml:7: expression \"widht\": unknown variable \"widht\"; did you mean "
            "\"width\"?");
  EXPECT_EQ(error("mix(1, 2)"),
            "here.toml:7: expression \"mix(1, 2)\": unknown function \"mix\"; did you mean "
            "\"min\"?");
  EXPECT_EQ(error("min(1)"), "here.toml:7: expression \"min(1)\": min takes two or more arguments");
  EXPECT_EQ(error("ceildiv(1, 2, 3)"),
            "here.toml:7: expression \"ceildiv(1, 2, 3)\": ceildiv takes two arguments");
}

TEST(Expression, RefusesWhatHasNoValue) {
  EXPECT_EQ(error("1 / 0"), "here.toml:7: expression \"1 / 0\": division by zero");
  EXPECT_EQ(error("1 % 0"), "here.toml:7: expression \"1 % 0\": division by zero");
  EXPECT_EQ(error("ceildiv(1, 0)"), "here.toml:7: expression \"ceildiv(1, 0)\": division by zero");
  EXPECT_EQ(error("pow(2, -1)"), "here.toml:7: expression \"pow(2, -1)\": negative exponent");
  const std::string big = "9223372036854775807";
  for (const std::string& text :
       {big + " + 1", "-" + big + " - 2", big + " * 2", std::string("pow(10, 19)"),
        "(-" + big + " - 1) / -1", "-(-" + big + " - 1)", "ceildiv(-" + big + " - 1, -1)"}) {
    EXPECT_NE(error(text).find("does not fit 64 bits"), std::string::npos) << text;
  }
  EXPECT_NE(error("9223372036854775808").find("does not fit 64 bits"), std::string::npos);
}

TEST(Expression, DeepNestingIsAnErrorNotACrash) {
  const std::string deep = std::string(100000, '(') + "1" + std::string(100000, ')');
  EXPECT_NE(error(deep).find("nested too deeply"), std::string::npos);
  EXPECT_EQ(value(std::string(60, '(') + "1" + std::string(60, ')')), 1);
  EXPECT_EQ(value(std::string(100000, '-') + "1"), 1);
}

TEST(Expression, ChecksBounds) {
  EXPECT_EQ(Expression("2 * n", kHere).evaluate({{"n", 3}}, "\"count\"", 1, 6), 6);
  EXPECT_EQ(
      test::error_of([] { (void)Expression("2 * n", kHere).evaluate({{"n", 4}}, "grid x", 1, 6); }),
      "here.toml:7: grid x is 8 (2 * n), allowed are 1 to 6");
  EXPECT_EQ(test::error_of([] { (void)Expression(0, kHere).evaluate({}, "grid x", 1, 6); }),
            "here.toml:7: grid x is 0, allowed are 1 to 6");
}

TEST(Expression, ListsItsNames) {
  EXPECT_EQ(Expression("a + min(b, a)", kHere).names(), (std::vector<std::string>{"a", "b", "a"}));
}

}  // namespace
}  // namespace paws
