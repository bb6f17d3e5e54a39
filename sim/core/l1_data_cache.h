// SPDX-License-Identifier: MIT
// The L1 data cache of a core: look-ups, MSHRs, and what travels between it and the L2.
//
// Loads allocate; stores to global memory are written through and drop the line (Fermi's policy),
// or with l1.store_keeps leave it where it is and allocate none (the caches hold no values);
// stores to local memory stay and are written back when evicted. Atomics, and loads that bypass the
// cache, drop the line and hold an MSHR that nothing merges into. A store that is to be written
// back (l1.write_back) fetches its line as a load does. With l1.sectored a miss fetches the sectors
// that are asked for and not there. One transaction at a time: the load-store
// unit says which, and tries again what could not go.
#pragma once

#include <cstdint>
#include <span>

#include "sim/config/gpu_config.h"
#include "sim/core/coalescer.h"
#include "sim/memory/line_owner.h"
#include "sim/memory/non_blocking_cache.h"
#include "sim/memory/port.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

/// A transaction that the L1 has looked up. Warps are warp slots of the core; the owner of a line
/// is the slot whose access brought it, whichever warp the slot holds now.
struct L1Access {
  std::uint64_t cycle = 0;
  std::uint32_t warp = 0;
  bool store = false;
  memory::TagArray::Result result = memory::TagArray::Result::hit;  ///< hit, pending or miss
  std::uint64_t line = 0;
  std::uint32_t owner = 0;         ///< hit and pending: of `line` (a global store may drop it)
  bool replaced = false;           ///< miss: `victim` was evicted
  std::uint64_t victim = 0;        ///< line address
  std::uint32_t victim_owner = 0;  ///< of `victim`
};

/// Learns of every load and store that the L1 looks up, in the cycle in which this happens; not of
/// those that pass it by (bypassing loads, atomics), nor of attempts that have to be repeated.
class L1Listener {
 public:
  virtual ~L1Listener() = default;
  virtual void l1_accessed(const L1Access& access) = 0;
};

class L1DataCache {
 public:
  enum class Result : std::uint8_t {
    retry,     ///< no way, or the port or the slice takes nothing now: nothing has changed
    full,      ///< no MSHR or place among the stores: the same until a response comes
    done,      ///< a load has found its line, a store to local memory is kept
    under_way  ///< respond() will name the operation
  };

  /// Who asks. `operation` is any number below kNoOperation that the reply is to name.
  struct Requester {
    std::uint32_t operation = 0;
    memory::LineOwner warp;
  };
  static constexpr std::uint32_t kNoOperation = 0xffff'fffe;

  /// What a response brings: the operations that it ends a transaction of, in order. Valid until
  /// the next response.
  struct Reply {
    bool acknowledges = false;  ///< stores and reductions; else data has come
    std::span<const std::uint32_t> operations;
  };

  /// `listener` may be null. What is given must outlive the cache.
  L1DataCache(const GpuConfig& config, memory::Port& port, CoreStatistics& statistics,
              L1Listener* listener)
      : config_(config),
        port_(port),
        statistics_(statistics),
        listener_(listener),
        cache_({config.l1.bytes, config.l1.ways, memory::kLineBytes, 1, config.l1.mshrs,
                config.l1.mshr_merges, config.l1.sectored}) {}

  Result load(const Transaction& transaction, const Requester& who, std::uint64_t cycle);
  /// A store that allocates its line and is written back with it; answered as a load is.
  Result store_back(const Transaction& transaction, const Requester& who, std::uint64_t cycle);
  Result load_past(const Transaction& transaction, const Requester& who, std::uint64_t cycle);
  Result store(const Transaction& transaction, const Requester& who, std::uint64_t cycle);
  Result store_local(const Transaction& transaction, const Requester& who, std::uint64_t cycle);
  /// `returns` a value, or is a reduction.
  Result atomic(const Transaction& transaction, const Requester& who, bool returns,
                std::uint64_t cycle);

  /// Takes the response to a load, store or atomic.
  Reply respond(const memory::Response& response);

  /// Empties the cache, as at the start of a kernel. Nothing may be under way.
  void clear() { cache_.tags().clear(); }

  /// Whether the last transaction must be tried again because the slice of its line takes nothing
  /// now.
  [[nodiscard]] bool told_to_stop() const { return told_to_stop_; }
  /// Stores and reductions without an acknowledgement, lines written back included.
  [[nodiscard]] unsigned outstanding_stores() const { return stores_; }
  /// Requests for loads and returning atomics without a reply.
  [[nodiscard]] unsigned outstanding_loads() const { return loads_; }
  /// Lines on their way.
  [[nodiscard]] unsigned outstanding_lines() const {
    return static_cast<unsigned>(cache_.mshrs().lines());
  }

 private:
  /// Looks the line up and fetches it if it is not there.
  Result read(const Transaction& transaction, const Requester& who, bool store,
              std::uint64_t cycle);
  /// Whether a request for `line` can leave the core.
  bool can_send(std::uint64_t line, std::uint64_t cycle);
  /// The reply is to name `who.operation`.
  void send(memory::RequestKind kind, const Transaction& transaction, const Requester& who,
            std::uint64_t cycle);
  void send_store(const Transaction& transaction, const Requester& who, std::uint64_t cycle);
  /// Of the line of `transaction`, what its request asks for.
  [[nodiscard]] memory::SectorMask asked(const Transaction& transaction) const {
    return config_.l1.sectored ? transaction.sectors : memory::kAllSectors;
  }
  /// What a store to global memory finds, and what it does to the line.
  memory::TagArray::Access write_through(std::uint64_t line);
  void write_back(const memory::TagArray::Access& access, std::uint64_t cycle);
  void count_hit(const memory::TagArray::Access& found, const Requester& who);
  void count_store(const memory::TagArray::Access& found, const Requester& who);
  /// Tells the listener, which there must be.
  void tell(const Requester& who, bool store, std::uint64_t line,
            const memory::TagArray::Access& tags, std::uint64_t cycle);

  const GpuConfig& config_;
  memory::Port& port_;
  CoreStatistics& statistics_;
  L1Listener* listener_;
  memory::NonBlockingCache cache_;  ///< of operations; a line's owner is a LineOwner
  unsigned loads_ = 0;
  unsigned stores_ = 0;
  bool told_to_stop_ = false;
  std::uint32_t answered_ = 0;  ///< storage of respond()
};

}  // namespace paws::core
