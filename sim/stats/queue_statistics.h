// SPDX-License-Identifier: MIT
// What the queues of two-level schedulers held, and how long warps stayed in them.
#pragma once

#include <array>
#include <cstdint>

namespace paws {

/// Places of a warp in the two-level scheduler (docs/reference/microarchitecture.md, "Two-level").
enum class Place : std::uint8_t { ready, active, collector, pending };
inline constexpr unsigned kPlaces = 4;

struct PlaceStatistics {
  std::uint64_t occupancy = 0;  ///< sum over scheduler cycles of the warps there
  std::uint64_t stays = 0;      ///< completed
  std::uint64_t waited = 0;     ///< sum over completed stays of their cycles
  std::uint64_t longest = 0;    ///< cycles of the longest one

  void add_stay(std::uint64_t cycles);
  bool operator==(const PlaceStatistics&) const = default;
};

struct QueueStatistics {
  std::uint64_t cycles = 0;  ///< scheduler cycles watched, summed over schedulers
  std::array<PlaceStatistics, kPlaces> places{};
  std::uint64_t promotions = 0;  ///< active to ready
  std::uint64_t demotions = 0;   ///< ready to pending
  std::uint64_t wakes = 0;       ///< out of pending

  [[nodiscard]] PlaceStatistics& at(Place place) { return places[static_cast<std::size_t>(place)]; }
  [[nodiscard]] const PlaceStatistics& at(Place place) const {
    return places[static_cast<std::size_t>(place)];
  }
  QueueStatistics& operator+=(const QueueStatistics& other);
  bool operator==(const QueueStatistics&) const = default;
};

}  // namespace paws
