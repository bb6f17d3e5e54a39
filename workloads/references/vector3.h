// SPDX-License-Identifier: MIT
// Vectors in space.
#pragma once

#include <array>

namespace paws::references {

using Vector = std::array<double, 3>;

inline double dot(const Vector& a, const Vector& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

}  // namespace paws::references
