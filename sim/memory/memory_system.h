// Everything beyond the cores: crossbar, L2 slices, DRAM channels.
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
#include "sim/memory/port.h"
#include "sim/memory/request.h"

namespace paws::memory {

/// Counters of one run. Every request sent is answered: requests == responses at the end.
struct Statistics {
  std::uint64_t requests = 0, responses = 0;
  std::uint64_t l2_accesses = 0, l2_misses = 0, l2_pending_hits = 0, l2_writebacks = 0;
  std::uint64_t l2_queue_peak = 0;  ///< most requests that ever waited at one slice
  std::uint64_t dram_reads = 0, dram_writes = 0, dram_row_hits = 0;
  std::uint64_t dram_queue_peak = 0;  ///< most transfers that ever waited at one channel
  std::uint64_t dram_busy_fs = 0;     ///< sum over channels of the time the data bus was driven
  std::uint64_t latency_fs = 0;       ///< sum over load and atomic requests, sent to answered
  std::uint64_t latency_requests = 0;

  bool operator==(const Statistics&) const = default;
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

  [[nodiscard]] const Statistics& statistics() const;
  /// Channels × the time that a full data bus would have had, in femtoseconds, until `cycle`.
  [[nodiscard]] std::uint64_t bus_capacity_fs(std::uint64_t cycle) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::memory
