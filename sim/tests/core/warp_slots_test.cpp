// SPDX-License-Identifier: MIT
#include "sim/core/warp_slots.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace paws::core {
namespace {

TEST(WarpSlots, DealsSlotsToSchedulersInTurn) {
  for (unsigned schedulers = 1; schedulers <= 8; ++schedulers) {
    const WarpSlots slots(schedulers);
    ASSERT_EQ(slots.schedulers(), schedulers);
    for (std::uint32_t warp = 0; warp < 1U << 16; ++warp) {
      ASSERT_EQ(slots.scheduler(warp), warp % schedulers) << warp;
      ASSERT_EQ(slots.local(warp), warp / schedulers) << warp;
      ASSERT_EQ(slots.slot(slots.scheduler(warp), slots.local(warp)), warp);
    }
  }
}

TEST(WarpSlots, BitIsThatOfTheSlotInItsScheduler) {
  EXPECT_EQ(WarpSlots(2).bit(0), WarpMask{1});
  EXPECT_EQ(WarpSlots(2).bit(7), WarpMask{8});
  EXPECT_EQ(WarpSlots(1).bit(63), WarpMask{1} << 63);
}

}  // namespace
}  // namespace paws::core
