// SPDX-License-Identifier: MIT
#include <stdexcept>

#include "sim/exec/lanes/select.h"

namespace paws::exec {
namespace {

LaneLevel& chosen_level() {
  static LaneLevel level = best_lane_level();
  return level;
}

}  // namespace

LaneLevel best_lane_level() {
#ifdef PAWS_HAVE_V3
  // Every processor with these has the rest of x86-64-v3 too.
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      __builtin_cpu_supports("bmi") && __builtin_cpu_supports("bmi2")) {
    return LaneLevel::v3;
  }
#endif
  return LaneLevel::baseline;
}

const LaneLibrary& lane_library(LaneLevel level) {
  if (level == LaneLevel::baseline) return baseline::kLibrary;
#ifdef PAWS_HAVE_V3
  return v3::kLibrary;
#else
  throw std::logic_error("this build has no x86-64-v3 lane code");
#endif
}

void use_lane_level(LaneLevel level) { chosen_level() = level; }
LaneLevel lane_level() { return chosen_level(); }

}  // namespace paws::exec
