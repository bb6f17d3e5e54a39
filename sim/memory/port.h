// SPDX-License-Identifier: MIT
// A core's port into the crossbar: all that a core and the memory system have in common.
//
// Whether a request can go is decided here, from what the core itself has sent and from what it has
// been told, so that a core can run for a while on its own. MemorySystem::exchange() takes what has
// been sent and brings what is on its way to the core, each with its cycle.
#pragma once

#include <cstdint>
#include <deque>
#include <limits>
#include <vector>

#include "sim/memory/crossbar.h"
#include "sim/memory/request.h"

namespace paws::memory {

/// A request on its way.
struct Sent {
  Request request;
  std::uint64_t cycle = 0;        ///< in which the core sent it
  std::uint64_t at_slice_fs = 0;  ///< when it has crossed the crossbar
};

/// A slice tells the cores to stop or to go on.
struct Signal {
  std::uint64_t cycle = 0;  ///< in which it reaches the cores
  std::uint32_t slice = 0;
  bool stop = false;
};

/// Aligned, so that threads that run neighbouring cores share no cache line.
class alignas(64) Port {
 public:
  Port(const GpuConfig& config, std::uint32_t core)
      : crossbar_(config),
        core_(core),
        backlog_fs_(config.interconnect.buffer_flits * crossbar_.period()),
        stopped_(config.l2.slices, false) {}

  /// Whether the output buffer takes a request in this core cycle.
  [[nodiscard]] bool can_send(std::uint64_t cycle) const {
    return free_fs_ <= crossbar_.time_of(cycle) + backlog_fs_;
  }
  /// The first core cycle from which on it does, if nothing more is sent.
  [[nodiscard]] std::uint64_t free_from() const {
    return free_fs_ <= backlog_fs_ ? 0 : crossbar_.core_cycle(free_fs_ - backlog_fs_);
  }
  /// Whether a slice that a request for `line` may need has told the core to stop, as far as the
  /// core has heard.
  [[nodiscard]] bool stopped(std::uint64_t line) const {
    if (stopped_slices_ == 0) return false;
    const std::uint32_t home = crossbar_.slice_of(line);
    return stopped_[home] || stopped_[crossbar_.entrance(core_, home)];
  }
  void send(Request request, std::uint64_t cycle);

  /// Takes note of the signals that have arrived by `cycle`. Cycles must not go back.
  void listen(std::uint64_t cycle);
  /// Cycle of the next signal; UINT64_MAX when none is known of.
  [[nodiscard]] std::uint64_t next_signal() const {
    return signals_.empty() ? std::numeric_limits<std::uint64_t>::max() : signals_.front().cycle;
  }
  /// Cycle of the next response; UINT64_MAX when none is known of.
  [[nodiscard]] std::uint64_t next_response() const {
    return responses_.empty() ? std::numeric_limits<std::uint64_t>::max()
                              : responses_.front().cycle;
  }
  /// Removes the next response, of which there must be one.
  Response take_response();

 private:
  friend class MemorySystem;

  Crossbar crossbar_;
  std::uint32_t core_;
  std::uint64_t backlog_fs_;
  std::uint64_t free_fs_ = 0;  ///< when all that was sent has left the buffer
  std::vector<bool> stopped_;  ///< by slice
  unsigned stopped_slices_ = 0;
  std::vector<Sent> sent_;
  std::deque<Response> responses_;
  std::deque<Signal> signals_;
};

}  // namespace paws::memory
