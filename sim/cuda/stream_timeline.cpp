// SPDX-License-Identifier: MIT
#include "sim/cuda/stream_timeline.h"

#include <algorithm>

namespace paws::cuda {
namespace {

double time_of(double bytes, double rate) { return rate == 0 ? 0 : bytes / rate; }

}  // namespace

CopyRates copy_rates(const GpuConfig& config) {
  if (config.device.copy_gbps == 0) return {};
  CopyRates rates;
  rates.link = config.device.copy_gbps * 1e6;
  rates.memory = config.dram.clock_mhz * 1e3 * config.dram.channels * config.dram.bytes_per_clock;
  rates.latency = config.device.copy_latency_us * 1e-3;
  rates.both_ways = config.device.copy_engines == 2;
  return rates;
}

double launch_latency(const GpuConfig& config) { return config.device.launch_latency_us * 1e-3; }

void StreamTimeline::kernel(StreamTime& stream, double milliseconds) {
  if (milliseconds > 0) wait(stream, reached(stream) + launch_latency_);
  run(stream, kCompute, milliseconds);
}

void StreamTimeline::copy(StreamTime& stream, Direction direction, std::uint64_t bytes) {
  const auto count = static_cast<double>(bytes);
  if (direction == Direction::within) {
    // Each byte is read and written.
    transfer(stream, direction, bytes, time_of(2 * count, rates_.memory));
  } else {
    transfer(stream, direction, bytes, rates_.latency + time_of(count, rates_.link));
  }
}

void StreamTimeline::fill(StreamTime& stream, std::uint64_t bytes) {
  transfer(stream, Direction::within, bytes, time_of(static_cast<double>(bytes), rates_.memory));
}

void StreamTimeline::transfer(StreamTime& stream, Direction direction, std::uint64_t bytes,
                              double milliseconds) {
  Engine engine = kCompute;
  if (direction == Direction::to_device) engine = kLink;
  if (direction == Direction::to_host) engine = rates_.both_ways ? kLinkBack : kLink;
  run(stream, engine, milliseconds);
  Transferred& sum = transferred_[static_cast<std::size_t>(direction)];
  sum.bytes += bytes;
  sum.milliseconds += milliseconds;
}

void StreamTimeline::run(StreamTime& stream, Engine engine, double milliseconds) {
  double begin = reached(stream);
  if (milliseconds > 0) {
    begin = std::max(begin, free_[engine]);
    free_[engine] = begin + milliseconds;
  }
  advance(stream, begin + milliseconds);
}

double StreamTimeline::reached(const StreamTime& stream) const {
  const double submitted = std::max(host_, stream.end);
  switch (stream.kind) {
    case StreamKind::legacy:
      return std::max(submitted, blocking_end_);
    case StreamKind::blocking:
      return std::max(submitted, legacy_end_);
    case StreamKind::non_blocking:
      break;
  }
  return submitted;
}

double StreamTimeline::record(StreamTime& stream) {
  // In the default stream this is work as well: that of other streams waits for it.
  advance(stream, reached(stream));
  return stream.end;
}

void StreamTimeline::wait(StreamTime& stream, double time) {
  advance(stream, std::max(reached(stream), time));
}

void StreamTimeline::advance(StreamTime& stream, double time) {
  raise(stream.end, time);
  if (stream.kind == StreamKind::legacy) raise(legacy_end_, time);
  if (stream.kind == StreamKind::blocking) raise(blocking_end_, time);
  raise(end_, time);
}

}  // namespace paws::cuda
