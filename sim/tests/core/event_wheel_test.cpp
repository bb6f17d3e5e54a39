// SPDX-License-Identifier: MIT
#include "sim/core/event_wheel.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

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

TEST(EventWheel, AHandlerMayScheduleWhileACycleIsDrained) {
  // Every event comes back three times, so that places change hands in the middle of a list.
  EventWheel<int> wheel;
  for (int event = 0; event < 4; ++event) wheel.schedule(0, 5, event);
  std::vector<std::pair<std::uint64_t, int>> seen;
  for (std::uint64_t now = 0; now != std::numeric_limits<std::uint64_t>::max();
       now = wheel.next(now)) {
    wheel.drain(now, [&](int event) {
      seen.emplace_back(now, event);
      if (event < 12) wheel.schedule(now, now + (event % 2 == 0 ? 7 : 4095), event + 4);
    });
  }
  const std::vector<std::pair<std::uint64_t, int>> expected{
      {5, 0},   {5, 1},   {5, 2},    {5, 3},    {12, 4},   {12, 6},    {19, 8},     {19, 10},
      {26, 12}, {26, 14}, {4100, 5}, {4100, 7}, {8195, 9}, {8195, 11}, {12290, 13}, {12290, 15}};
  EXPECT_EQ(seen, expected);
}

TEST(EventWheel, RefusesWhatItCannotHold) {
  EventWheel<int> wheel;
  EXPECT_THROW(wheel.schedule(10, 10, 0), std::logic_error);
  EXPECT_THROW(wheel.schedule(10, 10 + EventWheel<int>::kSpan, 0), std::logic_error);
}

}  // namespace
}  // namespace paws::core
