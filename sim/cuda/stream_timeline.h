// SPDX-License-Identifier: MIT
// When kernels and copies of several streams would run on a machine. The simulator does all work
// when it is submitted; the timeline says when it begins and ends, in milliseconds of simulated
// time.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/config/gpu_config.h"

namespace paws::cuda {

/// How a stream stands to the default one, the legacy stream: work of either waits for work of the
/// other before it, unless the stream is non-blocking.
enum class StreamKind : std::uint8_t { legacy, blocking, non_blocking };

/// A stream. The timeline alone changes `end`.
struct StreamTime {
  StreamKind kind = StreamKind::blocking;
  double end = 0;  ///< of the stream's work so far
};

/// Where the bytes of a copy go. A fill is a transfer within the device.
enum class Direction : std::uint8_t { to_device, to_host, within };
inline constexpr std::size_t kDirections = 3;

/// How long copies and fills take. 0 bytes per millisecond: no time.
struct CopyRates {
  double link = 0;         ///< bytes per millisecond between host and device, one direction
  double memory = 0;       ///< bytes per millisecond that the device's memory reads and writes
  double latency = 0;      ///< milliseconds of a copy between host and device, beside its bytes
  bool both_ways = false;  ///< the link copies in both directions at once
};

/// What the keys of the GPU say.
CopyRates copy_rates(const GpuConfig& config);

/// Milliseconds from when a kernel could begin until its first cycle.
double launch_latency(const GpuConfig& config);

/// Work begins when the host has submitted it, the work before it in its stream has ended, and its
/// engine is free. An engine does its work in the order of submission. There is an engine for
/// kernels, which copies and fills within the device use as well: they need all of the memory's
/// bandwidth. Copies between host and device have one or two of their own. The host needs time for
/// nothing but to wait.
class StreamTimeline {
 public:
  /// Sum over the transfers of a direction.
  struct Transferred {
    std::uint64_t bytes = 0;
    double milliseconds = 0;
  };

  explicit StreamTimeline(const CopyRates& rates, double launch_latency = 0)
      : rates_(rates), launch_latency_(launch_latency) {}

  /// A kernel that runs so long; 0: it is not timed, its launch takes no time either, and it needs
  /// no engine. While it is launched its engine is free for others.
  void kernel(StreamTime& stream, double milliseconds);

  void copy(StreamTime& stream, Direction direction, std::uint64_t bytes);
  /// Memory of the device is written, not read.
  void fill(StreamTime& stream, std::uint64_t bytes);

  /// When work of the stream could begin now, if its engine were free.
  [[nodiscard]] double reached(const StreamTime& stream) const;

  /// When the work of the stream so far has ended. Of the default stream it is the time when that
  /// of the blocking streams has ended too, for which its next work would wait.
  [[nodiscard]] double ended(const StreamTime& stream) const {
    return stream.kind == StreamKind::legacy ? reached(stream) : stream.end;
  }

  /// The time of an event that the stream records.
  double record(StreamTime& stream);

  /// Later work of the stream begins at `time` or after.
  void wait(StreamTime& stream, double time);

  /// The host waits until `time`, or for all work.
  void host_waits(double time) { raise(host_, time); }
  void host_waits_for_all() { host_waits(end_); }

  /// What the host's clock says.
  [[nodiscard]] double host() const { return host_; }

  /// Of all work.
  [[nodiscard]] double end() const { return end_; }

  [[nodiscard]] const Transferred& transferred(Direction direction) const {
    return transferred_[static_cast<std::size_t>(direction)];
  }

 private:
  enum Engine : std::uint8_t { kCompute, kLink, kLinkBack, kEngines };

  static void raise(double& time, double to) { time = std::max(time, to); }
  /// Work in the stream has ended at `time`.
  void advance(StreamTime& stream, double time);
  void run(StreamTime& stream, Engine engine, double milliseconds);
  void transfer(StreamTime& stream, Direction direction, std::uint64_t bytes, double milliseconds);

  CopyRates rates_;
  double launch_latency_;
  double host_ = 0;
  double end_ = 0;
  double legacy_end_ = 0;
  double blocking_end_ = 0;  // of the work in all blocking streams
  std::array<double, kEngines> free_{};
  std::array<Transferred, kDirections> transferred_{};
};

}  // namespace paws::cuda
