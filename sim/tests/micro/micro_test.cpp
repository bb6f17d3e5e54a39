// SPDX-License-Identifier: MIT
// Every benchmark of workloads/micro/benchmarks.toml is a test: the measurement against its
// expectation, and against what docs/evidence/agreement.md says.

#include <gtest/gtest.h>

#include <fstream>
#include <ostream>
#include <sstream>

#include "sim/support/error.h"
#include "sim/tests/micro/benchmark.h"
#include "sim/tests/micro/formula.h"
#include "sim/tests/micro/page.h"

namespace paws::micro {

/// For GoogleTest's messages.
void PrintTo(const Benchmark& benchmark, std::ostream* out) { *out << benchmark.name; }

namespace {

const char* const kStale =
    "docs/evidence/agreement.md is stale: cmake --build build --target agreement_page";

/// Its part of the page.
std::string committed_page() {
  std::ifstream file(PAWS_MICRO_PAGE);
  std::stringstream text;
  text << file.rdbuf();
  const auto [first, length] = place(text.str());
  return text.str().substr(first, length);
}

std::vector<Benchmark> chosen(bool rtl) {
  std::vector<Benchmark> out;
  for (const Benchmark& benchmark : load_table().benchmarks) {
    if (!rtl || benchmark.rtl) out.push_back(benchmark);
  }
  return out;
}

std::string test_name(const testing::TestParamInfo<Benchmark>& test) { return test.param.name; }

class Micro : public testing::TestWithParam<Benchmark> {};

TEST_P(Micro, MeetsItsExpectation) {
  const Benchmark& benchmark = GetParam();
  std::vector<Result> results;
  for (const Point& point : benchmark.points) {
    results.push_back(measure(benchmark, point));
    EXPECT_TRUE(results.back().passes(benchmark))
        << benchmark.name << " " << point.label << ": measured " << results.back().measured << " "
        << benchmark.unit << ", expected " << results.back().expected
        << (benchmark.limit ? " at most" : "") << " within " << 100 * benchmark.tolerance << " %";
  }
  const std::string now = row(benchmark, results);
  EXPECT_TRUE(has_row(committed_page(), now)) << kStale << "\nmissing: " << now;
}

INSTANTIATE_TEST_SUITE_P(All, Micro, testing::ValuesIn(chosen(false)), test_name);

class MicroRtl : public testing::TestWithParam<Benchmark> {};

TEST_P(MicroRtl, TakesTheSameCycles) {
  const Benchmark& benchmark = GetParam();
  const Point& point = benchmark.points.back();
  EXPECT_EQ(measure(benchmark, point, Engine::rtl).cycles, measure(benchmark, point).cycles);
}

INSTANTIATE_TEST_SUITE_P(All, MicroRtl, testing::ValuesIn(chosen(true)), test_name);

TEST(MicroPage, HasEveryBenchmarkAndNothingElse) {
  const std::string expected = page(load_table(), [](const Benchmark& benchmark) {
    return std::vector<Result>(benchmark.points.size());
  });
  EXPECT_EQ(without_numbers(committed_page()), without_numbers(expected)) << kStale;
}

TEST(MicroPage, IsBetweenTheMarks) {
  const std::string before = "# Title\n<!-- micro_page writes from here -->\n";
  const auto [first, length] = place(before + "part\n<!-- to here -->\n");
  EXPECT_EQ(first, before.size());
  EXPECT_EQ(length, 5U);
  EXPECT_THROW(place("# Title\n<!-- to here -->\n"), InputError);
  EXPECT_THROW(place(before), InputError);
}

TEST(MicroPage, NoticesOldNumbers) {
  Benchmark benchmark;
  benchmark.name = "name";
  benchmark.swept = "x";
  benchmark.points = {{"x = 1", 1, {}, {}}, {"x = 2", 2, {}, {}}};
  auto now = [&](double first, double second) {
    return row(benchmark, {{first, 10, 0}, {second, 20, 0}});
  };
  const std::string page = "text\n" + now(10, 20) + "\n";
  EXPECT_TRUE(has_row(page, now(10, 20)));
  EXPECT_TRUE(has_row(page, now(10.1, 19.8)));
  EXPECT_FALSE(has_row(page, now(10, 21)));
  EXPECT_FALSE(has_row(page, now(9, 20)));
  benchmark.name = "other";
  EXPECT_FALSE(has_row(page, now(10, 20)));
}

TEST(MicroPage, ASweepHasOneRow) {
  Benchmark benchmark;
  benchmark.name = "name";
  benchmark.what = "what";
  benchmark.swept = "x";
  benchmark.points = {{"x = 1", 1, {}, {}}, {"x = 2", 2, {}, {}}};
  const std::vector<Result> results = {{9, 10, 0}, {19, 20, 0}};
  EXPECT_TRUE(
      row(benchmark, results).starts_with("| `name`: what; x = 1, 2 | 9.00, 19.0 | 10.0, 20.0 |"));
  benchmark.drawn = true;
  EXPECT_TRUE(
      row(benchmark, results).starts_with("| `name`: what; furthest of 2 points | 9.00 | 10.0 |"));
}

TEST(MicroFormula, ComputesAsWritten) {
  auto value = [](const std::string& text) {
    return evaluate(text, [](const std::string& name) -> double {
      if (name == "core.warps") return 48;
      throw InputError("unknown name " + name);
    });
  };
  EXPECT_EQ(value("1 + 2 * 3 - 8 / 4 / 2"), 6);
  EXPECT_EQ(value("(1 + 2) * (3 - 8)"), -15);
  EXPECT_EQ(value("core.warps / 32"), 1.5);
  EXPECT_EQ(value("if(core.warps <= 48, min(3, 2, 4), max(1, 7))"), 2);
  EXPECT_EQ(value("if(core.warps < 48, 1, ceil(0.5) + floor(2.5) + gcd(12, 32))"), 7);
  for (const char* wrong : {"", "1 +", "(1", "1 2", "speed(1)", "if(1, 2)", "unknown", "1 < "}) {
    EXPECT_THROW(value(wrong), InputError) << wrong;
  }
}

TEST(MicroResult, ALimitIsNeverExceeded) {
  Benchmark benchmark;
  benchmark.tolerance = 0.1;
  EXPECT_TRUE((Result{1.05, 1, 0}.passes(benchmark)));
  EXPECT_FALSE((Result{1.15, 1, 0}.passes(benchmark)));
  EXPECT_FALSE((Result{0.85, 1, 0}.passes(benchmark)));
  benchmark.limit = true;
  EXPECT_FALSE((Result{1.05, 1, 0}.passes(benchmark)));
  EXPECT_TRUE((Result{0.95, 1, 0}.passes(benchmark)));
  EXPECT_FALSE((Result{0.85, 1, 0}.passes(benchmark)));
}

}  // namespace
}  // namespace paws::micro
