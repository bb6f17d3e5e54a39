// SPDX-License-Identifier: MIT
// The scoreboard of a core: which results each warp still waits for.
//
// An instruction's destinations are pending from issued() to written(); an instruction that reads
// or writes a pending register must not issue (RAW and WAW; operands are captured at issue, so WAR
// cannot arise). Registers that a long operation will write are marked apart, because a scheduler
// of two levels asks for them. A fence waits for the warp's own stores, which are counted here too,
// and so are asynchronous copies: a wait asks for how many of them, in order, have come, and who
// waits for a single one asks for that.
//
// Times are the caller's: a change is seen by every check() after it.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/core/timed_kernel.h"

namespace paws::core {

class Scoreboard {
 public:
  /// What keeps an instruction from issuing.
  struct Hazards {
    bool any = false;  ///< a register that it names is pending, or it is a fence or a wait for
                       ///< asynchronous copies that has to wait
    bool long_load = false;  ///< for a long operation: that of one of these registers, or copies
  };

  /// Nothing is pending in any of `warps` warp slots, whose warps have `registers` registers.
  void begin(std::uint32_t warps, std::size_t registers) {
    registers_ = registers;
    pending_.assign(warps * registers, 0);
    counts_.assign(warps, {});
    copies_.assign(warps, {});
  }

  /// The warp in slot `warp` issues the instruction: its destinations become pending.
  void issued(std::uint32_t warp, const TimedInstruction& timed) {
    const auto pending = static_cast<std::uint8_t>(kPending | (timed.long_op ? kLong : 0));
    for (unsigned i = 0; i < timed.written; ++i) pending_[of(warp) + timed.write[i]] = pending;
    if (timed.long_op) ++counts_[warp].long_loads;
    if (timed.copies) issue_copy(warp, timed.copy_kind);
    if (timed.commits) commit(warp, timed.copy_kind);
  }
  /// Its results are there.
  void written(std::uint32_t warp, const TimedInstruction& timed) {
    for (unsigned i = 0; i < timed.written; ++i) pending_[of(warp) + timed.write[i]] = 0;
    if (timed.long_op) --counts_[warp].long_loads;
  }

  /// The number of the warp's youngest asynchronous copy of a kind, from 1 in the first warp of its
  /// slot.
  [[nodiscard]] std::uint32_t last_copy(std::uint32_t warp, ir::CopyKind kind) const {
    return copies_[warp][index(kind)].issued;
  }
  /// That copy is done.
  void copied(std::uint32_t warp, ir::CopyKind kind, std::uint32_t copy) {
    copies_[warp][index(kind)].came(copy);
  }
  /// It and all older ones are.
  [[nodiscard]] bool has_copied(std::uint32_t warp, ir::CopyKind kind, std::uint32_t copy) const {
    return copies_[warp][index(kind)].done >= copy;
  }
  /// It is, whatever has become of older ones.
  [[nodiscard]] bool has_come(std::uint32_t warp, ir::CopyKind kind, std::uint32_t copy) const {
    const Copies& copies = copies_[warp][index(kind)];
    return copies.done >= copy ||
           std::find(copies.early.begin(), copies.early.end(), copy) != copies.early.end();
  }

  /// The warp issues a store or reduction.
  void store_issued(std::uint32_t warp) { ++counts_[warp].stores; }
  /// One of them is acknowledged. True when it was the last one outstanding.
  bool store_done(std::uint32_t warp) { return --counts_[warp].stores == 0; }

  [[nodiscard]] Hazards check(std::uint32_t warp, const TimedInstruction& next) const {
    const std::uint8_t* const pending = pending_.data() + of(warp);
    unsigned found = 0;
    for (unsigned i = 0; i < next.checked; ++i) found |= pending[next.check[i]];
    const bool copies =
        next.awaits_copies && copies_[warp][index(next.copy_kind)].awaits(next.groups);
    return {(found & kPending) != 0 || (next.fence && counts_[warp].stores > 0) || copies,
            (found & kLong) != 0 || copies};
  }
  /// A register-writing long operation of the warp is outstanding.
  [[nodiscard]] bool long_outstanding(std::uint32_t warp) const {
    return counts_[warp].long_loads > 0;
  }

 private:
  /// Of a register that is pending; kLong beside it if a long operation writes it.
  static constexpr std::uint8_t kPending = 1, kLong = 2;
  struct Counts {
    std::uint32_t long_loads = 0;  ///< register-writing long operations outstanding
    std::uint32_t stores = 0;      ///< stores and reductions not acknowledged
  };

  /// The asynchronous copies of a kind of a warp, counted from its slot's beginning. Waits see them
  /// come in the order of their issue, as with the hardware's dependence counters: one that comes
  /// before an older one is not done before that. That holds of bulk copies too, which have no
  /// order: a wait is for all groups but the youngest ones.
  struct Copies {
    std::uint32_t issued = 0, done = 0;
    std::vector<std::uint32_t> early;   ///< come before an older one
    std::vector<std::uint32_t> groups;  ///< what had been issued when each ended; oldest first

    void came(std::uint32_t copy) {
      early.push_back(copy);
      while (std::erase(early, done + 1) != 0) ++done;
    }

    void commit() {
      std::erase_if(groups, [this](std::uint32_t end) { return end <= done; });
      groups.push_back(issued);
    }
    /// A group is under way that is not among the last `allowed`.
    [[nodiscard]] bool awaits(unsigned allowed) const {
      return groups.size() > allowed && groups[groups.size() - 1 - allowed] > done;
    }
  };

  static constexpr std::size_t index(ir::CopyKind kind) { return static_cast<std::size_t>(kind); }
  /// A copy out of shared memory is awaited in two ways.
  void issue_copy(std::uint32_t warp, ir::CopyKind kind) {
    ++copies_[warp][index(kind)].issued;
    if (kind == ir::CopyKind::bulk_store) ++copies_[warp][index(ir::CopyKind::bulk_read)].issued;
  }
  void commit(std::uint32_t warp, ir::CopyKind kind) {
    copies_[warp][index(kind)].commit();
    if (kind == ir::CopyKind::bulk_store) copies_[warp][index(ir::CopyKind::bulk_read)].commit();
  }

  /// Where the registers of the warp begin.
  [[nodiscard]] std::size_t of(std::uint32_t warp) const { return warp * registers_; }

  std::size_t registers_ = 0;  ///< of a warp slot
  /// By register: a byte, because a bit of each is longer to find than a byte.
  std::vector<std::uint8_t> pending_;
  std::vector<Counts> counts_;
  std::vector<std::array<Copies, ir::kCopyKinds>> copies_;
};

}  // namespace paws::core
