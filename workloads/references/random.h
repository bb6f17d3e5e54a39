// SPDX-License-Identifier: MIT
// Random numbers for generated data, the same on every machine.
#pragma once

#include <cstdint>
#include <random>

namespace paws::references {

/// Uniform in [low, high). The standard fixes the engine's output but no distribution's.
class Uniform {
 public:
  explicit Uniform(std::int64_t seed) : engine_(static_cast<std::uint64_t>(seed)) {}

  double operator()(double low, double high) {
    return low + (high - low) * (static_cast<double>(engine_() >> 11) * 0x1p-53);
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace paws::references
