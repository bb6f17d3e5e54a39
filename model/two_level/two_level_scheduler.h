// SPDX-License-Identifier: MIT
// The queues of the two-level scheduler (PAWS paper, IV-B and Fig. 8).
//
//   launch ──▶ active ──promote──▶ ready ──issue──▶ (tail of ready, or out with its exit)
//                ▲                   │
//              admit               leave
//                │                   ▼
//            collector ◀──wake──  pending
//
// The order of active is the only thing in which the policies of the PAWS paper differ; within
// ready it is always round robin. A policy may sort ready when a warp comes in; round robin then
// goes on in this order. docs/reference/microarchitecture.md, "Two-level", says when each arrow
// happens.
//
// A late end ("Late ends" there) takes a warp out of whatever queue it is in. It uses the way out
// of active and of the collector, each of which lets one warp out in a cycle.
//
// With affinity ("Thread-block affinity" there) the promoted warp need not be the head of active:
// it is the first one, in the order of active, of those that the affinity prefers.
//
// Under an age limit ("Age limit" there) the warps of active that have been passed over for too
// long become due and stand before all others, and when a full ready keeps even these out, its next
// issuer leaves for pending.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "model/host_promises.h"
#include "model/live_warps.h"
#include "model/scheduler.h"
#include "model/two_level/resident_blocks.h"

namespace paws {

/// A warp of active with all that a policy may order it by.
struct ActiveWarp {
  WarpId warp;
  std::uint64_t launch_number;  ///< smaller is older
  unsigned length;              ///< of the phase it enters next, in cycles, as its key
  bool due = false;             ///< before every warp that is not, whatever the policy says
  bool tail = false;            ///< Affinity::finish_at_entry: its block had lost a warp
};

/// Whether `a` is to be before `b`, in active apart from being due: a strict weak ordering. Warps
/// of which neither goes first keep the order of their arrival in active, or their places in ready.
using WarpOrder = std::function<bool(const ActiveWarp& a, const ActiveWarp& b)>;

class TwoLevelScheduler : public Scheduler {
 public:
  /// `order` is that of active; `ready_order`, if any, that in which a promotion puts ready.
  TwoLevelScheduler(const SchedulerConfig& config, WarpOrder order, WarpOrder ready_order = {});

  [[nodiscard]] const SchedulerConfig& config() const override { return config_; }
  void reset() override;
  SchedulerOutputs decide(const SchedulerInputs& inputs) override;
  void commit() override;
  [[nodiscard]] QueueSnapshot snapshot() const override;
  [[nodiscard]] QueueMasks queue_masks() const override { return {ready_mask_, pending_}; }

 private:
  /// What commit() needs of the last decide(), besides the lengths in sampled_. Inputs are large,
  /// and a copy of them would wait for what the host has just stored.
  struct Cycle {
    WarpMask leaving = 0;  ///< warps of ready that wait
    WarpMask woken = 0;    ///< the pending warps that wake
    bool issue = false;
    bool exits = false;  ///< void without an issue
    bool launch = false;
    WarpId warp = 0;         ///< that issues
    WarpId launch_warp = 0;  ///< void without a launch
    std::optional<WarpId> late_end;
    std::size_t promoted = 0;                ///< place in active; void without a promotion
    WarpMask tail = 0;                       ///< SchedulerInputs::tail while blocks wait, else 0
    ResidentBlocks::Block launch_block = 0;  ///< void without a launch
  };

  /// First warp of ready, in list order, out of `issuable`, which ready has some of.
  [[nodiscard]] WarpId first_of_ready(WarpMask issuable) const;
  [[nodiscard]] bool promotes() const;
  /// Place in active of the warp that the affinity prefers, for active that is not empty.
  [[nodiscard]] std::size_t preferred(WarpMask tail) const;
  /// Keeps the warp's length for commit().
  void sample(WarpId warp, const SchedulerInputs& inputs);

  /// Whether the front of the collector goes to active in this cycle.
  [[nodiscard]] bool admits() const;

  /// What the age limit does in this cycle: nothing, count its issue, make all of active due, or
  /// take the issuer out of ready.
  enum class Aging : std::uint8_t { none, count, gather, relief };
  [[nodiscard]] Aging aging() const;

  void issue(WarpId warp, bool relieved);
  void leave(WarpMask leaving);
  void wake(WarpMask woken);
  void promote();
  void sort_ready();
  void age(Aging aging);
  void enter_active(WarpId warp);
  /// A late end, after all else that happens in the cycle.
  void end(WarpId warp);
  [[nodiscard]] bool ends_in_active() const;
  [[nodiscard]] bool ends_in_collector() const;
  void remove_from_ready(WarpId warp);
  void append_to_ready(WarpId warp);

  SchedulerConfig config_;
  WarpOrder order_;
  WarpOrder ready_order_;

  LiveWarps live_;
  ResidentBlocks blocks_;           // kept under affinity
  std::vector<WarpId> ready_;       // next to be considered first
  WarpMask ready_mask_ = 0;         // the same warps as a set
  std::vector<ActiveWarp> active_;  // head, which is promoted next, first
  std::vector<WarpId> collector_;   // next to be admitted first
  WarpMask pending_ = 0;
  std::array<unsigned, kMaxWarps> length_{};  // sampled at launch and when leaving ready
  unsigned issues_ = 0;                       // since the age limit last acted, below it

  HostPromises promises_;
  Cycle cycle_;
  std::array<unsigned, kMaxWarps> sampled_{};  // in the last decide(), of whom commit() asks
};

}  // namespace paws
