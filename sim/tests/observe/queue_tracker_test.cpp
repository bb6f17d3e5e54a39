// SPDX-License-Identifier: MIT
// Stays and occupancy of a hand-worked life of two warps.

#include <gtest/gtest.h>

#include "sim/observe/queue_observer.h"
#include "sim/stats/conservation.h"

namespace paws::observe {
namespace {

QueueSnapshot queues(std::vector<WarpId> ready, std::vector<WarpId> active,
                     std::vector<WarpId> collector, WarpMask pending) {
  QueueSnapshot snapshot;
  snapshot.ready = std::move(ready);
  snapshot.active = std::move(active);
  snapshot.collector = std::move(collector);
  snapshot.pending = pending;
  return snapshot;
}

TEST(QueueTracker, AHandWorkedExample) {
  QueueTracker tracker;
  tracker.begin(100);
  tracker.hold(queues({}, {}, {}, 0), 101);        // cycle 100: both launch
  tracker.hold(queues({}, {3, 5}, {}, 0), 102);    // 101
  tracker.hold(queues({3}, {5}, {}, 0), 104);      // 102, 103
  tracker.hold(queues({5}, {}, {}, 1 << 3), 110);  // 104 to 109: 5 up, 3 waits
  tracker.hold(queues({5}, {}, {3}, 0), 111);      // 110
  tracker.hold(queues({5}, {3}, {}, 0), 112);      // 111
  tracker.hold(queues({3}, {}, {}, 0), 115);       // 112 to 114: 5 has left
  tracker.hold(queues({}, {}, {}, 0), 120);        // 3 too
  const QueueStatistics& figures = tracker.statistics();
  EXPECT_EQ(figures.cycles, 20U);
  EXPECT_EQ(figures.promotions, 3U);
  EXPECT_EQ(figures.demotions, 1U);
  EXPECT_EQ(figures.wakes, 1U);
  const PlaceStatistics& ready = figures.at(Place::ready);
  EXPECT_EQ(ready.stays, 3U);  // 3: 102-103, 5: 104-111, 3: 112-114
  EXPECT_EQ(ready.waited, 2U + 8U + 3U);
  EXPECT_EQ(ready.longest, 8U);
  const PlaceStatistics& active = figures.at(Place::active);
  EXPECT_EQ(active.stays, 3U);  // 3: 101, 5: 101-103, 3: 111
  EXPECT_EQ(active.waited, 1U + 3U + 1U);
  EXPECT_EQ(active.longest, 3U);
  EXPECT_EQ(figures.at(Place::pending).waited, 6U);
  EXPECT_EQ(figures.at(Place::collector).waited, 1U);
  for (const PlaceStatistics& place : figures.places) EXPECT_EQ(place.occupancy, place.waited);
  EXPECT_NO_THROW(check_queues(figures));
}

TEST(QueueTracker, AWarpThatNeverLeavesBreaksLittlesLaw) {
  QueueTracker tracker;
  tracker.begin(0);
  tracker.hold(queues({}, {1}, {}, 0), 10);
  EXPECT_THROW(check_queues(tracker.statistics()), std::logic_error);
}

}  // namespace
}  // namespace paws::observe
