// SPDX-License-Identifier: MIT
// The parts of a cache line that a sectored cache fetches each by itself.
#pragma once

#include <bit>
#include <cstdint>

namespace paws::memory {

inline constexpr unsigned kLineBytes = 128;
inline constexpr unsigned kSectorBytes = 32;
/// Sectors of a line, a bit each, the first one lowest. A cache that is not sectored asks for all.
using SectorMask = std::uint8_t;
inline constexpr SectorMask kAllSectors = (1U << kLineBytes / kSectorBytes) - 1;

constexpr std::uint32_t bytes_of(SectorMask sectors) {
  return static_cast<std::uint32_t>(std::popcount(sectors)) * kSectorBytes;
}
/// All `wanted` are among `sectors`.
constexpr bool covers(SectorMask sectors, SectorMask wanted) { return (wanted & ~sectors) == 0; }

}  // namespace paws::memory
