// SPDX-License-Identifier: MIT
// What random hosts do with the inputs that thread-block affinity alone looks at: blocks of warps,
// which hold while a warp lives, which blocks have lost a warp, and whether blocks wait.
#pragma once

#include <array>
#include <cstdint>
#include <random>

#include "model/scheduler.h"
#include "model/warp_mask.h"

namespace paws::test {

class BlockWeather {
 public:
  BlockWeather(const SchedulerConfig& config, std::uint64_t seed)
      : warps_(config.warps), random_(seed) {}

  /// Sets block, tail and more of the coming cycle, in which `live` are the live warps. A block
  /// whose last warp has ended is another one, with all its warps, when the next one begins.
  void set(SchedulerInputs& inputs, WarpMask live) {
    if (below(64) == 0) inputs.more = below(4) != 0;
    if (inputs.launch_valid) {
      inputs.block[inputs.launch_warp] = static_cast<std::uint8_t>(below(kBlocks));
    }
    std::array<WarpMask, kBlocks> members{};
    for_each_warp(live, [&](WarpId warp) { members.at(inputs.block[warp]) |= mask_of(warp); });
    for (unsigned block = 0; block < kBlocks; ++block) {
      const bool exit = (live_ & ~live & before_.at(block)) != 0;
      lost_.at(block) = members.at(block) != 0 && (lost_.at(block) || exit || below(256) == 0);
    }
    inputs.tail = 0;
    for (WarpId warp = 0; warp < warps_; ++warp) {
      if (lost_.at(inputs.block[warp])) inputs.tail |= mask_of(warp);
    }
    live_ = live;
    before_ = members;
  }

 private:
  static constexpr unsigned kBlocks = 5;

  unsigned below(unsigned limit) { return static_cast<unsigned>((random_() >> 32) % limit); }

  unsigned warps_;
  std::mt19937_64 random_;
  std::array<bool, kBlocks> lost_{};
  std::array<WarpMask, kBlocks> before_{};  ///< live warps of each block, a cycle ago
  WarpMask live_ = 0;                       ///< all of them
};

}  // namespace paws::test
