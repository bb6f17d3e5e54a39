// SPDX-License-Identifier: MIT
// Everything beyond the cores: crossbar, L2 slices, DRAM channels.
//
// With l2.bytes = 0 there is no L2: its slices are memory controllers, at which requests for a line
// on its way from DRAM wait for it, and all others go there.
//
// Event driven: a component acts only when a request reaches it. Time is kept in femtoseconds, so
// that core, interconnect and DRAM clocks need no common divisor; cores see whole cycles. Events of
// the same femtosecond are served by kind, those of one kind by request (in the order of sending:
// cycle, then core), slice or channel: what happens depends on the requests alone, not on how often
// the system is advanced.
//
// Cores and memory system meet only in exchange(). Between two exchanges each core may run on a
// thread of its own, on its Port, and advance() on another: nothing that a core sends reaches a
// slice, and nothing that a slice sends reaches a core, in less than a crossing.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/memory/line_owner.h"
#include "sim/memory/port.h"
#include "sim/memory/request.h"

namespace paws::memory {

/// Counters of one run.
struct Statistics {
  std::uint64_t requests = 0;        ///< requests taken by the crossbar
  std::uint64_t responses = 0;       ///< replies that have reached a core
  std::uint64_t slice_requests = 0;  ///< requests that have reached an L2 slice
  std::uint64_t slice_replies = 0;   ///< replies that have left one
  std::uint64_t l2_accesses = 0;     ///< requests looked up
  std::uint64_t l2_hits = 0, l2_misses = 0, l2_pending_hits = 0, l2_writebacks = 0;
  /// Of the hits and of the pending hits: those of data by whose line they found, and those of
  /// instruction lines.
  LocalityCounts l2_hits_by_locality{}, l2_pending_hits_by_locality{};
  std::uint64_t l2_instruction_hits = 0, l2_instruction_pending_hits = 0;
  std::uint64_t l2_queue_peak = 0;  ///< most requests that ever waited at one slice
  /// Sum over slices of the time in which a request waited for an MSHR, a way or
  /// a place in the DRAM queue.
  std::uint64_t l2_blocked_fs = 0;
  /// Sums over slices of the time in which a slice takes requests in, atomic operations included,
  /// and in which it drives replies.
  std::uint64_t l2_input_fs = 0, l2_output_fs = 0;
  std::uint64_t l2_period_fs = 0;     ///< clock period of L2 and interconnect, constant
  std::uint64_t dram_fetches = 0;     ///< lines that the L2 has asked for
  std::uint64_t dram_queue_peak = 0;  ///< most transfers that ever waited at one channel
  std::uint64_t dram_reads = 0;       ///< lines read
  std::uint64_t dram_writes = 0;      ///< lines written
  std::uint64_t dram_row_hits = 0;    ///< of these, in an open row
  std::uint64_t dram_busy_fs = 0;     ///< sum over channels of the time the data bus was driven
  /// Sum over channels of the time with a transfer waiting or under way.
  std::uint64_t dram_active_fs = 0;
  /// Sums over requests of the core cycles from the one that sent it to the one that has the
  /// reply: loads and returning atomics; stores and reductions; instructions.
  std::uint64_t load_latency = 0, store_latency = 0, fetch_latency = 0;
  std::uint64_t load_replies = 0;   ///< of the responses, to loads and returning atomics
  std::uint64_t store_replies = 0;  ///< of the responses, to stores and reductions

  bool operator==(const Statistics&) const = default;
};

/// What is under way in the memory system.
struct Residue {
  std::uint64_t requests = 0;  ///< without a reply
  std::uint64_t l2_mshrs = 0;  ///< lines on their way from DRAM
  std::uint64_t blocked = 0;   ///< requests that wait for an MSHR or a way
  std::uint64_t reads = 0;     ///< transfers that wait for a DRAM channel
  std::uint64_t writes = 0;    ///< the same of writes: they may outlast a launch
};

class MemorySystem {
 public:
  explicit MemorySystem(const GpuConfig& config);
  ~MemorySystem();

  [[nodiscard]] Port& port(std::uint32_t core);

  /// Takes over what the ports have sent, and hands them the responses and signals that advance()
  /// has produced. Not while a core or advance() runs.
  void exchange();

  /// Advances as far as the requests taken over allow when no others are sent before core cycle
  /// `sure`. Stops early, when a response wakes a core before `sure`; returns the cycle before
  /// which none has been woken, at most `sure`.
  std::uint64_t advance(std::uint64_t sure);

  /// Core cycles from `sure` on for which every response and signal is known once advance(sure) has
  /// returned `sure`: a crossing there and one back. At least 1.
  [[nodiscard]] std::uint64_t round_trip() const;

  /// Whether anything is under way.
  [[nodiscard]] bool busy() const;

  /// Leaves the tags of the L2 as a finished access of `user` on `core` would: a load, or if
  /// `written` a store or atomic. It takes no time, moves no data and is not counted. Not while a
  /// core or advance() runs. Returns whether it had to bring anything to where it was looked up.
  bool touch(std::uint32_t core, LineOwner user, std::uint64_t line, SectorMask sectors,
             bool written);

  [[nodiscard]] const Statistics& statistics() const;
  [[nodiscard]] Residue residue() const;
  /// Channels × the time that a full data bus would have had, in femtoseconds, until `cycle`.
  [[nodiscard]] std::uint64_t bus_capacity_fs(std::uint64_t cycle) const;
  /// The same of the slices' ports.
  [[nodiscard]] std::uint64_t l2_capacity_fs(std::uint64_t cycle) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::memory
