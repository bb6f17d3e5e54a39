// SPDX-License-Identifier: MIT
// What the single-level schedulers share (PAWS paper, IV-B: "all the warps in the active queue are
// checked every cycle and the one with the highest priority is chosen"). Every live warp is a
// candidate; a policy says which issuable one is picked, and what it remembers of an issue.
//
// The age limit (docs/reference/microarchitecture.md, "Age limit") stands in front of the policy:
// while a warp that is due can issue, the policy picks among those that are due and knows of no
// others. So does the bar of a warp that has yielded or waits for its place in an order: it counts
// as if the warp could not issue.
#pragma once

#include <cstdint>
#include <optional>

#include "model/host_promises.h"
#include "model/live_warps.h"
#include "model/scheduler.h"

namespace paws {

class SingleLevelScheduler : public Scheduler {
 public:
  explicit SingleLevelScheduler(const SchedulerConfig& config);

  [[nodiscard]] const SchedulerConfig& config() const final { return config_; }
  void reset() final;
  SchedulerOutputs decide(const SchedulerInputs& inputs) final;
  void commit() final;
  [[nodiscard]] QueueSnapshot snapshot() const final;

 protected:
  /// What issued in a cycle. What the policy does not read (`reads` of model/policies.toml) is
  /// void.
  struct Issue {
    WarpId warp = 0;
    bool exits = false;   ///< its last instruction
    bool yields = false;  ///< SchedulerInputs::yields
    bool second = false;  ///< as pair and row: the warp's place, SchedulerInputs::pair
    std::uint8_t pair = 0;
    std::uint8_t row = 0;
    WarpMask waits = 0;  ///< SchedulerInputs::waits of the cycle
  };

  /// The warp to issue out of `candidates`, which can issue and are not empty.
  [[nodiscard]] virtual WarpId pick(WarpMask candidates) const = 0;
  /// Whether a warp that can issue never waits for ever under this policy, so that an age limit has
  /// nothing to do.
  [[nodiscard]] virtual bool is_fair() const { return false; }
  /// Remembers an issue. live() is as in pick().
  virtual void on_issue(const Issue& /*issue*/) {}
  /// A late end of `warp`, after on_issue() of the same cycle.
  virtual void on_late_end(WarpId /*warp*/) {}
  /// For a policy with an order (has_order()) alone, in every decide(): sees the inputs, without a
  /// change of state; those of the last call of a cycle count. Returns whether the state is at
  /// rest, so that the scheduler may be quiet.
  virtual bool watch(const SchedulerInputs& /*inputs*/) { return true; }
  /// For a policy with an order (has_order()) alone, at the edge of every cycle, behind on_issue(),
  /// with the issuer if there is one. `barred` are the slots that are held back in this cycle;
  /// returns those of the next one.
  virtual WarpMask on_edge(WarpMask /*barred*/, std::optional<WarpId> /*issuer*/) { return 0; }
  /// For on_issue() alone: in the next cycle in which the scheduler is enabled `warp` does not
  /// issue, even if no other can.
  void bar(WarpId warp);
  virtual void on_reset() {}
  /// The warp that the policy remembers, for snapshot().
  [[nodiscard]] virtual std::optional<WarpId> last_issued() const { return std::nullopt; }
  /// The group that the policy remembers, for snapshot().
  [[nodiscard]] virtual std::optional<GroupTurn> group() const { return std::nullopt; }
  /// Issues in succession of the last issuer's fetch group, for snapshot().
  [[nodiscard]] virtual unsigned group_run() const { return 0; }

  [[nodiscard]] const LiveWarps& live() const { return live_; }
  /// Of this cycle; for pick() alone. Throws std::logic_error elsewhere.
  [[nodiscard]] const SchedulerInputs& inputs() const;
  /// Phase distance of the warp's next instruction in this cycle, saturated to the phase field; as
  /// inputs().
  [[nodiscard]] unsigned distance(WarpId warp) const;
  /// The warp of `candidates`, which are not empty, with the smallest distance, the oldest of
  /// these.
  [[nodiscard]] WarpId nearest(WarpMask candidates) const;

 private:
  /// What commit() needs of the last decide(). Inputs are large, and a copy of them would wait for
  /// what the host has just stored.
  struct Cycle {
    WarpMask candidates = 0;
    bool enabled = false;
    bool issue = false;
    bool launch = false;
    WarpId launch_warp = 0;
    bool end = false;
    WarpId end_warp = 0;
    Issue issued;  ///< void without an issue
  };

  void age(WarpId issuer);
  /// A late end: what is said of `warp` does not pass to the slot's next one.
  void end(WarpId warp);
  /// The end of commit() for policies with watch().
  void end_watched(WarpMask barred);
  /// Completes cycle_.issued for policies that read more than issuable and phase.
  void read_more(const SchedulerInputs& inputs);

  SchedulerConfig config_;
  bool reads_more_;
  bool watches_;  // has watch() and on_edge()
  LiveWarps live_;
  WarpMask due_ = 0;     // live warps, not under a fair policy
  unsigned issues_ = 0;  // with no due warp to go first, since some last became due
  // The warp of the last bar(), until the next enabled cycle; or the slots of the last on_edge().
  WarpMask barred_ = 0;
  HostPromises promises_;
  Cycle cycle_;
  const SchedulerInputs* inputs_ = nullptr;  // while pick() runs
};

}  // namespace paws
