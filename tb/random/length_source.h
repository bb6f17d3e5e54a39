// SPDX-License-Identifier: MIT
// Phase lengths for the random hosts.
#pragma once

#include "tb/random/host.h"
#include "tb/random/random_source.h"

namespace paws {

/// A length of the given kind; `phase_bits` is the width of the scheduler's field.
inline std::uint16_t draw_length(RandomSource& random, Lengths kind, unsigned phase_bits) {
  const std::uint32_t largest = (1U << phase_bits) - 1;
  switch (kind) {
    case Lengths::uniform:
      return static_cast<std::uint16_t>(random.between(0, largest));
    case Lengths::few:
      return static_cast<std::uint16_t>(random.between(4, 6));
    case Lengths::saturating:
      break;
  }
  switch (random.below(8)) {
    case 0:
      return static_cast<std::uint16_t>(largest - 1);
    case 1:
      return static_cast<std::uint16_t>(largest);
    case 2:
      // Just beyond the field, where a comparison of truncated bits would see 0.
      return static_cast<std::uint16_t>(phase_bits < 16 ? largest + 1 : largest);
    case 3:
    case 4:
    case 5:
      // One bit alone, of those beyond the field: each of them saturates.
      return static_cast<std::uint16_t>(phase_bits < 16 ? 1U << random.between(phase_bits, 15)
                                                        : largest);
    default:
      return static_cast<std::uint16_t>(random.bits());
  }
}

}  // namespace paws
