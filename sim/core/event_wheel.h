// SPDX-License-Identifier: MIT
// Events of one core that happen a known number of cycles from now.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace paws::core {

/// A calendar queue over the next kSpan cycles. Events of one cycle come out in the order in which
/// they went in. Every cycle has a list; the places of the lists are shared, so that the few events
/// under way stay in the host's cache wherever on the wheel they are.
template <typename Event>
class EventWheel {
 public:
  static constexpr std::uint64_t kSpan = 4096;

  void schedule(std::uint64_t now, std::uint64_t when, const Event& event) {
    if (when <= now || when - now >= kSpan) {
      throw std::logic_error("an event lies outside the span of the event wheel");
    }
    const std::uint32_t place = take_place();
    places_[place] = {event, kNone};
    const std::uint64_t slot = when % kSpan;
    const std::uint64_t bit = std::uint64_t{1} << slot % 64;
    List& list = lists_[slot];
    if ((occupied_[slot / 64] & bit) == 0) {
      occupied_[slot / 64] |= bit;
      words_ |= std::uint64_t{1} << slot / 64;
      list.first = place;
    } else {
      places_[list.last].next = place;
    }
    list.last = place;
  }

  /// Calls `handle` for every event due at `now`. Handlers may schedule later ones.
  template <typename Handle>
  void drain(std::uint64_t now, Handle&& handle) {
    const std::uint64_t slot = now % kSpan;
    const std::uint64_t bit = std::uint64_t{1} << slot % 64;
    if ((occupied_[slot / 64] & bit) == 0) return;
    occupied_[slot / 64] &= ~bit;
    if (occupied_[slot / 64] == 0) words_ &= ~(std::uint64_t{1} << slot / 64);
    for (std::uint32_t place = lists_[slot].first; place != kNone;) {
      const Place due = places_[place];
      places_[place].next = std::exchange(free_, place);
      place = due.next;
      handle(due.event);
    }
  }

  /// The first cycle after `now` with an event; the largest value when there is none.
  [[nodiscard]] std::uint64_t next(std::uint64_t now) const {
    const std::uint64_t first = (now + 1) % kSpan;
    const std::uint64_t word = first / 64;
    const std::uint64_t near = occupied_[word] >> first % 64;
    if (near != 0) return now + 1 + static_cast<unsigned>(std::countr_zero(near));
    // The words behind this one in the order of the wheel; this one comes last.
    const std::uint64_t later = std::rotr(words_, static_cast<int>(word + 1));
    if (later == 0) return std::numeric_limits<std::uint64_t>::max();
    const std::uint64_t found =
        (word + 1 + static_cast<unsigned>(std::countr_zero(later))) % kWords;
    const std::uint64_t slot =
        found * 64 + static_cast<unsigned>(std::countr_zero(occupied_[found]));
    return now + 1 + (slot + kSpan - first) % kSpan;
  }

 private:
  static constexpr std::uint64_t kWords = kSpan / 64;
  static_assert(kWords == 64, "words_ has a bit for each");
  static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  struct Place {
    Event event;
    std::uint32_t next;  ///< of its list, or of the free places
  };
  struct List {
    std::uint32_t first, last;
  };

  std::uint32_t take_place() {
    if (free_ == kNone) {
      places_.emplace_back();
      return static_cast<std::uint32_t>(places_.size() - 1);
    }
    return std::exchange(free_, places_[free_].next);
  }

  std::array<List, kSpan> lists_;  ///< void where not occupied
  std::array<std::uint64_t, kWords> occupied_{};
  std::uint64_t words_ = 0;  ///< those of occupied_ that are not 0
  std::vector<Place> places_;
  std::uint32_t free_ = kNone;
};

}  // namespace paws::core
