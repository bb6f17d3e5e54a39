// SPDX-License-Identifier: MIT
// Scenes as text.
#pragma once

#include <functional>
#include <string>

#include "sim/explain/scene.h"

namespace paws::explain {

/// "cycle 7", "cycles 7 to 9".
std::string cycles_in_words(std::uint64_t from, std::uint64_t to);

/// "warp 7 (length 95, launch 2): can issue add.u32 %r1, %r2, %r3 (line 87, phase 2)".
std::string in_words(const SceneWarp& warp);

/// Several lines: what was decided and why, the queues with their warps, what moves.
std::string in_words(const Scene& scene, const SchedulerConfig& config, std::uint64_t from,
                     std::uint64_t to);

/// One warp over the cycles, a line for each stretch in which it does the same.
class WarpStory {
 public:
  using Print = std::function<void(const std::string& line)>;
  WarpStory(const SchedulerConfig& config, WarpId warp, Print print);

  void take(std::uint64_t from, std::uint64_t to, const Scene& scene);
  /// The last line is printed.
  void finish();

 private:
  [[nodiscard]] std::string said_of(const Scene& scene) const;

  SchedulerConfig config_;
  WarpId warp_;
  Print print_;
  std::string said_;
  std::uint64_t from_ = 0, to_ = 0;
};

}  // namespace paws::explain
