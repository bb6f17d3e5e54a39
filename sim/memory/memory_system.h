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

/// Counters of one run. Every request sent is answered: requests == responses at the end.
struct Statistics {
  std::uint64_t requests = 0, responses = 0;
  std::uint64_t l2_accesses = 0, l2_misses = 0, l2_pending_hits = 0, l2_writebacks = 0;
  std::uint64_t dram_reads = 0, dram_writes = 0, dram_row_hits = 0;
  std::uint64_t dram_busy_fs = 0;  ///< sum over channels of the time the data bus was driven
  std::uint64_t latency_fs = 0;    ///< sum over load and atomic requests, sent to answered
  std::uint64_t latency_requests = 0;
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
  /// Channels × the time that a full data bus would have had, in femtoseconds, until `cycle`.
  [[nodiscard]] std::uint64_t bus_capacity_fs(std::uint64_t cycle) const;

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace paws::memory
