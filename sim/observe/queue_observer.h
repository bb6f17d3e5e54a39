// SPDX-License-Identifier: MIT
// Watches the queues of two-level schedulers: what they hold and how long warps stay.
//
// The queues are read in every stepped cycle, so that every move of a warp is seen; in cycles that
// the core sleeps the schedulers are quiet and nothing moves.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/core/observer.h"
#include "sim/stats/queue_statistics.h"

namespace paws::observe {

/// The figures of every core; lives longer than the Gpu that it watches.
class QueueWatch {
 public:
  explicit QueueWatch(std::uint32_t cores) : cores_(cores) {}

  /// The observer of a core. It adds to that core's figures at the end of every launch, and throws
  /// std::logic_error there if Little's law does not hold (sim/stats/conservation.h).
  [[nodiscard]] std::unique_ptr<core::CoreObserver> observer(std::uint32_t core);

  /// Summed over the schedulers of all cores.
  [[nodiscard]] QueueStatistics total() const;

 private:
  std::vector<QueueStatistics> cores_;
};

/// One scheduler's queues from cycle to cycle.
class QueueTracker {
 public:
  /// A launch starts in `cycle` with empty queues.
  void begin(std::uint64_t cycle);
  /// The queues held `queues` from the first cycle not yet told up to and without `to`, which may
  /// be that cycle itself.
  void hold(const QueueSnapshot& queues, std::uint64_t to);

  [[nodiscard]] const QueueStatistics& statistics() const { return statistics_; }

 private:
  struct Stay {
    std::optional<Place> place;
    std::uint64_t since = 0;
  };
  void move(WarpId warp, std::optional<Place> place);

  QueueStatistics statistics_;
  std::vector<Stay> stays_ = std::vector<Stay>(kMaxWarps);  ///< by warp slot
  std::uint64_t next_ = 0;                                  ///< first cycle not yet told
};

}  // namespace paws::observe
