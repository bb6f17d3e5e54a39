// Everything beyond the cores: crossbar, L2 slices, DRAM channels.
//
// Event driven: a component acts only when a request reaches it. Time is kept in femtoseconds, so
// that core, interconnect and DRAM clocks need no common divisor; cores see whole cycles. Events of
// the same femtosecond are served in the order in which they were scheduled, which makes every run
// repeatable.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "sim/config/gpu_config.h"

namespace paws::memory {

inline constexpr unsigned kLineBytes = 128;

enum class RequestKind : std::uint8_t {
  load,
  store,
  atomic,      ///< returns a value
  reduction,   ///< does not
  instruction  ///< a line of the instruction cache
};

/// One cache-line transaction of a core.
struct Request {
  RequestKind kind = RequestKind::load;
  std::uint32_t core = 0;
  std::uint64_t line = 0;   ///< address of the 128-byte line
  std::uint32_t bytes = 0;  ///< store and atomic payload, or bytes asked for
  std::uint32_t conflicts =
      1;                  ///< atomic: operations on the most contended word, one after another
  std::uint32_t tag = 0;  ///< returned with the response
};

struct Response {
  RequestKind kind = RequestKind::load;
  std::uint32_t core = 0;
  std::uint64_t line = 0;
  std::uint32_t tag = 0;
};

/// Counters of one run.
struct Statistics {
  std::uint64_t requests = 0;        ///< requests taken by the crossbar
  std::uint64_t responses = 0;       ///< replies that have reached a core
  std::uint64_t slice_requests = 0;  ///< requests that have reached an L2 slice
  std::uint64_t slice_replies = 0;   ///< replies that have left one
  std::uint64_t l2_accesses = 0;     ///< requests looked up
  std::uint64_t l2_hits = 0, l2_misses = 0, l2_pending_hits = 0, l2_writebacks = 0;
  /// Sum over slices of the time in which a request waited for an MSHR, a way or
  /// a place in the DRAM queue.
  std::uint64_t l2_blocked_fs = 0;
  std::uint64_t l2_period_fs = 0;   ///< clock period of L2 and interconnect, constant
  std::uint64_t dram_fetches = 0;   ///< lines that the L2 has asked for
  std::uint64_t dram_reads = 0;     ///< lines read
  std::uint64_t dram_writes = 0;    ///< lines written
  std::uint64_t dram_row_hits = 0;  ///< of these, in an open row
  std::uint64_t dram_busy_fs = 0;   ///< sum over channels of the time the data bus was driven
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

  /// Whether the core's port into the crossbar takes a request in this core cycle.
  [[nodiscard]] bool can_send(std::uint32_t core, std::uint64_t cycle) const;
  void send(const Request& request, std::uint64_t cycle);

  /// Advances to `cycle` and appends the responses that reach a core by then, in order.
  void advance(std::uint64_t cycle, std::vector<Response>& responses);

  /// The earliest core cycle in which advance() has something to do; UINT64_MAX when empty.
  [[nodiscard]] std::uint64_t next_event() const;

  [[nodiscard]] const Statistics& statistics() const;
  [[nodiscard]] Residue residue() const;
  /// Channels × the time that a full data bus would have had, in femtoseconds, until `cycle`.
  [[nodiscard]] std::uint64_t bus_capacity_fs(std::uint64_t cycle) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::memory
