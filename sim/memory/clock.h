// SPDX-License-Identifier: MIT
// Clock periods in femtoseconds.
#pragma once

#include <cmath>
#include <cstdint>

namespace paws::memory {

/// Period of `mhz` megahertz, rounded to a femtosecond (an error below 1e-9 at 1 GHz).
inline std::uint64_t period_fs(double mhz) {
  return static_cast<std::uint64_t>(std::llround(1e9 / mhz));
}

}  // namespace paws::memory
