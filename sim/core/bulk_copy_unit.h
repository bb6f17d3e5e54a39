// SPDX-License-Identifier: MIT
// The bulk copy engine of a core: cp.async.bulk between global and shared memory, line by line.
//
// One thread names a stretch of memory, and the engine moves it while the warp goes on. Copies are
// served in the order of their issue, one request for a line of 128 bytes in bulk.interval cycles.
// The requests go to the L2 past the L1, and hold none of its MSHRs. How many may be under way is
// limited by the crossbar alone.
#pragma once

#include <cstdint>
#include <deque>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/core/coalescer.h"
#include "sim/exec/resident_block.h"
#include "sim/memory/line_owner.h"
#include "sim/memory/port.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

/// What the core learns from the engine.
class BulkCopyClient {
 public:
  virtual ~BulkCopyClient() = default;
  /// Of `warp`, all of copy number `copy` of this kind has come or has been acknowledged; for
  /// CopyKind::bulk_read: has been read.
  virtual void bulk_done(std::uint32_t warp, ir::CopyKind kind, std::uint32_t copy) = 0;
};

class BulkCopyUnit {
 public:
  BulkCopyUnit(const GpuConfig& config, memory::Port& port, BulkCopyClient& client,
               CoreStatistics& statistics)
      : interval_(config.bulk.interval), port_(port), client_(client), statistics_(statistics) {}

  /// Takes the copies of the lanes of an instruction; `kind` is bulk_load or bulk_store, and `copy`
  /// its number among the warp's.
  void push(memory::LineOwner warp, ir::CopyKind kind, std::uint32_t copy,
            const exec::Outcome& outcome);

  /// One cycle: at most one request.
  void step(std::uint64_t cycle) {
    if (!queue_.empty() && cycle >= free_) serve(cycle);
  }
  /// The first cycle after `cycle` in which step() does something, unless push() comes before; the
  /// largest value when there is none.
  [[nodiscard]] std::uint64_t next_step(std::uint64_t cycle) const;

  /// Whether a response is to a request of this unit.
  [[nodiscard]] static bool owns(const memory::Response& response) {
    return response.kind != memory::RequestKind::instruction &&
           (response.tag & kTagMask) == kFirstTag;
  }
  /// Takes it.
  void respond(const memory::Response& response);

  /// Whether a copy has requests to send.
  [[nodiscard]] bool busy() const { return !queue_.empty(); }
  /// Requests of loads without a reply.
  [[nodiscard]] unsigned outstanding_loads() const { return loads_; }
  /// Requests of stores without an acknowledgement.
  [[nodiscard]] unsigned outstanding_stores() const { return stores_; }

 private:
  // Tags of a core's other requests are small numbers, or have all of the highest bits.
  static constexpr std::uint32_t kFirstTag = 0x8000'0000, kTagMask = 0xc000'0000;

  struct Operation {
    memory::LineOwner warp;
    ir::CopyKind kind{};
    std::uint32_t copy = 0;
    std::uint32_t remaining = 0;  ///< requests that have not been answered, sent or not
  };
  /// What of an operation is to be sent: the stretches of its lanes.
  struct Stretch {
    std::uint32_t operation = 0;
    std::uint64_t begin = 0, end = 0;  ///< addresses; multiples of 16
    bool last = false;                 ///< of the operation
  };

  void serve(std::uint64_t cycle);

  unsigned interval_;
  memory::Port& port_;
  BulkCopyClient& client_;
  CoreStatistics& statistics_;
  std::deque<Stretch> queue_;
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> free_operations_;
  std::uint64_t free_ = 0;  ///< first cycle in which the engine sends again
  unsigned loads_ = 0, stores_ = 0;
};

}  // namespace paws::core
