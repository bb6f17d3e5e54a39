// SPDX-License-Identifier: MIT
// Which lane a lane reads in a shuffle (PTX ISA, shfl).
#pragma once

#include <cstdint>

#include "sim/ir/kernel.h"

namespace paws::exec {

struct ShuffleSource {
  unsigned lane = 0;      ///< the reader itself when it is not in range
  bool in_range = false;  ///< within the segment: what the predicate says
};

/// `b` is the lane offset or index, `c` the segment mask (bits 12..8) and the clamp.
[[gnu::always_inline]] inline ShuffleSource shuffle_source(ir::ShflMode mode, unsigned lane,
                                                           std::uint32_t b, std::uint32_t c) {
  const unsigned distance = b & 31;
  const unsigned clamp = c & 31;
  const unsigned segment = c >> 8 & 31;
  const auto limit = static_cast<int>((lane & segment) | (clamp & ~segment));
  int from = 0;
  bool in_range = false;
  switch (mode) {
    case ir::ShflMode::up:
      from = static_cast<int>(lane) - static_cast<int>(distance);
      in_range = from >= limit;
      break;
    case ir::ShflMode::down:
      from = static_cast<int>(lane + distance);
      in_range = from <= limit;
      break;
    case ir::ShflMode::bfly:
      from = static_cast<int>(lane ^ distance);
      in_range = from <= limit;
      break;
    case ir::ShflMode::idx:
      from = static_cast<int>((lane & segment) | (distance & ~segment));
      in_range = from <= limit;
      break;
  }
  return {in_range ? static_cast<unsigned>(from) & 31 : lane, in_range};
}

}  // namespace paws::exec
