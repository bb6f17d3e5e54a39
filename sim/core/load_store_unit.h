// SPDX-License-Identifier: MIT
// The load-store unit of a core: memory instructions in order, as shared-memory passes and as
// transactions of the L1.
//
// Memory instructions are served in order of issue, one transaction or shared-memory pass in
// core.memory_interval cycles: the memory that is L1 and shared memory has 32 banks that deliver 4
// bytes in two cycles each (CUDA C Programming Guide, compute capability 2.x). With l1.tag_banks a
// load looks up several lines at once, and then takes as long as the banks of the data need, if
// that is longer. Fetches from textures go to the texture cache, if there is one, line by line.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/core/coalescer.h"
#include "sim/core/l1_data_cache.h"
#include "sim/core/observer.h"
#include "sim/core/texture_cache.h"
#include "sim/exec/resident_block.h"
#include "sim/memory/line_owner.h"
#include "sim/memory/port.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

/// What the core learns from the unit.
class LoadStoreClient {
 public:
  virtual ~LoadStoreClient() = default;
  /// The instruction at `pc` of `warp` has its data `delay` cycles from now (0: now).
  virtual void load_done(std::uint32_t warp, std::uint32_t pc, std::uint32_t delay) = 0;
  /// The same of an asynchronous copy, which is known by its number.
  virtual void copy_done(std::uint32_t warp, std::uint32_t copy, std::uint32_t delay) = 0;
  /// A store or reduction of `warp` has been acknowledged in full.
  virtual void store_done(std::uint32_t warp) = 0;
};

class LoadStoreUnit {
 public:
  /// A fetch goes to the texture cache, which there must be.
  enum class Kind : std::uint8_t { load, copy, fetch, store, atomic, reduction };

  /// Whose accesses they are: place of the launch in RunningKernels, and place in its code.
  struct Instruction {
    std::uint32_t launch = 0, pc = 0;
  };

  /// `listener` of the L1 and `observer`, which learns of the look-ups by instruction, may be null.
  LoadStoreUnit(const GpuConfig& config, memory::Port& port, LoadStoreClient& client,
                CoreStatistics& statistics, L1Listener* listener = nullptr,
                CoreObserver* observer = nullptr);

  /// The fewest cycles from the issue of a load from global memory, or of a fetch, to that of its
  /// first reader.
  static unsigned shortest_load(const GpuConfig& config) {
    const bool own = config.texture.bytes != 0;
    return 1 + (own ? std::min(config.l1.latency, config.texture.latency) : config.l1.latency);
  }

  /// For so many instructions.
  [[nodiscard]] bool has_room(unsigned instructions = 1) const {
    return queue_.size() + instructions <= config_.core.memory_queue;
  }
  [[nodiscard]] bool busy() const { return !queue_.empty(); }
  /// Stores and reductions not yet acknowledged.
  [[nodiscard]] unsigned outstanding_stores() const { return l1_.outstanding_stores(); }
  /// Requests for loads and returning atomics without a reply.
  [[nodiscard]] unsigned outstanding_loads() const {
    return l1_.outstanding_loads() + texture_.outstanding_lines();
  }
  /// Lines that L1 and texture cache wait for.
  [[nodiscard]] unsigned mshrs() const {
    return l1_.outstanding_lines() + texture_.outstanding_lines();
  }

  /// Takes an instruction that `warp` has just executed; there must be room. `local_base` is where
  /// the warp's local memory lies for the caches, `start` the cycle in which its operands are
  /// collected: its first step is the next one. `name` is what the client knows it by: its pc, or
  /// the number of a copy.
  void push(memory::LineOwner warp, std::uint32_t name, Instruction instruction, Kind kind,
            bool bypass_l1, const exec::Outcome& outcome, std::uint64_t local_base,
            std::uint64_t start);

  /// One cycle: at most one transaction, those of one turn (take_turns) or one shared-memory pass,
  /// if the last one is over.
  void step(std::uint64_t cycle) {
    if (queue_.empty() || full_since_) return;
    if (cycle >= free_ && cycle > queue_.front().start) serve(cycle);
  }

  /// The first cycle after `cycle` in which step() does something, unless push() or respond() comes
  /// before; the largest value when there is none.
  [[nodiscard]] std::uint64_t next_step(std::uint64_t cycle) const {
    if (queue_.empty() || full_since_) return std::numeric_limits<std::uint64_t>::max();
    return std::max({free_, queue_.front().start + 1, cycle + 1});
  }
  /// The same if the core does nothing else and `end` comes first: what the front was refused it is
  /// refused until the port has room again, or a slice says so. Signals up to `end` are known.
  [[nodiscard]] std::uint64_t next_step_alone(std::uint64_t cycle, std::uint64_t end) const {
    if (refused_ == nullptr || queue_.empty()) return next_step(cycle);
    if (refused_by_port_) return port_.free_from();
    // What others have sent since may have filled the port, which counts as something else.
    return port_.can_send(cycle) ? std::min(port_.next_signal(), end) : next_step(cycle);
  }

  /// Takes the response that reaches the core in its cycle.
  void respond(const memory::Response& response);

  /// Empties L1 and texture cache, as at the start of a kernel.
  void invalidate() {
    l1_.clear();
    texture_.clear();
  }

 private:
  struct Access {
    memory::LineOwner warp;  ///< which may have ended, if it is a store
    std::uint32_t name = 0;  ///< as in push()
    Instruction instruction;
    Kind kind = Kind::load;
    bool bypass = false;
    bool local = false;
    bool shared = false;
    std::uint64_t start = 0;      ///< cycle in which the operands are collected
    unsigned passes = 0;          ///< shared: left to do; a load by turns: of the banks of the data
    std::uint64_t last_pass = 0;  ///< a load: cycle in which the banks begin the last one
    unsigned next = 0;            ///< transaction to do next
    std::uint32_t operation = 0;  ///< index into operations_
    Transactions transactions;
  };
  /// First in, first out, at most core.memory_queue. An Access is large: its place is used again
  /// and again, and only what matters is cleared.
  class Queue {
   public:
    explicit Queue(unsigned places) : places_(places) {}
    [[nodiscard]] bool empty() const { return used_ == 0; }
    [[nodiscard]] unsigned size() const { return used_; }
    Access& front() { return places_[first_]; }
    [[nodiscard]] const Access& front() const { return places_[first_]; }
    Access& push() {
      const std::size_t place = first_ + used_++;
      Access& access = places_[place < places_.size() ? place : place - places_.size()];
      access.passes = access.next = 0;
      access.transactions.count = 0;
      return access;
    }
    void pop() {
      first_ = first_ + 1 == places_.size() ? 0 : first_ + 1;
      --used_;
    }

   private:
    std::vector<Access> places_;
    unsigned first_ = 0;
    unsigned used_ = 0;
  };
  /// An instruction on its way.
  struct Operation {
    std::uint32_t warp = 0, name = 0;
    bool copy = false;
    unsigned remaining = 0;      ///< transactions that have not delivered or been acknowledged
    std::uint64_t earliest = 0;  ///< a line on its way saves the miss, not the look-up
  };

  [[nodiscard]] static bool returns_value(Kind kind) {
    return kind == Kind::load || kind == Kind::copy || kind == Kind::fetch || kind == Kind::atomic;
  }
  /// From the look-up of a hit to its data.
  [[nodiscard]] unsigned latency_of(Kind kind) const {
    return kind == Kind::fetch ? config_.texture.latency : config_.l1.latency;
  }
  /// Whether lines of the access are looked up by turns: loads from global and local memory.
  /// Texture units, which are not modelled, look up the lines of a fetch, whichever cache it uses.
  [[nodiscard]] bool by_turns(Kind kind, const exec::Outcome& outcome) const {
    return config_.l1.tag_banks > 1 && (kind == Kind::load || kind == Kind::copy) &&
           outcome.texels.empty();
  }
  /// The next turn of transactions or pass of the front.
  void serve(std::uint64_t cycle);
  /// The front's next transaction. Whether it is done with.
  bool look_up(Access& access, std::uint64_t cycle);
  /// Tells the observer, which there must be, what L1 and texture cache have counted since they had
  /// looked up and missed so often.
  void tell(const Instruction& instruction, std::uint64_t looked_up, std::uint64_t missed);
  /// Tries the front's next transaction.
  L1DataCache::Result try_transaction(const Access& access, std::uint64_t cycle);
  [[nodiscard]] std::uint32_t begin(const Access& access);
  void tell_done(const Operation& operation, std::uint32_t delay);
  void delivered(std::uint32_t operation, std::uint64_t cycle);
  void acknowledged(std::uint32_t operation);
  /// The front needs no memory: it is done `delay` cycles from now.
  void finish_front(std::uint32_t delay);

  const GpuConfig& config_;
  memory::Port& port_;
  LoadStoreClient& client_;
  CoreStatistics& statistics_;
  CoreObserver* observer_;
  L1DataCache l1_;
  TextureCache texture_;
  Queue queue_;
  std::vector<Operation> operations_;
  std::vector<std::uint32_t> free_operations_;
  std::uint64_t free_ = 0;  ///< first cycle in which the banks are free
  /// What counts the cycles in which the front's next transaction is refused, from the last try on;
  /// null: it was not.
  std::uint64_t* refused_ = nullptr;
  bool refused_by_port_ = false;
  std::uint64_t tried_ = 0;  ///< cycle of the last try
  /// Since when its cache has been full for the front's next transaction: it is not tried again
  /// before a response.
  std::optional<std::uint64_t> full_since_;
};

}  // namespace paws::core
