// SPDX-License-Identifier: MIT
#include "sim/cuda/stream_timeline.h"

#include <gtest/gtest.h>

namespace paws::cuda {
namespace {

/// Of copies that take a millisecond for 1000 bytes of the link, or for 4000 of the memory.
StreamTimeline timeline(bool both_ways = true, double latency = 0) {
  return StreamTimeline({1000, 4000, latency, both_ways});
}

TEST(StreamTimeline, WorkOfAStreamRunsInOrder) {
  StreamTimeline time = timeline();
  StreamTime stream;
  EXPECT_EQ(time.record(stream), 0);
  time.copy(stream, Direction::to_device, 2000);
  EXPECT_EQ(time.record(stream), 2);
  time.kernel(stream, 3);
  time.copy(stream, Direction::to_host, 500);
  EXPECT_EQ(time.record(stream), 5.5);
  EXPECT_EQ(time.end(), 5.5);
}

TEST(StreamTimeline, CopyAndKernelOfTwoStreamsOverlap) {
  StreamTimeline time = timeline();
  StreamTime first;
  StreamTime second;
  time.copy(first, Direction::to_device, 2000);
  time.kernel(first, 3);
  time.copy(second, Direction::to_device, 2000);
  time.kernel(second, 1);
  EXPECT_EQ(first.end, 5);
  // Its copy ends at 4; kernels run one after the other.
  EXPECT_EQ(second.end, 6);
}

TEST(StreamTimeline, EnginesWorkInTheOrderOfSubmission) {
  StreamTimeline time = timeline(false);
  StreamTime first;
  StreamTime second;
  time.copy(first, Direction::to_device, 1000);
  time.kernel(first, 4);
  time.copy(first, Direction::to_host, 1000);
  // Behind the copy back, although the engine has nothing to do before.
  time.copy(second, Direction::to_device, 1000);
  EXPECT_EQ(first.end, 6);
  EXPECT_EQ(second.end, 7);
}

TEST(StreamTimeline, OneEngineCopiesInOneDirectionAtATime) {
  for (const bool both_ways : {true, false}) {
    StreamTimeline time = timeline(both_ways);
    StreamTime first;
    StreamTime second;
    time.copy(first, Direction::to_device, 1000);
    time.copy(second, Direction::to_host, 1000);
    EXPECT_EQ(time.end(), both_ways ? 1 : 2);
    time.copy(second, Direction::to_device, 1000);
    EXPECT_EQ(time.end(), both_ways ? 2 : 3);
  }
}

TEST(StreamTimeline, CopiesAndFillsWithinTheDeviceNeedTheMemory) {
  StreamTimeline time = timeline(true, 0.25);
  StreamTime stream;
  StreamTime other;
  time.copy(stream, Direction::within, 2000);
  EXPECT_EQ(stream.end, 1);
  time.fill(stream, 2000);
  EXPECT_EQ(stream.end, 1.5);
  time.kernel(other, 1);
  EXPECT_EQ(other.end, 2.5);
  // The latency is that of the link.
  time.copy(other, Direction::to_host, 1000);
  EXPECT_EQ(other.end, 3.75);
  EXPECT_EQ(time.transferred(Direction::within).bytes, 4000U);
  EXPECT_EQ(time.transferred(Direction::within).milliseconds, 1.5);
  EXPECT_EQ(time.transferred(Direction::to_host).bytes, 1000U);
  EXPECT_EQ(time.transferred(Direction::to_host).milliseconds, 1.25);
  EXPECT_EQ(time.transferred(Direction::to_device).bytes, 0U);
}

TEST(StreamTimeline, TheDefaultStreamOrdersTheBlockingOnes) {
  StreamTimeline time = timeline();
  StreamTime legacy{StreamKind::legacy};
  StreamTime blocking;
  StreamTime free{StreamKind::non_blocking};
  time.kernel(blocking, 2);
  time.copy(legacy, Direction::to_device, 1000);
  EXPECT_EQ(legacy.end, 3);
  StreamTime later;
  time.copy(later, Direction::to_host, 1000);
  EXPECT_EQ(later.end, 4);
  time.copy(free, Direction::to_host, 1000);
  // Behind `later` on its engine alone.
  EXPECT_EQ(free.end, 5);
  EXPECT_EQ(time.record(legacy), 4);
  time.copy(free, Direction::to_device, 500);
  EXPECT_EQ(free.end, 5.5);
  // A record in the default stream is work of it.
  EXPECT_EQ(time.reached(blocking), 4);
}

TEST(StreamTimeline, StreamsWaitForEventsOfOthers) {
  StreamTimeline time = timeline();
  StreamTime first{StreamKind::non_blocking};
  StreamTime second{StreamKind::non_blocking};
  time.kernel(first, 3);
  const double event = time.record(first);
  time.kernel(first, 2);
  time.copy(second, Direction::to_device, 1000);
  time.wait(second, event);
  time.copy(second, Direction::to_host, 1000);
  EXPECT_EQ(second.end, 4);
  // The past holds nothing up.
  time.wait(second, event);
  EXPECT_EQ(time.record(second), 4);
}

TEST(StreamTimeline, WorkBeginsWhenTheHostHasSubmittedIt) {
  StreamTimeline time = timeline();
  StreamTime first{StreamKind::non_blocking};
  StreamTime second{StreamKind::non_blocking};
  time.copy(first, Direction::to_device, 3000);
  time.kernel(second, 1);
  time.host_waits(time.reached(first));
  EXPECT_EQ(time.record(second), 3);
  time.kernel(second, 1);
  EXPECT_EQ(second.end, 4);
  time.host_waits(2);
  time.copy(first, Direction::to_host, 1000);
  EXPECT_EQ(first.end, 4);
  time.host_waits_for_all();
  StreamTime later;
  EXPECT_EQ(time.record(later), 4);
}

TEST(StreamTimeline, AStreamHasEndedWithItsOwnWork) {
  StreamTimeline time = timeline();
  StreamTime legacy{StreamKind::legacy};
  StreamTime blocking;
  time.kernel(blocking, 1);
  time.kernel(legacy, 2);
  // Its next work would wait for the kernel of the default stream; a host that synchronizes with it
  // does not.
  EXPECT_EQ(time.reached(blocking), 3);
  EXPECT_EQ(time.ended(blocking), 1);
  StreamTime other;
  time.kernel(other, 1);
  EXPECT_EQ(time.ended(other), 4);
  EXPECT_EQ(time.ended(legacy), 4) << "its next work waits for all of them";
  StreamTime free{StreamKind::non_blocking};
  time.kernel(free, 1);
  EXPECT_EQ(time.ended(free), 5);
  EXPECT_EQ(time.ended(legacy), 4);
}

TEST(StreamTimeline, WithoutABandwidthCopiesTakeNoTimeAndNeedNoEngine) {
  StreamTimeline time{CopyRates{}};
  StreamTime first;
  StreamTime second;
  time.kernel(first, 2);
  time.fill(second, 1000);
  time.copy(second, Direction::to_device, 1000);
  EXPECT_EQ(second.end, 0);
  time.copy(first, Direction::to_device, 1000);
  EXPECT_EQ(first.end, 2);
  // A kernel that is not timed.
  time.kernel(second, 0);
  EXPECT_EQ(second.end, 0);
  EXPECT_EQ(time.transferred(Direction::to_device).bytes, 2000U);
}

TEST(StreamTimeline, ALaunchTakesTimeBeforeTheKernel) {
  StreamTimeline time{{1000, 4000, 0, true}, 0.5};
  StreamTime first;
  StreamTime second;
  time.kernel(first, 2);
  EXPECT_EQ(first.end, 2.5);
  // The kernel behind it in the stream is launched when it has ended, that of another stream
  // meanwhile.
  time.kernel(second, 1);
  EXPECT_EQ(second.end, 3.5);
  time.kernel(first, 2);
  EXPECT_EQ(first.end, 5.5);
  time.kernel(first, 2);
  EXPECT_EQ(first.end, 8);
  // Copies and kernels that are not timed have no launch.
  time.copy(second, Direction::to_device, 1000);
  EXPECT_EQ(second.end, 4.5);
  time.kernel(second, 0);
  EXPECT_EQ(second.end, 4.5);
  StreamTime legacy{StreamKind::legacy};
  time.kernel(legacy, 1);
  EXPECT_EQ(time.record(second), 9.5);
}

TEST(StreamTimeline, RatesAreThoseOfTheKeys) {
  GpuConfig config = load_gpu("m2090");
  set_key(config, "device.copy_gbps=8");
  set_key(config, "device.copy_latency_us=10");
  set_key(config, "device.copy_engines=1");
  const CopyRates rates = copy_rates(config);
  EXPECT_DOUBLE_EQ(rates.link, 8e6);
  EXPECT_DOUBLE_EQ(rates.memory, 177.6e6);
  EXPECT_DOUBLE_EQ(rates.latency, 0.01);
  EXPECT_FALSE(rates.both_ways);
  EXPECT_EQ(launch_latency(config), 0);
  set_key(config, "device.launch_latency_us=7");
  EXPECT_DOUBLE_EQ(launch_latency(config), 0.007);
  set_key(config, "device.copy_gbps=0");
  EXPECT_EQ(copy_rates(config).latency, 0);
}

}  // namespace
}  // namespace paws::cuda
