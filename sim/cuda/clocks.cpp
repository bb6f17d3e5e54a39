// SPDX-License-Identifier: MIT
// libpaws_clocks.so, which `paws cuda --host-time simulated` puts before the C library: the clocks
// of a program read simulated time, which the CUDA runtime sets.
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <ctime>

#define PAWS_REPLACES extern "C" __attribute__((visibility("default")))

namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

std::atomic<std::int64_t> simulated{0};  ///< nanoseconds
/// Each reading takes a nanosecond, so that a loop that waits for a time ends.
std::atomic<std::int64_t> readings{0};

std::int64_t nanoseconds() { return simulated + ++readings; }

/// When the program has started, in whole seconds: fractions of later times are simulated alone.
std::int64_t start_of_realtime() {
  static const std::int64_t start = [] {
    timespec now{};
    syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
    return static_cast<std::int64_t>(now.tv_sec);
  }();
  return start;
}

timespec at(std::int64_t start_seconds) {
  const std::int64_t now = nanoseconds();
  return {start_seconds + now / kSecond, now % kSecond};
}

}  // namespace

PAWS_REPLACES void paws_set_clocks(double milliseconds) {
  simulated = static_cast<std::int64_t>(milliseconds * 1e6);
}

PAWS_REPLACES int clock_gettime(clockid_t clock, timespec* time) noexcept {
  switch (clock) {
    case CLOCK_REALTIME:
    case CLOCK_REALTIME_COARSE:
    case CLOCK_TAI:
      *time = at(start_of_realtime());
      return 0;
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      *time = at(0);
      return 0;
    default:
      return static_cast<int>(syscall(SYS_clock_gettime, clock, time));
  }
}

PAWS_REPLACES int timespec_get(timespec* time, int base) noexcept {
  if (base != TIME_UTC) return 0;
  *time = at(start_of_realtime());
  return base;
}

PAWS_REPLACES int gettimeofday(timeval* time, void* /*zone*/) noexcept {
  const timespec now = at(start_of_realtime());
  *time = {now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

PAWS_REPLACES std::time_t time(std::time_t* to) noexcept {
  const std::time_t now = at(start_of_realtime()).tv_sec;
  if (to != nullptr) *to = now;
  return now;
}

PAWS_REPLACES std::clock_t clock() noexcept {
  return static_cast<std::clock_t>(nanoseconds() * CLOCKS_PER_SEC / kSecond);
}
