// SPDX-License-Identifier: MIT
// A limit to the blocks of a launch that a core has at a time.
#pragma once

#include <cstdint>
#include <optional>

namespace paws {

/// What LCS has found for a launch (Lee et al., HPCA 2014, section 4.1): a core gets no other block
/// of it while it has so many.
struct BlockLimit {
  std::uint32_t launch = 0;           ///< of those that ran together
  std::optional<std::uint32_t> core;  ///< whose block monitor has found it; none: more than one
  unsigned limit = 0;                 ///< blocks
  std::uint64_t cycle = 0;            ///< from which on it holds

  bool operator==(const BlockLimit&) const = default;
};

}  // namespace paws
