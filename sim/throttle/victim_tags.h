// SPDX-License-Identifier: MIT
// The lines that a warp has lost from the L1.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "sim/memory/request.h"

namespace paws::throttle {

/// The victim tag array of one warp (Rogers et al., MICRO 2012, section 4.1): two sets of eight
/// tags, the oldest of a set is replaced.
class VictimTags {
 public:
  void clear() { *this = {}; }
  void insert(std::uint64_t line) {
    Set& set = set_of(line);
    set.tags[set.next] = line;
    set.next = (set.next + 1) % kWays;
  }
  /// Whether the line was there; it is not any more.
  bool take(std::uint64_t line) {
    for (std::optional<std::uint64_t>& tag : set_of(line).tags) {
      if (tag != line) continue;
      tag.reset();
      return true;
    }
    return false;
  }

 private:
  static constexpr std::size_t kWays = 8;
  struct Set {
    std::array<std::optional<std::uint64_t>, kWays> tags{};
    std::size_t next = 0;  ///< way that is filled next
  };

  Set& set_of(std::uint64_t line) { return sets_[line / memory::kLineBytes % sets_.size()]; }

  std::array<Set, 2> sets_{};
};

}  // namespace paws::throttle
