// SPDX-License-Identifier: MIT
// The back end of a barrel core: an in-order pipeline of sub-warps, one of whose stages accesses
// memory (Narasiman et al., MICRO 2011, section 2).
//
// A sub-warp has at most one thread per lane. It moves on by a stage in every cycle, unless one
// before it in the memory stage has more to do: a line, a pass over the banks of shared memory or a
// word of private memory takes a cycle, and until the last one all that is behind stands still (the
// pipeline is frozen), decode and fetch included. Stages beyond go on. A miss holds nothing up:
// whoever waits for the line is told when it comes.
#pragma once

#include <cstdint>
#include <vector>

#include "model/large_warp.h"
#include "sim/config/gpu_config.h"
#include "sim/core/coalescer.h"
#include "sim/core/l1_data_cache.h"
#include "sim/core/local_layout.h"
#include "sim/exec/resident_block.h"
#include "sim/ir/kernel.h"
#include "sim/memory/line_owner.h"
#include "sim/memory/port.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

/// What a sub-warp does in the memory stage.
enum class SubWarpAccess : std::uint8_t {
  none,        ///< passes it, or stays there for some cycles (SubWarp::cycles)
  load,        ///< through the L1
  load_past,   ///< past it
  store,       ///< written through
  store_back,  ///< written back with its line; atomic operations of an L1 that writes back too
  store_local,
  atomic,    ///< returns a value; at the L2
  reduction  ///< does not
};

struct SubWarp {
  std::uint32_t instruction = 0;  ///< by which the core knows what it is a part of
  bool first = false;             ///< of the instruction's sub-warps
  bool last = false;
  LaneBits mask = 0;
  LaneRows row{};  ///< of each lane's thread

  SubWarpAccess access = SubWarpAccess::none;
  unsigned cycles = 1;  ///< access none: in the memory stage
  /// Who waits for its lines; `operation` is that of waits().
  L1DataCache::Requester who;
  Transactions lines;
};

class BarrelBackEnd {
 public:
  /// `waiters`: numbers below it may wait for memory.
  BarrelBackEnd(const GpuConfig& config, memory::Port& port, CoreStatistics& statistics,
                std::uint32_t waiters);

  /// At the start of a launch nothing is under way. An L1 that writes back keeps its lines, which
  /// nobody else has; another one is emptied.
  void begin();

  /// The memory stage in `cycle`; call it once in every cycle in which the back end is not empty,
  /// before all else. True if the pipeline is frozen: no sub-warp may be taken.
  bool step(std::uint64_t cycle);
  /// The sub-warp that leaves the last stage in the cycle of the last step(), if any.
  [[nodiscard]] const SubWarp* leaving() const { return leaving_; }

  /// The place of the next sub-warp, which the caller fills; its lines are void.
  [[nodiscard]] SubWarp& next() { return places_[taken_ % places_.size()].sub_warp; }
  /// Fills the access of next(): `part` is what its threads did. `local_base(lane)` is where the
  /// local memory of the lane's row lies.
  template <typename LocalBase>
  void set_access(const ir::Instruction& instruction, bool bypass_l1, const exec::Outcome& part,
                  LocalBase&& local_base) {
    SubWarp& sub_warp = next();
    if (part.space == ir::Space::local && !config_.core.local_private) {
      const SubWarpAccess load = bypass_l1 ? SubWarpAccess::load_past : SubWarpAccess::load;
      sub_warp.access = instruction.op == ir::Op::ld ? load : SubWarpAccess::store_local;
      local_lines(part, local_base, sub_warp.lines);
    } else {
      set_access(instruction, bypass_l1, part);
    }
  }
  /// next() leaves decode in the cycle of the last step(), which the pipeline was not frozen in.
  void take();

  /// No sub-warp is in any stage.
  [[nodiscard]] bool empty() const { return left_ == taken_; }

  /// Loads, and the like, whose line has not come; stores that have not been acknowledged.
  struct Waits {
    unsigned loads = 0;
    unsigned stores = 0;
  };
  [[nodiscard]] const Waits& waits(std::uint32_t waiter) const { return waits_[waiter]; }
  /// Who has begun to wait since this was last cleared, with repetitions.
  [[nodiscard]] std::vector<std::uint32_t>& begun() { return begun_; }
  /// Takes a response. Calls `answered(waiter)` for each wait that it ends.
  template <typename Answered>
  void respond(const memory::Response& response, Answered&& answered) {
    const L1DataCache::Reply reply = l1_.respond(response);
    for (const std::uint32_t waiter : reply.operations) {
      --(reply.acknowledges ? waits_[waiter].stores : waits_[waiter].loads);
      answered(waiter);
    }
  }

  [[nodiscard]] const L1DataCache& l1() const { return l1_; }

 private:
  struct Place {
    SubWarp sub_warp;
    std::uint64_t at_memory = 0;  ///< clock in which it comes to the memory stage
    std::uint64_t leaves = 0;     ///< cycle, once it has left the memory stage
    unsigned done = 0;            ///< lines or cycles of the memory stage
    unsigned repeats = 0;         ///< atomic operations on one word that are still to be done
  };

  /// One cycle in the memory stage. True when the sub-warp moves on.
  bool access(Place& place, std::uint64_t cycle);
  L1DataCache::Result look_up(const SubWarp& sub_warp, const Transaction& line,
                              std::uint64_t cycle);
  /// The same of an access that is not to local memory in the L1.
  void set_access(const ir::Instruction& instruction, bool bypass_l1, const exec::Outcome& part);

  const GpuConfig& config_;
  memory::Port& port_;
  CoreStatistics& statistics_;
  L1DataCache l1_;
  std::uint64_t behind_memory_;  ///< stages of the back end behind the memory stage
  std::vector<Place> places_;    ///< in turn; sub-warps keep their order
  std::uint64_t taken_ = 0, accessed_ = 0, left_ = 0;  ///< sub-warps so far
  std::uint64_t clock_ = 0;                            ///< cycles in which it was not frozen
  bool frozen_ = false;
  const SubWarp* leaving_ = nullptr;
  std::vector<Waits> waits_;
  std::vector<std::uint32_t> begun_;
};

}  // namespace paws::core
