// SPDX-License-Identifier: MIT
#include "sim/core/event_wheel.h"

#include <gtest/gtest.h>

#include <limits>

namespace paws::core {
namespace {

std::vector<int> due(EventWheel<int>& wheel, std::uint64_t now) {
  std::vector<int> events;
  wheel.drain(now, [&](int event) { events.push_back(event); });
  return events;
}

TEST(EventWheel, EventsOfOneCycleKeepTheirOrder) {
  EventWheel<int> wheel;
  wheel.schedule(0, 5, 1);
  wheel.schedule(2, 5, 2);
  wheel.schedule(2, 6, 3);
  EXPECT_EQ(due(wheel, 4), std::vector<int>{});
  EXPECT_EQ(due(wheel, 5), (std::vector<int>{1, 2}));
  EXPECT_EQ(due(wheel, 5), std::vector<int>{});
  EXPECT_EQ(due(wheel, 6), (std::vector<int>{3}));
}

TEST(EventWheel, NextFindsEventsInEveryPlaceOfTheWheel) {
  constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
  for (std::uint64_t now : {0UL, 1UL, 62UL, 63UL, 64UL, 4094UL, 4095UL, 4096UL, 123456UL}) {
    for (std::uint64_t delay : {1UL, 2UL, 63UL, 64UL, 65UL, 1000UL, 4094UL, 4095UL}) {
      EventWheel<int> wheel;
      EXPECT_EQ(wheel.next(now), kNever);
      wheel.schedule(now, now + delay, 0);
      EXPECT_EQ(wheel.next(now), now + delay) << "now " << now << ", delay " << delay;
    }
  }
}

TEST(EventWheel, RefusesWhatItCannotHold) {
  EventWheel<int> wheel;
  EXPECT_THROW(wheel.schedule(10, 10, 0), std::logic_error);
  EXPECT_THROW(wheel.schedule(10, 10 + EventWheel<int>::kSpan, 0), std::logic_error);
}

}  // namespace
}  // namespace paws::core
