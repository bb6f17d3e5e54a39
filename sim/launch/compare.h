// SPDX-License-Identifier: MIT
// Results against expected values, within a tolerance.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/launch/workload.h"

namespace paws {

struct Comparison {
  std::uint64_t compared = 0;
  std::uint64_t mismatches = 0;
  std::vector<std::string> first;  ///< the first mismatches: `c[17]: expected 3, got 4 (off by 1)`
};

inline constexpr unsigned kShownMismatches = 5;

/// Compares the elements of `actual` with as many expected values (integers for integer types,
/// reals for floating-point types). Equal passes, and so does NaN for NaN; else any bound given.
/// Exact and ULP comparison round the expected value to the buffer's type first; the absolute and
/// relative errors are those against the expected value itself.
Comparison compare(const std::string& buffer, ElementType type, std::span<const std::byte> actual,
                   const Values& expected, const Tolerance& tolerance);

}  // namespace paws
