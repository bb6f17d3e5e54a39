// SPDX-License-Identifier: MIT
// Which part of its launches a core is in (LaunchPart): the cycles in which one part ends and the
// next one begins.
//
// Where a part ends may be known before or after the core has come to that cycle, but never after
// it has stepped a later one. So the core asks once per step, and its counts at the end of a part
// are those before the first step that is not of the part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "sim/stats/core_statistics.h"

namespace paws::core {

class LaunchParts {
 public:
  /// Launches begin, and no block is resident.
  void begin() { *this = {}; }

  /// A block has started in `cycle`; `full`: no other one fits beside those that are resident,
  /// or the block scheduler gives the core no more.
  void block_started(std::uint64_t cycle, bool full) {
    ++started_;
    if (!full || first_blocks_ != 0) return;
    full_ = cycle;
    first_blocks_ = started_;
    first_left_ = started_ - ended_;
    find_next();
  }
  /// A block has ended in `cycle`; `number` says how many had started on the core before it.
  void block_ended(std::uint64_t cycle, std::uint64_t number) {
    ++ended_;
    if (number >= first_blocks_ || --first_left_ != 0) return;
    first_round_over_ = cycle + 1;
    find_next();
  }
  /// From `cycle` on no block waits for a core any more.
  void exhausted(std::uint64_t cycle) {
    exhausted_ = cycle;
    find_next();
  }

  /// Whether a block that waits for a core starts after `cycle`.
  [[nodiscard]] bool blocks_wait(std::uint64_t cycle) const { return cycle < exhausted_; }
  [[nodiscard]] LaunchPart part() const { return part_; }
  /// The first cycle that is not of the part, as far as is known; else UINT64_MAX.
  [[nodiscard]] std::uint64_t end() const { return end_; }
  /// Goes on to the part that begins in end().
  void enter_next() {
    part_ = end_ == exhausted_ ? LaunchPart::tail
                               : static_cast<LaunchPart>(static_cast<unsigned>(part_) + 1);
    find_next();
  }

 private:
  static constexpr std::uint64_t kUnknown = std::numeric_limits<std::uint64_t>::max();

  void find_next() {
    switch (part_) {
      case LaunchPart::startup:
        end_ = std::min(full_, exhausted_);
        return;
      case LaunchPart::first_round:
        end_ = std::min(first_round_over_, exhausted_);
        return;
      case LaunchPart::later_rounds:
        end_ = exhausted_;
        return;
      case LaunchPart::tail:
        end_ = kUnknown;
        return;
    }
  }

  LaunchPart part_ = LaunchPart::startup;
  std::uint64_t end_ = kUnknown;
  std::uint64_t full_ = kUnknown;              ///< the core is full for the first time
  std::uint64_t first_round_over_ = kUnknown;  ///< the blocks that were there then have ended
  std::uint64_t exhausted_ = kUnknown;
  std::uint64_t started_ = 0;       ///< blocks
  std::uint64_t ended_ = 0;         ///< blocks
  std::uint64_t first_blocks_ = 0;  ///< that had started when the core was full first; 0: not yet
  std::uint64_t first_left_ = 0;    ///< blocks of these that were resident then and still are
};

}  // namespace paws::core
