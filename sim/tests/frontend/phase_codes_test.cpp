// SPDX-License-Identifier: MIT
#include "sim/frontend/phase_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "sim/frontend/frontend.h"

namespace paws::frontend {
namespace {

using Borders = std::vector<std::uint32_t>;
using Lengths = std::vector<WeightedLength>;

std::uint64_t given_seed() {
  const char* const given = std::getenv("PAWS_SEED");
  return given != nullptr ? std::strtoull(given, nullptr, 0) : 1;
}

/// What two lengths of one class differ by, over all pairs of lengths.
double loss(const Lengths& lengths, const Borders& borders) {
  double sum = 0;
  for (const WeightedLength& a : lengths) {
    for (const WeightedLength& b : lengths) {
      if (a.length >= b.length) continue;
      if (code_of(a.length, borders) != code_of(b.length, borders)) continue;
      sum += a.weight * b.weight * (b.length - a.length);
    }
  }
  return sum;
}

/// The least loss of any `classes` borders, by trying all.
double least_loss(const Lengths& lengths, const Borders& distinct, std::size_t classes) {
  double least = std::numeric_limits<double>::infinity();
  std::vector<bool> is_border(distinct.size() - 1);
  std::fill_n(is_border.begin(), classes - 1, true);
  do {
    Borders borders;
    for (std::size_t i = 0; i < is_border.size(); ++i) {
      if (is_border[i]) borders.push_back(distinct[i]);
    }
    borders.push_back(distinct.back());
    least = std::min(least, loss(lengths, borders));
  } while (std::prev_permutation(is_border.begin(), is_border.end()));
  return least;
}

TEST(PhaseCodes, EachLengthHasItsOwnWhileThereAreEnough) {
  const Lengths lengths{{40, 1}, {7, 3}, {40, 2}, {500, 1}, {9, 1}};
  EXPECT_EQ(class_borders(lengths, 2), (Borders{7, 9, 40, 500}));
  EXPECT_EQ(class_borders(lengths, 5), (Borders{7, 9, 40, 500}));
  EXPECT_EQ(class_borders(Lengths{}, 3), Borders{});
}

TEST(PhaseCodes, BordersStandWhereDifferencesAreLarge) {
  EXPECT_EQ(class_borders(Lengths{{1, 1}, {2, 1}, {3, 1}, {100, 1}, {101, 1}}, 1),
            (Borders{3, 101}));
}

TEST(PhaseCodes, ALengthThatIsMetOftenIsKeptApart) {
  const Borders rare = class_borders(Lengths{{10, 1}, {14, 1}, {20, 1}}, 1);
  const Borders often = class_borders(Lengths{{10, 100}, {14, 100}, {20, 1}}, 1);
  EXPECT_EQ(rare, (Borders{14, 20}));
  EXPECT_EQ(often, (Borders{10, 20})) << "14 and 10 meet ten thousand times as often as 20 and 14";
}

TEST(PhaseCodes, KeepTheOrderAndLoseTheLeast) {
  std::mt19937_64 random(given_seed());
  for (unsigned round = 0; round < 300; ++round) {
    SCOPED_TRACE("PAWS_SEED=" + std::to_string(given_seed()) + ", round " + std::to_string(round));
    const unsigned bits = 1 + static_cast<unsigned>(random() % 2);
    const std::uint32_t longest = round % 2 == 0 ? 30 : 3000;
    Lengths lengths;
    std::set<std::uint32_t> distinct;
    for (auto left = 1 + random() % 10; left > 0; --left) {
      const auto length = static_cast<std::uint32_t>(1 + random() % longest);
      lengths.push_back({length, static_cast<double>(1 + random() % 20)});
      distinct.insert(length);
    }
    const Borders borders = class_borders(lengths, bits);
    ASSERT_EQ(borders.size(), std::min<std::size_t>(distinct.size(), std::size_t{1} << bits));
    ASSERT_TRUE(std::is_sorted(borders.begin(), borders.end()));
    ASSERT_EQ(borders.back(), *distinct.rbegin()) << "none is too long";
    for (const std::uint32_t border : borders) ASSERT_TRUE(distinct.contains(border));
    std::uint16_t before = 0;
    for (const std::uint32_t length : distinct) {
      const std::uint16_t code = code_of(length, borders);
      ASSERT_GE(code, before);
      ASSERT_LT(code, 1U << bits);
      before = code;
    }
    EXPECT_DOUBLE_EQ(
        loss(lengths, borders),
        least_loss(lengths, Borders(distinct.begin(), distinct.end()), borders.size()));
  }
}

constexpr const char* kLoops = R"(.version 7.0
.target sm_20
.address_size 64
.visible .entry loops(.param .u64 to, .param .u32 n)
{
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [to];
  ld.param.u32 %r1, [n];
  mov.u32 %r2, 0;
OUTER:
  ld.global.u32 %r3, [%rd1];
  mov.u32 %r4, 0;
INNER:
  ld.global.u32 %r5, [%rd1+4];
  add.s32 %r3, %r3, %r5;
  add.s32 %r4, %r4, 1;
  setp.lt.u32 %p1, %r4, %r1;
  @%p1 bra INNER;
  st.global.u32 [%rd1+8], %r3;
  add.s32 %r2, %r2, 1;
  setp.lt.u32 %p2, %r2, %r1;
  @%p2 bra OUTER;
  ret;
}
)";

TEST(PhaseCodes, LoopsCountTenfold) {
  const ir::Module module = compile_text(kLoops, "loops.ptx");
  const ir::Kernel& kernel = module.kernels.front();
  const std::vector<double> frequencies = static_frequencies(kernel);
  ASSERT_EQ(frequencies.size(), kernel.code.size());
  EXPECT_EQ(frequencies.front(), 1);
  EXPECT_EQ(frequencies.back(), 1);
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    const ir::Instruction& instruction = kernel.code[pc];
    if (instruction.op == ir::Op::st) {
      EXPECT_EQ(frequencies[pc], 10);
    } else if (instruction.op == ir::Op::bra) {
      EXPECT_EQ(frequencies[pc], instruction.line == 20 ? 100 : 10);
    }
  }
}

TEST(PhaseCodes, OfAKernelAreInTheOrderOfItsPhasesAndDistances) {
  FrontendOptions options;
  options.phase_code = 2;
  const ir::Module module = compile_text(kLoops, "loops.ptx", options);
  const ir::Kernel& kernel = module.kernels.front();
  ASSERT_GE(kernel.phases.size(), 2U);
  for (const ir::Phase& a : kernel.phases) {
    EXPECT_LT(a.code, 4U);
    for (const ir::Phase& b : kernel.phases) {
      EXPECT_TRUE(a.length >= b.length || a.code <= b.code);
    }
  }
  std::uint16_t most = 0;
  for (const ir::Instruction& a : kernel.code) {
    most = std::max(most, a.distance_code);
    for (const ir::Instruction& b : kernel.code) {
      EXPECT_TRUE(a.distance >= b.distance || a.distance_code <= b.distance_code);
    }
  }
  EXPECT_EQ(most, 3U) << "every code is used";
}

/// A kernel of phases of one instruction each.
ir::Kernel kernel_of(const std::vector<std::uint32_t>& lengths) {
  ir::Kernel kernel;
  for (const std::uint32_t length : lengths) {
    const auto pc = static_cast<std::uint32_t>(kernel.code.size());
    kernel.phases.push_back({.first = pc, .last = pc, .length = length});
    ir::Instruction& instruction = kernel.code.emplace_back();
    instruction.op = ir::Op::add;
    instruction.distance = length;
  }
  return kernel;
}

std::vector<unsigned> codes(const ir::Kernel& kernel) {
  std::vector<unsigned> result;
  for (const ir::Phase& phase : kernel.phases) result.push_back(phase.code);
  return result;
}

TEST(PhaseCodes, CanBeThoseOfAWholeProgram) {
  std::vector<ir::Module> modules(2);
  modules[0].kernels.push_back(kernel_of({10, 300}));
  modules[1].kernels.push_back(kernel_of({200, 20, 400}));
  FrontendSettings settings;
  settings.phase_code = 3;
  assign_codes(modules, settings);
  EXPECT_EQ(codes(modules[0].kernels[0]), (std::vector<unsigned>{0, 1})) << "each kernel alone";
  EXPECT_EQ(codes(modules[1].kernels[0]), (std::vector<unsigned>{1, 0, 2}));
  settings.common_code = true;
  assign_codes(modules, settings);
  EXPECT_EQ(codes(modules[0].kernels[0]), (std::vector<unsigned>{0, 3}));
  EXPECT_EQ(codes(modules[1].kernels[0]), (std::vector<unsigned>{2, 1, 4}));
  EXPECT_EQ(modules[1].kernels[0].code[2].distance_code, 4U);
}

TEST(PhaseCodes, KernelsOfAProgramCountTheSame) {
  // With 10 alone in a class the loss is 0.25 x (2 + 4 + 2), with 38 beside it 0.25 x (28 + 2). If
  // the second kernel counted fifty times, 38 and 42 would be kept apart.
  std::vector<ir::Module> modules(1);
  modules[0].kernels.push_back(kernel_of({10, 40}));
  std::vector<std::uint32_t> repeated;
  for (int i = 0; i < 50; ++i) repeated.insert(repeated.end(), {38, 42});
  modules[0].kernels.push_back(kernel_of(repeated));
  FrontendSettings settings;
  settings.phase_code = 1;
  settings.common_code = true;
  assign_codes(modules, settings);
  EXPECT_EQ(codes(modules[0].kernels[0]), (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(modules[0].kernels[1].phases[0].code, 1U);
  EXPECT_EQ(modules[0].kernels[1].phases[1].code, 1U);
}

}  // namespace
}  // namespace paws::frontend
