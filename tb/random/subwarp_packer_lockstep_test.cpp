// SPDX-License-Identifier: MIT
// Golden model and RTL of the sub-warp packer in lockstep, under a random host: every engine.
#include "engine/lockstep/subwarp_packer_lockstep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <iostream>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/large_warp/rtl_subwarp_packer.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "tb/random/drive.h"
#include "tb/random/large_warp_shapes.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

/// Per engine of up to seven rows, more with more: over a million cycles in all.
constexpr std::uint64_t kCycles = 20'000;

std::vector<BuiltSubwarpPacker> all_engines() {
  std::vector<BuiltSubwarpPacker> all;
  for (const auto engines : {standard_subwarp_packers(), matrix_subwarp_packers()}) {
    all.insert(all.end(), engines.begin(), engines.end());
  }
  return all;
}

std::string name_of(const BuiltSubwarpPacker& engine) {
  const SubwarpPackerConfig& config = engine.config;
  return std::to_string(config.lanes) + "_" + std::to_string(config.rows) + "_" +
         std::to_string(config.modes) + (engine.checked ? "_checked" : "");
}

constexpr std::array<const char*, kPackModes> kModeNames{"packed", "rows", "once"};
std::string text_of(PackMode mode) { return kModeNames.at(static_cast<unsigned>(mode)); }

/// Loads when it may, holds back sub-warps, checks what has come of each load, and counts what it
/// has brought about.
class PackerHost {
 public:
  PackerHost(const SubwarpPackerConfig& config, std::uint64_t seed)
      : config_(config), random_(seed) {
    change_pace();
  }

  /// The inputs of the next cycle.
  SubwarpPackerInputs inputs() {
    if (random_.below(300) == 0) change_pace();
    SubwarpPackerInputs inputs;
    inputs.take = !random_.chance(holds_);
    inputs.load_valid = !busy_ && !random_.chance(pauses_);
    if (inputs.load_valid || random_.chance(50)) {  // without a load the others mean nothing
      inputs.load_mask = random_large_warp(random_, config_.rows, config_.lanes);
      do {
        inputs.load_mode = static_cast<PackMode>(random_.below(kPackModes));
      } while ((config_.modes >> static_cast<unsigned>(inputs.load_mode) & 1U) == 0);
    }
    if (inputs.load_valid) begin(inputs);
    return inputs;
  }

  /// Whether to ask again in the same cycle before it ends.
  bool asks_again() { return random_.chance(20); }

  void see(const SubwarpPackerInputs& inputs, const SubwarpPackerOutputs& outputs) {
    after_last_ = false;
    busy_ = outputs.busy;
    EXPECT_EQ(outputs.valid, open_);
    if (!outputs.valid) {
      ++events_["nothing to do"];
      return;
    }
    if (!inputs.take) {
      if (taken_ == 0) ++events_["first held"];
      if (taken_ > 0 && !outputs.last) ++events_["middle held"];
      if (outputs.last) ++events_["last held"];
      return;
    }
    ++taken_;
    for (unsigned lane = 0; lane < config_.lanes; ++lane) {
      if ((outputs.mask >> lane & 1U) == 0) continue;
      LaneBits& row = left_[outputs.row[lane]];
      EXPECT_NE(row >> lane & 1U, 0U) << "a thread that was not loaded, or comes again";
      row &= ~(LaneBits{1} << lane);
    }
    if (!outputs.last) return;
    open_ = false;
    after_last_ = true;
    const unsigned number = mode_ == PackMode::once   ? 1
                            : mode_ == PackMode::rows ? rows_in_use(loaded_)
                                                      : fullest_lane(loaded_);
    EXPECT_EQ(taken_, number);
    EXPECT_TRUE(mode_ == PackMode::once || is_empty(left_)) << "a thread did not come";
    ++events_[count_text((text_of(mode_) + ", sub-warps").c_str(), number)];
    if (mode_ == PackMode::once && !is_empty(left_)) ++events_["once drops a rest"];
  }

  /// Situations that never came, of those that the configuration allows.
  [[nodiscard]] std::vector<std::string> missing() const {
    std::vector<std::string> wanted{"nothing to do", "first held",
                                    "last held",     "load right after last",
                                    "every thread",  "the last thread alone",
                                    "one full lane"};
    if (config_.rows > 2)
      wanted.insert(wanted.end(), {"middle held", "an empty row between full ones"});
    for (unsigned mode = 0; mode < kPackModes; ++mode) {
      if ((config_.modes >> mode & 1U) == 0) continue;
      const bool once = static_cast<PackMode>(mode) == PackMode::once;
      for (unsigned number = 1; number <= (once ? 1 : config_.rows); ++number) {
        wanted.push_back(
            count_text((std::string(kModeNames.at(mode)) + ", sub-warps").c_str(), number));
      }
      if (once && config_.rows > 1) wanted.emplace_back("once drops a rest");
      for (unsigned before = 0; before < kPackModes; ++before) {
        if ((config_.modes >> before & 1U) == 0) continue;
        wanted.push_back(std::string(kModeNames.at(mode)) + " after " + kModeNames.at(before));
      }
    }
    std::erase_if(wanted, [this](const std::string& event) { return events_.contains(event); });
    return wanted;
  }

 private:
  void change_pace() {
    holds_ = random_.below(4) * 30;
    pauses_ = random_.below(3) * 45;
  }

  void begin(const SubwarpPackerInputs& inputs) {
    open_ = true;
    taken_ = 0;
    if (after_last_) ++events_["load right after last"];
    if (!is_empty(loaded_)) ++events_[text_of(inputs.load_mode) + " after " + text_of(mode_)];
    mode_ = inputs.load_mode;
    loaded_ = left_ = inputs.load_mask;
    const LaneBits all = all_lanes(config_.lanes);
    LargeWarpMask every{};
    LargeWarpMask last{};
    std::fill_n(every.begin(), config_.rows, all);
    last[config_.rows - 1] = LaneBits{1} << (config_.lanes - 1);
    if (loaded_ == every) ++events_["every thread"];
    if (loaded_ == last) ++events_["the last thread alone"];
    LaneBits full = all;
    LaneBits any = 0;
    for (unsigned row = 0; row < config_.rows; ++row) {
      full &= loaded_[row];
      any |= loaded_[row];
    }
    if (full != 0 && full == any && (full & (full - 1)) == 0) ++events_["one full lane"];
    for (unsigned row = 2; row < config_.rows; ++row) {
      if (loaded_[row - 2] == all && loaded_[row - 1] == 0 && loaded_[row] == all) {
        ++events_["an empty row between full ones"];
      }
    }
  }

  SubwarpPackerConfig config_;
  RandomSource random_;
  LargeWarpMask loaded_{};
  LargeWarpMask left_{};
  PackMode mode_ = PackMode::packed;
  bool open_ = false;  ///< the last sub-warp of the load is still to come
  bool busy_ = false;  ///< what the packer said last
  bool after_last_ = false;
  unsigned taken_ = 0;   ///< sub-warps of the load
  unsigned holds_ = 0;   ///< percent of the cycles in which nothing is taken
  unsigned pauses_ = 0;  ///< percent of the cycles without a load though there might be one
  std::map<std::string, unsigned> events_;
};

class SubwarpPackerLockstep : public testing::TestWithParam<BuiltSubwarpPacker> {};

TEST_P(SubwarpPackerLockstep, AgreesInEveryCycle) {
  const BuiltSubwarpPacker& engine = GetParam();
  // Long large warps take more cycles to show every number of sub-warps.
  const std::uint64_t cycles = kCycles * std::max(1U, engine.config.rows / 4);
  const RunLength run = run_length(cycles);
  const std::string reproduce = reproduce_text(run);
  std::cout << reproduce << '\n';
  const auto lockstep =
      make_subwarp_packer_lockstep(engine.config, make_subwarp_packer(engine.config),
                                   std::unique_ptr<SubwarpPacker>(engine.create()), reproduce);
  PackerHost host(engine.config, derive_seed(run.seed, name_of(engine), 0));
  try {
    for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
      const SubwarpPackerInputs inputs = host.inputs();
      if (host.asks_again()) {
        SubwarpPackerInputs other = inputs;
        other.take = !inputs.take;
        other.load_valid = false;
        lockstep->decide(other);
      }
      host.see(inputs, lockstep->decide(inputs));
      lockstep->commit();
    }
  } catch (const std::runtime_error& difference) {
    FAIL() << difference.what();
  }
  if (run.cycles < cycles) return;  // too short a run need not meet everything
  for (const std::string& situation : host.missing()) {
    ADD_FAILURE() << "the stimulus never met: " << situation;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, SubwarpPackerLockstep, testing::ValuesIn(all_engines()),
                         [](const auto& engine) { return name_of(engine.param); });

TEST(SubwarpPackerRtl, IsEmptyAfterAReset) {
  for (const BuiltSubwarpPacker& engine : all_engines()) {
    const std::unique_ptr<SubwarpPacker> rtl(engine.create());
    SubwarpPackerInputs inputs;
    inputs.load_valid = true;
    for (unsigned row = 0; row < engine.config.rows; ++row) inputs.load_mask[row] = 1;
    inputs.take = false;
    EXPECT_TRUE(rtl->decide(inputs).busy) << name_of(engine);
    rtl->commit();
    rtl->reset();
    EXPECT_EQ(rtl->decide({}), SubwarpPackerOutputs{}) << name_of(engine);
    rtl->commit();
  }
}

TEST(SubwarpPackerLockstepMessage, ShowsBothSides) {
  const SubwarpPackerConfig config;
  /// Gives no thread.
  class Wrong final : public SubwarpPacker {
   public:
    void reset() override {}
    SubwarpPackerOutputs decide(const SubwarpPackerInputs& inputs) override {
      SubwarpPackerOutputs outputs;
      outputs.valid = inputs.load_valid;
      return outputs;
    }
    void commit() override {}
  };
  const auto lockstep = make_subwarp_packer_lockstep(config, make_subwarp_packer(config),
                                                     std::make_unique<Wrong>(), "this test");
  SubwarpPackerInputs inputs;
  lockstep->decide(inputs);
  lockstep->commit();
  inputs.load_valid = true;
  inputs.load_mode = PackMode::rows;
  inputs.load_mask[2] = 5;
  try {
    lockstep->decide(inputs);
    FAIL() << "no mismatch";
  } catch (const LockstepMismatch& mismatch) {
    const std::string message = mismatch.what();
    EXPECT_EQ(message.find("lockstep: outputs differ in clocked cycle 1\n"
                           "sub-warp packer of 8 rows of 32 lanes, modes packed, rows, once\n"
                           "inputs\n  load, rows\n"),
              0U)
        << message;
    EXPECT_NE(message.find("outputs of the golden model\n  valid, last\n  lanes 101000"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("outputs of the RTL\n  valid\n  lanes 000000"), std::string::npos)
        << message;
    EXPECT_NE(message.find("reproduce with: this test"), std::string::npos) << message;
  }
}

/// The message of a checked packer after these cycles.
std::string violation_of(const SubwarpPackerConfig& config,
                         const std::vector<SubwarpPackerInputs>& cycles) {
  for (const BuiltSubwarpPacker& engine : all_engines()) {
    if (!engine.checked || engine.config != config) continue;
    const std::unique_ptr<SubwarpPacker> rtl(engine.create());
    try {
      for (const SubwarpPackerInputs& inputs : cycles) {
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

SubwarpPackerInputs load_of(LaneBits row, PackMode mode = PackMode::packed, bool take = true) {
  SubwarpPackerInputs inputs;
  inputs.load_valid = true;
  inputs.load_mode = mode;
  inputs.load_mask[0] = inputs.load_mask[1] = row;
  inputs.take = take;
  return inputs;
}

TEST(SubwarpPackerContract, NoticesEveryBrokenPromise) {
  const SubwarpPackerConfig config;
  EXPECT_EQ(violation_of(config, {load_of(3), {}, load_of(3, PackMode::once), load_of(1)}),
            "no violation");
  const auto expect = [](const std::string& message, const std::string& promise) {
    EXPECT_NE(message.find("." + promise + ":"), std::string::npos) << message;
  };
  expect(violation_of(config, {load_of(3), load_of(3)}), "load_waits");
  expect(violation_of(config, {load_of(3, PackMode::once, false), load_of(3)}), "load_waits");
  expect(violation_of(config, {load_of(0)}), "load_mask_is_not_empty");
  SubwarpPackerConfig packed = config;
  packed.modes = 1;
  expect(violation_of(packed, {load_of(1, PackMode::rows)}), "load_mode_is_built");
}

TEST(SubwarpPackerRtl, SaysWhatHasRtl) {
  SubwarpPackerConfig config;
  config.rows = 12;
  try {
    make_rtl_subwarp_packer(config);
    FAIL() << "made";
  } catch (const std::invalid_argument& error) {
    const std::string message = error.what();
    EXPECT_EQ(
        message.find("a sub-warp packer of 12 rows of 32 lanes, modes packed, rows, once has no "
                     "RTL (1 row of 32 lanes, modes packed, rows, once; "),
        0U)
        << message;
  }
}

}  // namespace
}  // namespace paws
