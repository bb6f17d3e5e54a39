// SPDX-License-Identifier: MIT
// Golden model and RTL of the block monitor in lockstep, under a random host: every engine.
#include "engine/lockstep/block_monitor_lockstep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/block_monitor/rtl_block_monitor.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "tb/random/drive.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

/// Per engine: over seven hundred thousand cycles in all.
constexpr std::uint64_t kCycles = 40'000;

std::vector<BuiltBlockMonitor> all_engines() {
  std::vector<BuiltBlockMonitor> all;
  for (const auto engines : {standard_block_monitors(), matrix_block_monitors()}) {
    all.insert(all.end(), engines.begin(), engines.end());
  }
  return all;
}

std::string name_of(const BuiltBlockMonitor& engine) {
  const BlockMonitorConfig& config = engine.config;
  return std::to_string(config.slots) + "_" + std::to_string(config.ports) + "_" +
         std::to_string(config.count_bits) + "_" +
         std::to_string(static_cast<unsigned>(config.rounding)) +
         (engine.checked ? "_checked" : "");
}

/// Keeps the promises of a host, while there are any, and counts what it has brought about.
class MonitorHost {
 public:
  MonitorHost(const BlockMonitorConfig& config, std::uint64_t seed)
      : config_(config), random_(seed) {
    begin();
  }

  /// The inputs of the next cycle; `now` is what the monitor says in it.
  BlockMonitorInputs inputs(const BlockMonitorOutputs& now) {
    BlockMonitorInputs inputs;
    // Most runs are left to their end, and some go on behind it.
    const unsigned percent = now.done ? 30 : now.busy ? cut_short_ : restarts_;
    inputs.restart = random_.below(1000) < percent * (now.done ? 10 : 1);
    if (inputs.restart) {
      ++events_[now.done ? "restart, done" : now.busy ? "restart, busy" : "restart, counting"];
      begin();
    } else if (now.busy || now.done) {
      return meaningless(now);
    }

    inputs.starts = random_mask() & random_mask() & ~resident_;
    if (random_.chance(rests_)) inputs.starts = 0;
    resident_ |= inputs.starts;
    issue(inputs);
    for (unsigned port = 0; port < config_.ports; ++port) {
      if (inputs.issues[port] && random_.below(ends_) == 0)
        inputs.ends |= 1U << *inputs.issues[port];
    }
    note(inputs);
    return inputs;
  }

  void see(const BlockMonitorOutputs& outputs) {
    if (!outputs.done) return;
    const auto most = static_cast<unsigned>(std::popcount(resident_));
    EXPECT_GE(outputs.limit, 1U);
    EXPECT_LE(outputs.limit, most);
    if (outputs.limit == 1 && most > 1) ++events_["a limit of one"];
    if (outputs.limit > 1 && outputs.limit < most) ++events_["a limit between"];
    if (outputs.limit == most && most > 1) ++events_["a limit of all"];
    if (most == config_.slots) ++events_["all slots resident"];
  }

  /// Situations that never came, of those that the configuration allows.
  [[nodiscard]] std::vector<std::string> missing() const {
    std::vector<std::string> wanted{"restart, counting", "restart, busy",     "restart, done",
                                    "issue, busy",       "issue, done",       "start, busy",
                                    "end, busy",         "start and end",     "restart and end",
                                    "start and issue",   "all slots resident"};
    if (config_.slots > 1) wanted.emplace_back("a limit of one");
    // More slots seldom issue equally often.
    if (config_.slots > 1 && config_.slots <= 8) wanted.emplace_back("a limit of all");
    if (config_.slots > 2) wanted.emplace_back("a limit between");
    if (config_.ports > 1) wanted.emplace_back("several issues from a slot");
    if (config_.ports > 1 && config_.slots > 1) wanted.emplace_back("several ends");
    if (config_.count_bits <= 7) {
      for (const char* more : {"a count overflows", "a count overflows twice"}) {
        wanted.emplace_back(more);
      }
    }
    std::erase_if(wanted, [this](const std::string& event) { return events_.contains(event); });
    return wanted;
  }

 private:
  /// A launch of another kind.
  void begin() {
    resident_ = 0;
    issued_.fill(0);
    favourite_ = random_.below(config_.slots);
    idle_ = random_.below(3) * 40;
    greed_ = random_.below(4) * 33;
    rests_ = random_.below(4) * 33;
    cut_short_ = random_.below(4) == 0 ? 100 : 2;
    restarts_ = random_.below(4) == 0 ? 50 : 1;
    static constexpr std::array<std::uint32_t, 5> kEnds{1, 8, 40, 200, 1000};
    ends_ = kEnds[random_.below(kEnds.size())];
  }

  std::uint32_t random_mask() {
    const auto bits = static_cast<std::uint32_t>(random_.bits());
    return config_.slots == 32 ? bits : bits & ((1U << config_.slots) - 1);
  }

  std::uint8_t resident_slot() {
    if (((resident_ >> favourite_) & 1) != 0 && random_.chance(greed_)) {
      return static_cast<std::uint8_t>(favourite_);
    }
    unsigned slot = random_.below(config_.slots);
    while (((resident_ >> slot) & 1) == 0) slot = (slot + 1) % config_.slots;
    return static_cast<std::uint8_t>(slot);
  }

  void issue(BlockMonitorInputs& inputs) {
    if (resident_ == 0) return;
    for (unsigned port = 0; port < config_.ports; ++port) {
      if (!random_.chance(idle_)) inputs.issues[port] = resident_slot();
    }
  }

  /// After the end of counting nothing is promised.
  BlockMonitorInputs meaningless(const BlockMonitorOutputs& now) {
    BlockMonitorInputs inputs;
    inputs.starts = random_mask();
    inputs.ends = random_mask() & random_mask();
    for (unsigned port = 0; port < config_.ports; ++port) {
      if (!random_.chance(idle_)) {
        inputs.issues[port] = static_cast<std::uint8_t>(random_.below(config_.slots));
      }
    }
    const std::string when = now.done ? ", done" : ", busy";
    if (inputs.issues[0]) ++events_["issue" + when];
    if (inputs.starts != 0) ++events_["start" + when];
    if (inputs.ends != 0) ++events_["end" + when];
    return inputs;
  }

  void note(const BlockMonitorInputs& inputs) {
    std::array<unsigned, kMonitorSlots> of_cycle{};
    for (unsigned port = 0; port < config_.ports; ++port) {
      if (!inputs.issues[port]) continue;
      const unsigned slot = *inputs.issues[port];
      if (++of_cycle[slot] > 1) ++events_["several issues from a slot"];
      if (((inputs.starts >> slot) & 1) != 0) ++events_["start and issue"];
      // Without halving the count would be too large by now.
      const std::uint64_t issued = ++issued_[slot];
      if (issued == std::uint64_t{1} << config_.count_bits) ++events_["a count overflows"];
      if (issued == std::uint64_t{2} << config_.count_bits) ++events_["a count overflows twice"];
    }
    if (inputs.ends != 0 && inputs.starts != 0) ++events_["start and end"];
    if (inputs.ends != 0 && inputs.restart) ++events_["restart and end"];
    if (std::popcount(inputs.ends) > 1) ++events_["several ends"];
  }

  BlockMonitorConfig config_;
  RandomSource random_;
  std::uint32_t resident_ = 0;
  std::array<std::uint64_t, kMonitorSlots> issued_{};
  unsigned favourite_ = 0;  ///< slot that issues more often than the others
  unsigned idle_ = 0;       ///< percent of the cycles in which a port does not issue
  unsigned greed_ = 0;      ///< percent of the issues that go to the favourite
  unsigned rests_ = 0;      ///< percent of the cycles in which no block starts
  unsigned cut_short_ = 0;  ///< per mille of the busy cycles with a restart
  unsigned restarts_ = 0;   ///< per mille of the counting cycles with a restart
  std::uint32_t ends_ = 1;  ///< issues to one end
  std::map<std::string, unsigned> events_;
};

class BlockMonitorLockstep : public testing::TestWithParam<BuiltBlockMonitor> {};

TEST_P(BlockMonitorLockstep, AgreesInEveryCycle) {
  const BuiltBlockMonitor& engine = GetParam();
  const RunLength run = run_length(kCycles);
  const std::string reproduce = reproduce_text(run);
  std::cout << reproduce << '\n';
  const auto lockstep =
      make_block_monitor_lockstep(engine.config, make_block_monitor(engine.config),
                                  std::unique_ptr<BlockMonitor>(engine.create()), reproduce);
  MonitorHost host(engine.config, derive_seed(run.seed, name_of(engine), 0));
  try {
    for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
      lockstep->clock(host.inputs(lockstep->outputs()));
      host.see(lockstep->outputs());
    }
  } catch (const std::runtime_error& difference) {
    FAIL() << difference.what();
  }
  if (run.cycles < kCycles) return;  // too short a run need not meet everything
  for (const std::string& situation : host.missing()) {
    ADD_FAILURE() << "the stimulus never met: " << situation;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, BlockMonitorLockstep, testing::ValuesIn(all_engines()),
                         [](const auto& engine) { return name_of(engine.param); });

const BuiltBlockMonitor& checked(const BlockMonitorConfig& config) {
  const auto engines = standard_block_monitors();
  return *std::find_if(engines.begin(), engines.end(), [&config](const BuiltBlockMonitor& built) {
    return built.checked && built.config.rounding == config.rounding;
  });
}

/// A cycle in which `slot` issues at every port.
BlockMonitorInputs issue_of(std::uint8_t slot, unsigned ports = 2) {
  BlockMonitorInputs inputs;
  for (unsigned port = 0; port < ports; ++port) inputs.issues[port] = slot;
  return inputs;
}

TEST(BlockMonitorOverflow, HalvesAtTwentyBits) {
  for (unsigned rounding = 0; rounding < kRoundings; ++rounding) {
    BlockMonitorConfig config;
    config.rounding = static_cast<Rounding>(rounding);
    const auto lockstep = make_block_monitor_lockstep(config, "this test");
    BlockMonitorInputs inputs;
    inputs.starts = 0b1010'0001;
    lockstep->clock(inputs);
    for (unsigned cycle = 0; cycle < (1U << 20) + 100; ++cycle) {
      inputs = issue_of(5);
      inputs.issues[1] = cycle % 3 == 0 ? 7 : 0;
      lockstep->clock(inputs);
    }
    inputs.ends = 1U << 5;
    lockstep->clock(inputs);
    for (unsigned cycle = 0; cycle < 2 * config.slots; ++cycle) lockstep->clock({});
    EXPECT_TRUE(lockstep->outputs().done);
    // A half, a third and a sixth of the issues.
    EXPECT_EQ(lockstep->outputs().limit, 2U);
  }
}

// Counts 4, 3, 2 and 1: the example of the paper, 10 / 4.
TEST(BlockMonitorRtl, RoundsTheExampleOfThePaper) {
  constexpr std::array<unsigned, kRoundings> kLimits{2, 3, 3};
  for (unsigned rounding = 0; rounding < kRoundings; ++rounding) {
    BlockMonitorConfig config;
    config.rounding = static_cast<Rounding>(rounding);
    const auto rtl = make_rtl_block_monitor(config);
    BlockMonitorInputs inputs;
    inputs.starts = 0b1111;
    rtl->clock(inputs);
    for (const std::uint8_t slot : {0, 0, 0, 1, 1, 1, 2, 2, 3}) rtl->clock(issue_of(slot, 1));
    inputs = issue_of(0, 1);
    inputs.ends = 1;
    rtl->clock(inputs);
    for (unsigned cycle = 0; cycle < 2 * config.slots; ++cycle) {
      EXPECT_EQ(rtl->outputs(), (BlockMonitorOutputs{.busy = true, .done = false, .limit = 0}));
      rtl->clock({});
    }
    EXPECT_EQ(rtl->outputs(),
              (BlockMonitorOutputs{.busy = false, .done = true, .limit = kLimits[rounding]}));
  }
}

TEST(BlockMonitorLockstepMessage, ShowsBothSides) {
  BlockMonitorConfig config;
  BlockMonitorConfig other = config;
  other.rounding = Rounding::up;
  const auto lockstep = make_block_monitor_lockstep(config, make_block_monitor(config),
                                                    make_rtl_block_monitor(other), "this test");
  BlockMonitorInputs inputs = issue_of(0);
  inputs.starts = 0b11;
  inputs.issues[1] = 1;
  lockstep->clock(inputs);
  inputs = issue_of(1, 1);
  inputs.ends = 0b10;
  lockstep->clock(inputs);
  try {
    for (unsigned cycle = 0; cycle < 2 * config.slots; ++cycle) lockstep->clock({});
    FAIL() << "no mismatch";
  } catch (const LockstepMismatch& mismatch) {
    EXPECT_STREQ(mismatch.what(),
                 "lockstep: outputs differ after the clock edge in clocked cycle 17\n"
                 "block monitor of 8 slots, 2 ports, 20-bit counts, rounded down\n"
                 "inputs\n"
                 "  restart  0\n"
                 "  starts   none\n"
                 "  issues   - -\n"
                 "  ends     none\n"
                 "outputs\n"
                 "  golden model  not busy, done, limit 1\n"
                 "  RTL           not busy, done, limit 2\n"
                 "reproduce with: this test");
  }
}

/// The message of the RTL alone after a block has started in slot 0, and these inputs.
std::string violation_of(const BlockMonitorInputs& inputs) {
  const std::unique_ptr<BlockMonitor> rtl(checked({}).create());
  BlockMonitorInputs start;
  start.starts = 1;
  rtl->clock(start);
  try {
    rtl->clock(inputs);
  } catch (const ContractViolation& violation) {
    return violation.what();
  }
  return "no violation";
}

void expect_promise(const BlockMonitorInputs& inputs, const std::string& name) {
  EXPECT_NE(violation_of(inputs).find("." + name + ":"), std::string::npos) << violation_of(inputs);
}

TEST(BlockMonitorContract, NoticesEveryBrokenPromise) {
  EXPECT_EQ(violation_of(issue_of(0)), "no violation");
  BlockMonitorInputs inputs;
  inputs.starts = 1;
  expect_promise(inputs, "start_slot_is_free");
  inputs.restart = true;
  EXPECT_EQ(violation_of(inputs), "no violation");
  expect_promise(issue_of(3), "issuing_block_is_resident");
  inputs = issue_of(0);
  inputs.restart = true;
  expect_promise(inputs, "issuing_block_is_resident");
  inputs = {};
  inputs.ends = 1;
  expect_promise(inputs, "ended_block_issues");
  inputs = issue_of(0);
  inputs.ends = 3;
  expect_promise(inputs, "ended_block_is_resident");
}

TEST(BlockMonitorContract, NoticesAnIssueFromASlotThatDoesNotExist) {
  const auto engines = matrix_block_monitors();
  const auto of_five = std::find_if(engines.begin(), engines.end(),
                                    [](const auto& built) { return built.config.slots == 5; });
  const std::unique_ptr<BlockMonitor> rtl(of_five->create());
  try {
    rtl->clock(issue_of(5, 1));
    FAIL() << "no violation";
  } catch (const ContractViolation& violation) {
    EXPECT_NE(std::string(violation.what()).find("issue_slot_exists"), std::string::npos);
  }
}

TEST(BlockMonitorRtl, SaysWhatHasRtl) {
  BlockMonitorConfig config;
  config.slots = 16;
  try {
    make_rtl_block_monitor(config);
    FAIL() << "made";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(),
                 "a block monitor of 16 slots, 2 ports, 20-bit counts, rounded down has no RTL (8 "
                 "slots, 2 ports, 20-bit counts, rounded down; 8 slots, 2 ports, 20-bit counts, "
                 "rounded to nearest; 8 slots, 2 ports, 20-bit counts, rounded up have)");
  }
}

}  // namespace
}  // namespace paws
