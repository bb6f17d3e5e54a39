// SPDX-License-Identifier: MIT
// Which lane a lane reads in a shuffle (PTX ISA, shfl).
#pragma once

#include <cstdint>

#include "sim/ir/kernel.h"

namespace paws::exec {

/// The lane that `lane` asks for, which need not exist; `b` is the lane offset or index, `c` the
/// segment mask (bits 12..8) and the clamp.
[[gnu::always_inline]] inline int asked_lane(ir::ShflMode mode, unsigned lane, std::uint32_t b,
                                             std::uint32_t c) {
  const unsigned distance = b & 31;
  const unsigned segment = c >> 8 & 31;
  switch (mode) {
    case ir::ShflMode::up:
      return static_cast<int>(lane) - static_cast<int>(distance);
    case ir::ShflMode::down:
      return static_cast<int>(lane + distance);
    case ir::ShflMode::bfly:
      return static_cast<int>(lane ^ distance);
    case ir::ShflMode::idx:
      return static_cast<int>((lane & segment) | (distance & ~segment));
  }
  return 0;
}

/// Whether the lane that `lane` asks for is within the segment: what the predicate says.
[[gnu::always_inline]] inline bool in_segment(ir::ShflMode mode, unsigned lane, int asked,
                                              std::uint32_t c) {
  const unsigned clamp = c & 31;
  const unsigned segment = c >> 8 & 31;
  const auto limit = static_cast<int>((lane & segment) | (clamp & ~segment));
  return mode == ir::ShflMode::up ? asked >= limit : asked <= limit;
}

/// The lane that `lane` reads: itself when the one that it asks for is not within the segment.
[[gnu::always_inline]] inline unsigned shuffle_source(ir::ShflMode mode, unsigned lane,
                                                      std::uint32_t b, std::uint32_t c) {
  const int asked = asked_lane(mode, lane, b, c);
  // By a mask: then compilers do it to many lanes at once.
  const unsigned takes = 0U - unsigned{in_segment(mode, lane, asked, c)};
  return (static_cast<unsigned>(asked) & takes & 31) | (lane & ~takes);
}

}  // namespace paws::exec
