// SPDX-License-Identifier: MIT
// What the single-level schedulers share (PAWS paper, IV-B: "all the warps in the active queue are
// checked every cycle and the one with the highest priority is chosen"). Every live warp is a
// candidate; a policy says which issuable one is picked, and what it remembers of an issue.
//
// The age limit (docs/reference/microarchitecture.md, "Age limit") stands in front of the policy:
// while a warp that is due can issue, the policy picks among those that are due and knows of no
// others.
#pragma once

#include <array>
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
  /// The warp to issue out of `candidates`, which can issue and are not empty.
  [[nodiscard]] virtual WarpId pick(WarpMask candidates) const = 0;
  /// Whether a warp that can issue never waits for ever under this policy, so that an age limit has
  /// nothing to do.
  [[nodiscard]] virtual bool is_fair() const { return false; }
  /// Remembers that `warp` was issued; `exits` if that was its last instruction.
  virtual void on_issue(WarpId /*warp*/, bool /*exits*/) {}
  virtual void on_reset() {}
  /// The warp that the policy remembers, for snapshot().
  [[nodiscard]] virtual std::optional<WarpId> last_issued() const { return std::nullopt; }

  [[nodiscard]] const LiveWarps& live() const { return live_; }
  /// Phase distance of the warp's next instruction in this cycle, saturated to the phase field; for
  /// pick() alone. Throws std::logic_error elsewhere.
  [[nodiscard]] unsigned distance(WarpId warp) const;
  /// The warp of `candidates`, which are not empty, with the smallest distance, the oldest of
  /// these.
  [[nodiscard]] WarpId nearest(WarpMask candidates) const;

 private:
  /// What commit() needs of the last decide(). Inputs are large, and a copy of them would wait for
  /// what the host has just stored.
  struct Cycle {
    WarpMask issuable = 0;
    bool issue = false;
    bool exits = false;  ///< void without an issue
    bool launch = false;
    WarpId warp = 0;  ///< that issues
    WarpId launch_warp = 0;
  };

  void age(WarpId issuer);

  SchedulerConfig config_;
  LiveWarps live_;
  WarpMask due_ = 0;     // live warps, not under a fair policy
  unsigned issues_ = 0;  // with no due warp to go first, since some last became due
  HostPromises promises_;
  Cycle cycle_;
  const std::array<std::uint16_t, kMaxWarps>* phases_ = nullptr;  // while pick() runs
};

}  // namespace paws
