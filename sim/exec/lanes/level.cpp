// SPDX-License-Identifier: MIT
#include <stdexcept>

#include "sim/exec/lanes/select.h"

namespace paws::exec {

#ifdef PAWS_HAVE_V3
namespace v3 {
extern const LaneLibrary kLibrary;
}
// In the programs that compare levels.
namespace baseline {
[[gnu::weak]] extern const LaneLibrary kLibrary;
}
#else
namespace baseline {
extern const LaneLibrary kLibrary;
}
#endif

namespace {

LaneLevel& chosen_level() {
  static LaneLevel level = lane_levels().back();
  return level;
}

}  // namespace

std::vector<LaneLevel> lane_levels() {
#ifdef PAWS_HAVE_V3
  std::vector<LaneLevel> levels;
  if (&baseline::kLibrary != nullptr) levels.push_back(LaneLevel::baseline);
  // Every processor with these has the rest of x86-64-v3 too.
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
    levels.push_back(LaneLevel::v3);
  }
  if (levels.empty()) {
    throw std::runtime_error(
        "this processor lacks the instructions of x86-64-v3, for which this program was compiled: "
        "configure it with -DPAWS_V3=OFF");
  }
  return levels;
#else
  return {LaneLevel::baseline};
#endif
}

void use_lane_level(LaneLevel level) { chosen_level() = level; }

const LaneLibrary& lane_library() {
#ifdef PAWS_HAVE_V3
  if (chosen_level() == LaneLevel::v3) return v3::kLibrary;
#endif
  return baseline::kLibrary;
}

}  // namespace paws::exec
