// SPDX-License-Identifier: MIT
// rtl/example/m2090_schedulers.sv: two schedulers wired as a core needs them, each against its
// golden model in every cycle. What can be wrong here is the wiring.
#include <gtest/gtest.h>

#include <array>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "VExample.h"
#include "engine/engine_parameters.h"
#include "model/registry.h"
#include "tb/random/drive.h"
#include "tb/random/host.h"

namespace paws {
namespace {

constexpr unsigned kSchedulers = 2;
constexpr unsigned kSlots = 24;
constexpr unsigned kLengthBits = 9;  // LENGTH_W of the example
constexpr unsigned kSlotBits = 5;

struct Side {
  std::unique_ptr<Scheduler> model;
  std::unique_ptr<Host> host;
  SchedulerInputs inputs;
  SchedulerOutputs outputs;
};

void set_bit(QData& mask, unsigned warp, WarpMask of_scheduler, unsigned slot) {
  mask |= QData{of_scheduler >> slot & 1} << warp;
}

/// Puts both sides' inputs on the core's ports, warp by warp of the core.
void drive_ports(VExample& top, const std::array<Side, kSchedulers>& sides) {
  top.issuable_i = top.waits_i = top.long_outstanding_i = top.exit_i = 0;
  top.launch_valid_i = 0;
  top.launch_slot_i = 0;
  for (WData& word : top.length_i.m_storage) word = 0;
  for (unsigned warp = 0; warp < kSchedulers * kSlots; ++warp) {
    const unsigned slot = warp / kSchedulers;
    const SchedulerInputs& inputs = sides[warp % kSchedulers].inputs;
    set_bit(top.issuable_i, warp, inputs.issuable, slot);
    set_bit(top.waits_i, warp, inputs.waits, slot);
    set_bit(top.long_outstanding_i, warp, inputs.long_outstanding, slot);
    set_bit(top.exit_i, warp, inputs.exits, slot);
    const unsigned length = std::min<unsigned>(inputs.phase[slot], (1U << kLengthBits) - 1);
    for (unsigned bit = 0; bit < kLengthBits; ++bit) {
      const unsigned at = warp * kLengthBits + bit;
      top.length_i.m_storage[at / 32] |= (length >> bit & 1U) << at % 32;
    }
  }
  for (unsigned s = 0; s < kSchedulers; ++s) {
    top.launch_valid_i |= static_cast<CData>(unsigned{sides[s].inputs.launch_valid} << s);
    top.launch_slot_i |= static_cast<SData>(sides[s].inputs.launch_warp << s * kSlotBits);
  }
}

class Example : public testing::TestWithParam<std::string> {};

TEST_P(Example, DecidesAsTwoGoldenModelsDo) {
  const RunLength run = run_length(20'000);
  std::cout << reproduce_text(run) << '\n';
  SchedulerConfig config;
  ASSERT_EQ(set_scheduler_name(config, "two-level:" + GetParam()), std::nullopt);
  std::array<Side, kSchedulers> sides;
  for (unsigned s = 0; s < kSchedulers; ++s) {
    sides[s].model = make_model(config);
    sides[s].host =
        make_realistic_host(config, scenarios().front(), derive_seed(run.seed, GetParam(), s));
  }
  VerilatedContext context;
  context.randReset(2);
  context.fatalOnError(false);  // a violated assertion shows in gotError()
  VExample top(&context);
  top.policy_i = static_cast<CData>(policy_code(config.level, config.policy));
  auto clock = [&top] {
    top.clk_i = 1;
    top.eval();
    top.clk_i = 0;
    top.eval();
  };
  top.rst_ni = 0;
  drive_ports(top, sides);
  top.clk_i = 0;
  top.eval();  // edges are seen against the evaluation before
  clock();
  top.rst_ni = 1;

  std::uint64_t issues = 0;
  for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
    const unsigned turn = cycle % kSchedulers;
    for (unsigned s = 0; s < kSchedulers; ++s) {
      sides[s].inputs = sides[s].host->inputs();
      sides[s].inputs.issue_en = s == turn;
      sides[s].outputs = sides[s].model->decide(sides[s].inputs);
    }
    drive_ports(top, sides);
    top.eval();
    const SchedulerOutputs& expected = sides[turn].outputs;
    ASSERT_EQ(top.issue_valid_o != 0, expected.issue_valid) << "cycle " << cycle;
    ASSERT_EQ(top.issue_warp_o, expected.issue_valid ? expected.issue_warp * kSchedulers + turn : 0)
        << "cycle " << cycle;
    ASSERT_EQ(top.quiet_o != 0, sides[0].outputs.quiet && sides[1].outputs.quiet)
        << "cycle " << cycle;
    issues += expected.issue_valid ? 1 : 0;
    clock();
    ASSERT_FALSE(context.gotError()) << "an assertion failed in cycle " << cycle;
    for (Side& side : sides) {
      side.model->commit();
      side.host->advance(side.outputs);
    }
  }
  EXPECT_GT(issues, run.cycles / 8);
}

/// What is printed in a cycle with policy_i = `second` behind cycles with `first`: the assertion
/// that fails, or nothing.
std::string violation_of_policies(unsigned first, unsigned second, bool reset_between) {
  VerilatedContext context;
  context.fatalOnError(false);
  VExample top(&context);
  const auto cycle = [&top](bool reset, unsigned policy) {
    top.rst_ni = reset ? 0 : 1;
    top.policy_i = static_cast<CData>(policy);
    top.clk_i = 0;
    top.eval();
    top.clk_i = 1;
    top.eval();
  };
  cycle(true, first);
  cycle(true, first);
  cycle(false, first);
  EXPECT_FALSE(context.gotError());
  if (reset_between) cycle(true, second);
  testing::internal::CaptureStdout();
  cycle(false, second);
  const std::string printed = testing::internal::GetCapturedStdout();
  EXPECT_EQ(context.gotError(), !printed.empty());
  return printed;
}

TEST(ExampleContract, NoticesAPolicyThatChangesOutsideReset) {
  const unsigned paws = policy_code(Level::two_level, "paws");
  const unsigned gto = policy_code(Level::two_level, "gto");
  EXPECT_NE(
      violation_of_policies(paws, gto, /*reset_between=*/false).find(".policy_is_stable: host: "),
      std::string::npos);
  EXPECT_EQ(violation_of_policies(paws, gto, /*reset_between=*/true), "");
  EXPECT_EQ(violation_of_policies(paws, paws, /*reset_between=*/false), "");
}

std::vector<std::string> names() {
  std::vector<std::string> all;
  for (const Policy& policy : policies()) {
    if (policy.level == Level::two_level && policy.rtl_code) all.push_back(policy.name);
  }
  return all;
}

INSTANTIATE_TEST_SUITE_P(Policies, Example, testing::ValuesIn(names()),
                         [](const auto& policy) { return policy.param; });

}  // namespace
}  // namespace paws
