// SPDX-License-Identifier: MIT
// A random host of a sub-warp packer: loads when it may, holds back sub-warps, checks what has come
// of each load.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <vector>

#include "model/subwarp_packer.h"
#include "tb/random/large_warp_shapes.h"
#include "tb/random/random_source.h"

namespace paws {

inline constexpr std::array<const char*, kPackModes> kModeNames{"packed", "rows", "once"};
inline std::string mode_text(PackMode mode) { return kModeNames.at(static_cast<unsigned>(mode)); }

/// Loads when it may, holds back sub-warps, checks what has come of each load, and counts what it
/// has brought about.
class SubwarpPackerHost {
 public:
  SubwarpPackerHost(const SubwarpPackerConfig& config, std::uint64_t seed)
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
    ++events_[count_text((mode_text(mode_) + ", sub-warps").c_str(), number)];
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
    if (!is_empty(loaded_)) ++events_[mode_text(inputs.load_mode) + " after " + mode_text(mode_)];
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

}  // namespace paws
