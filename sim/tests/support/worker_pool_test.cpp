// SPDX-License-Identifier: MIT
#include "sim/support/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <stdexcept>

namespace paws {
namespace {

TEST(WorkerPool, EveryTaskRunsOnce) {
  for (const unsigned threads : {1U, 2U, 5U}) {
    WorkerPool pool(threads);
    for (unsigned round = 0; round < 2000; ++round) {
      std::vector<std::atomic<unsigned>> calls(round % 40);
      pool.run(static_cast<unsigned>(calls.size()), [&](unsigned task) { ++calls[task]; });
      for (const auto& count : calls)
        ASSERT_EQ(count, 1U) << threads << " threads, round " << round;
    }
  }
}

TEST(WorkerPool, WorkersThatSleepWakeUp) {
  WorkerPool pool(3);
  for (unsigned round = 0; round < 5; ++round) {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::atomic<unsigned> inside = 0;
    // Ends only if all three threads take part.
    pool.run(3, [&](unsigned) {
      ++inside;
      while (inside < 3) std::this_thread::yield();
    });
  }
}

TEST(WorkerPool, TheFailureOfTheLowestTaskReachesTheCaller) {
  WorkerPool pool(4);
  for (unsigned round = 0; round < 200; ++round) {
    try {
      pool.run(20, [](unsigned task) {
        if (task % 7 == 3) throw std::runtime_error(std::to_string(task));
      });
      FAIL() << "nothing thrown";
    } catch (const std::runtime_error& error) {
      EXPECT_STREQ(error.what(), "3");
    }
    pool.run(20, [](unsigned) {});
  }
}

// A worker that is late for the last run meets the order to stop at the same time.
TEST(WorkerPool, LateWorkersStop) {
  std::atomic<unsigned> runs = 0;
  for (unsigned n = 0; n < 10000; ++n) {
    WorkerPool pool(4);
    pool.run(2, [&runs](unsigned) { ++runs; });
    pool.run(2, [&runs](unsigned) { ++runs; });
  }
  EXPECT_EQ(runs, 40000U);
}

}  // namespace
}  // namespace paws
