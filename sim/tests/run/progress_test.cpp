// SPDX-License-Identifier: MIT
#include "sim/run/progress.h"

#include <gtest/gtest.h>

namespace paws {
namespace {

TEST(Progress, OfATimedLaunch) {
  const LaunchProgress launch{"relax", 3, true, 20480, 12, 48};
  EXPECT_EQ(progress_text(launch, 5),
            "launch 3: relax, 12 of 48 blocks finished, cycle 20480, 4096 cycles/s, 0:15 left");
  EXPECT_EQ(progress_text(launch, 1234.4),
            "launch 3: relax, 12 of 48 blocks finished, cycle 20480, 17 cycles/s, 1:01:43 left");
}

TEST(Progress, OfALaunchForItsValues) {
  EXPECT_EQ(progress_text({"relax", 1, false, 0, 24, 48}, 65),
            "launch 1: relax, 24 of 48 blocks finished, not timed, 1:05 left");
}

TEST(Progress, WhatIsNotKnownIsNotSaid) {
  EXPECT_EQ(progress_text({"k", 1, true, 8192, 4, 48}, 0.9),
            "launch 1: k, 4 of 48 blocks finished, cycle 8192");
  EXPECT_EQ(progress_text({"k", 1, true, 8192, 0, 1}, 2),
            "launch 1: k, 0 of 1 blocks finished, cycle 8192, 4096 cycles/s");
}

}  // namespace
}  // namespace paws
