// SPDX-License-Identifier: MIT
// Golden model and RTL of the branch masks in lockstep, under a random host: every engine.
#include "engine/lockstep/branch_masks_lockstep.h"

#include <gtest/gtest.h>

#include <bit>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/large_warp/rtl_branch_masks.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "tb/random/drive.h"
#include "tb/random/large_warp_shapes.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

/// Per engine: over half a million cycles in all.
constexpr std::uint64_t kCycles = 15'000;

std::vector<BuiltBranchMasks> all_engines() {
  std::vector<BuiltBranchMasks> all;
  for (const auto engines : {standard_branch_masks(), matrix_branch_masks()}) {
    all.insert(all.end(), engines.begin(), engines.end());
  }
  return all;
}

std::string name_of(const BuiltBranchMasks& engine) {
  const BranchMasksConfig& config = engine.config;
  return std::to_string(config.lanes) + "_" + std::to_string(config.rows) + "_" +
         std::to_string(config.buffers) + (engine.checked ? "_checked" : "");
}

/// Brings the threads of one branch after the other in sub-warps of any order, and counts what it
/// has brought about.
class BranchHost {
 public:
  BranchHost(const BranchMasksConfig& config, std::uint64_t seed)
      : config_(config), random_(seed) {}

  BranchMasksInputs inputs() {
    BranchMasksInputs inputs = anything();
    const bool begins = is_empty(left_);
    if (random_.chance(pauses_)) {
      ++events_[begins ? "pause between branches" : "pause in a branch"];
      after_last_ = false;
      return inputs;
    }
    if (begins) begin();
    inputs.valid = true;
    inputs.mask = 0;
    for (unsigned lane = 0; lane < config_.lanes; ++lane) take_thread(inputs, lane);
    if (inputs.mask == 0) take_any(inputs);
    inputs.taken &= inputs.mask;
    inputs.last = is_empty(left_);
    ++subwarps_;
    if (begins && after_last_) ++events_["a branch right after another"];
    after_last_ = inputs.last;
    if (inputs.last) inputs.active = active_;
    return inputs;
  }

  void see(const BranchMasksInputs& inputs, const BranchMasksOutputs& outputs) {
    if (!inputs.last) {
      if (inputs.valid) {
        for (unsigned lane = 0; lane < config_.lanes; ++lane) {
          if ((inputs.mask >> lane & 1U) == 0) continue;
          ++((inputs.taken >> lane & 1U) != 0 ? takers_ : others_);
        }
      }
      return;
    }
    const bool known = takers_ > 0 && others_ > 0;
    takers_ = others_ = 0;
    ++events_[subwarps_ == 1 ? (outputs.diverged ? "one sub-warp diverges" : "one sub-warp")
              : outputs.diverged
                  ? (known ? "divergence known before" : "divergence known with the last sub-warp")
              : is_empty(outputs.fall) ? "all take it"
                                       : "all fall through"];
    if (threads() == config_.rows * config_.lanes) ++events_["every thread"];
    if (subwarps_ >= config_.rows) ++events_["as many sub-warps as rows"];
    for (unsigned row = 0; row < config_.rows; ++row) {
      EXPECT_EQ(outputs.taken[row] | outputs.fall[row], active_[row]);
    }
  }

  [[nodiscard]] std::vector<std::string> missing() const {
    std::vector<std::string> wanted{"pause between branches", "a branch right after another",
                                    "one sub-warp", "every thread", "as many sub-warps as rows"};
    if (config_.lanes > 1) wanted.emplace_back("one sub-warp diverges");
    if (config_.rows > 1) {
      wanted.insert(wanted.end(), {"pause in a branch", "divergence known with the last sub-warp",
                                   "all take it", "all fall through"});
    }
    if (config_.rows * config_.lanes > 2 && (config_.rows > 2 || config_.lanes > 1) &&
        config_.rows > 1) {
      wanted.emplace_back("divergence known before");
    }
    std::erase_if(wanted, [this](const std::string& event) { return events_.contains(event); });
    return wanted;
  }

 private:
  /// Inputs that mean nothing without a sub-warp.
  BranchMasksInputs anything() {
    BranchMasksInputs inputs;
    const LaneBits all = all_lanes(config_.lanes);
    inputs.mask = static_cast<LaneBits>(random_.bits()) & all;
    inputs.taken = static_cast<LaneBits>(random_.bits()) & all;
    for (unsigned lane = 0; lane < config_.lanes; ++lane) {
      inputs.row[lane] = static_cast<std::uint8_t>(random_.below(config_.rows));
    }
    inputs.active = random_large_warp(random_, config_.rows, config_.lanes);
    return inputs;
  }

  void begin() {
    active_ = left_ = random_large_warp(random_, config_.rows, config_.lanes);
    subwarps_ = 0;
    pauses_ = random_.below(3) * 20;
    fills_ = random_.below(3) == 0 ? 40 : 95;
    outcome_ = random_.below(5);
  }

  [[nodiscard]] unsigned threads() const {
    unsigned count = 0;
    for (const LaneBits row : active_) count += static_cast<unsigned>(std::popcount(row));
    return count;
  }

  /// A thread of this lane that is left, of any row, perhaps.
  void take_thread(BranchMasksInputs& inputs, unsigned lane) {
    if (!random_.chance(fills_)) return;
    const unsigned first = random_.below(config_.rows);
    for (unsigned step = 0; step < config_.rows; ++step) {
      const unsigned row = (first + step) % config_.rows;
      if ((left_[row] >> lane & 1U) == 0) continue;
      bring(inputs, row, lane);
      return;
    }
  }

  void take_any(BranchMasksInputs& inputs) {
    for (unsigned row = 0; row < config_.rows; ++row) {
      for (unsigned lane = 0; lane < config_.lanes; ++lane) {
        if ((left_[row] >> lane & 1U) == 0) continue;
        bring(inputs, row, lane);
        return;
      }
    }
  }

  void bring(BranchMasksInputs& inputs, unsigned row, unsigned lane) {
    const LaneBits bit = LaneBits{1} << lane;
    left_[row] &= ~bit;
    inputs.mask |= bit;
    inputs.row[lane] = static_cast<std::uint8_t>(row);
    // All alike, all but the thread that comes last, or at random.
    bool taken = (outcome_ & 1) != 0;
    if (outcome_ == 4) taken = random_.chance(50);
    if (outcome_ >= 2 && is_empty(left_)) taken = !taken;
    inputs.taken = taken ? inputs.taken | bit : inputs.taken & ~bit;
  }

  BranchMasksConfig config_;
  RandomSource random_;
  LargeWarpMask active_{};
  LargeWarpMask left_{};  ///< threads of the branch that are to come
  unsigned subwarps_ = 0;
  unsigned takers_ = 0;  ///< threads of the branch before its last sub-warp
  unsigned others_ = 0;
  unsigned pauses_ = 0;   ///< percent of the cycles without a sub-warp
  unsigned fills_ = 95;   ///< percent of the lanes that take part if they can
  unsigned outcome_ = 0;  ///< kind of branch
  bool after_last_ = false;
  std::map<std::string, unsigned> events_;
};

class BranchMasksLockstep : public testing::TestWithParam<BuiltBranchMasks> {};

TEST_P(BranchMasksLockstep, AgreesInEveryCycle) {
  const BuiltBranchMasks& engine = GetParam();
  const RunLength run = run_length(kCycles);
  const std::string reproduce = reproduce_text(run);
  std::cout << reproduce << '\n';
  const auto lockstep =
      make_branch_masks_lockstep(engine.config, make_branch_masks(engine.config),
                                 std::unique_ptr<BranchMasks>(engine.create()), reproduce);
  BranchHost host(engine.config, derive_seed(run.seed, name_of(engine), 0));
  try {
    for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
      const BranchMasksInputs inputs = host.inputs();
      host.see(inputs, lockstep->decide(inputs));
      lockstep->commit();
    }
  } catch (const std::runtime_error& difference) {
    FAIL() << difference.what();
  }
  if (run.cycles < kCycles) return;  // too short a run need not meet everything
  for (const std::string& situation : host.missing()) {
    ADD_FAILURE() << "the stimulus never met: " << situation;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, BranchMasksLockstep, testing::ValuesIn(all_engines()),
                         [](const auto& engine) { return name_of(engine.param); });

/// A sub-warp of lane 0 alone.
BranchMasksInputs subwarp_of(unsigned row, bool taken, bool last = false) {
  BranchMasksInputs inputs;
  inputs.valid = true;
  inputs.mask = 1;
  inputs.row[0] = static_cast<std::uint8_t>(row);
  inputs.taken = taken ? 1 : 0;
  inputs.last = last;
  return inputs;
}

TEST(BranchMasksRtl, KeepsNothingOverAReset) {
  for (const BuiltBranchMasks& engine : all_engines()) {
    if (engine.config.rows < 2) continue;
    const std::unique_ptr<BranchMasks> rtl(engine.create());
    rtl->decide(subwarp_of(0, true));
    rtl->commit();
    rtl->reset();
    BranchMasksInputs last = subwarp_of(1, false, true);
    last.active[1] = 1;
    const BranchMasksOutputs outputs = rtl->decide(last);
    rtl->commit();
    EXPECT_EQ(outputs.taken, LargeWarpMask{}) << name_of(engine);
    EXPECT_EQ(outputs.fall, last.active) << name_of(engine);
    EXPECT_FALSE(outputs.diverged) << name_of(engine);
  }
}

TEST(BranchMasksLockstepMessage, ShowsBothSides) {
  const BranchMasksConfig config;
  /// Never diverges.
  class Wrong final : public BranchMasks {
   public:
    void reset() override {}
    BranchMasksOutputs decide(const BranchMasksInputs& /*inputs*/) override { return {}; }
    void commit() override {}
  };
  const auto lockstep = make_branch_masks_lockstep(config, make_branch_masks(config),
                                                   std::make_unique<Wrong>(), "this test");
  lockstep->decide(subwarp_of(0, true));
  lockstep->commit();
  BranchMasksInputs last = subwarp_of(1, false, true);
  last.active[0] = last.active[1] = 1;
  try {
    lockstep->decide(last);
    FAIL() << "no mismatch";
  } catch (const LockstepMismatch& mismatch) {
    const std::string message = mismatch.what();
    EXPECT_EQ(message.find("lockstep: outputs differ in clocked cycle 1\n"
                           "branch masks of 8 rows of 32 lanes, 2 buffers\n"
                           "inputs\n  lanes 1000"),
              0U)
        << message;
    EXPECT_NE(message.find("outputs of the golden model\n  diverged\n"), std::string::npos)
        << message;
    EXPECT_NE(message.find("outputs of the RTL\n  not diverged\n"), std::string::npos) << message;
  }
}

/// The message of checked branch masks after these cycles.
std::string violation_of(const std::vector<BranchMasksInputs>& cycles,
                         const BranchMasksConfig& config = {}) {
  for (const BuiltBranchMasks& engine : all_engines()) {
    if (!engine.checked || engine.config != config) continue;
    const std::unique_ptr<BranchMasks> rtl(engine.create());
    try {
      for (const BranchMasksInputs& inputs : cycles) {
        rtl->decide(inputs);
        rtl->commit();
      }
    } catch (const ContractViolation& violation) {
      return violation.what();
    }
    return "no violation";
  }
  return "no engine";
}

TEST(BranchMasksContract, NoticesEveryBrokenPromise) {
  const auto expect = [](const std::string& message, const std::string& promise) {
    EXPECT_NE(message.find("." + promise + ":"), std::string::npos) << message;
  };
  BranchMasksInputs last = subwarp_of(1, false, true);
  last.active[0] = last.active[1] = 1;
  EXPECT_EQ(violation_of({subwarp_of(0, true), last, subwarp_of(0, true), last}), "no violation");
  expect(violation_of({subwarp_of(0, true), subwarp_of(0, true)}), "thread_comes_once");
  expect(violation_of({last}), "active_threads_came");
  BranchMasksInputs none;
  none.last = true;
  expect(violation_of({none}), "last_is_of_a_subwarp");
  BranchMasksInputs empty = subwarp_of(0, false);
  empty.mask = 0;
  expect(violation_of({empty}), "subwarp_has_a_thread");
  expect(violation_of({subwarp_of(5, false)}, {.lanes = 3, .rows = 5}), "row_exists");
}

TEST(BranchMasksRtl, SaysWhatHasRtl) {
  try {
    make_rtl_branch_masks({.lanes = 16});
    FAIL() << "made";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_EQ(message.find("branch masks of 8 rows of 16 lanes, 2 buffers have no RTL (1 row of 32 "
                           "lanes, 2 buffers; "),
              0U)
        << message;
  }
}

}  // namespace
}  // namespace paws
