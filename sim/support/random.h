// SPDX-License-Identifier: MIT
// Pseudo-random numbers that depend on their arguments alone, so that what they perturb stays the
// same for every number of host threads and every order of asking.
#pragma once

#include <cstdint>

namespace paws {

/// SplitMix64's output function.
constexpr std::uint64_t scramble(std::uint64_t value) {
  value += 0x9e37'79b9'7f4a'7c15ULL;
  value = (value ^ value >> 30) * 0xbf58'476d'1ce4'e5b9ULL;
  value = (value ^ value >> 27) * 0x94d0'49bb'1331'11ebULL;
  return value ^ value >> 31;
}

constexpr std::uint64_t scramble(std::uint64_t seed, std::uint64_t first, std::uint64_t second) {
  return scramble(scramble(scramble(seed) ^ first) ^ second);
}

}  // namespace paws
