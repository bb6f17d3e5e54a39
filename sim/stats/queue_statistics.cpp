// SPDX-License-Identifier: MIT
#include "sim/stats/queue_statistics.h"

#include <algorithm>

namespace paws {

void PlaceStatistics::add_stay(std::uint64_t cycles) {
  ++stays;
  waited += cycles;
  longest = std::max(longest, cycles);
}

QueueStatistics& QueueStatistics::operator+=(const QueueStatistics& other) {
  cycles += other.cycles;
  for (unsigned i = 0; i < kPlaces; ++i) {
    places[i].occupancy += other.places[i].occupancy;
    places[i].stays += other.places[i].stays;
    places[i].waited += other.places[i].waited;
    places[i].longest = std::max(places[i].longest, other.places[i].longest);
  }
  promotions += other.promotions;
  demotions += other.demotions;
  wakes += other.wakes;
  return *this;
}

}  // namespace paws
