// SPDX-License-Identifier: MIT
// The golden model beside a recorded scheduler: it has what a trace leaves out, the queues and the
// keys by which they are ordered.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "sim/trace/events.h"

namespace paws::trace {

/// Where a warp is in a two-level scheduler.
enum class Place : std::uint8_t { free, ready, active, collector, pending };
inline constexpr unsigned kPlaces = 5;
const char* to_string(Place place);

class Shadow {
 public:
  explicit Shadow(const SchedulerConfig& config);

  /// A launch begins.
  void reset();
  /// The cycle of `step`, before its clock edge: queues(), age() and key() are those from which the
  /// decision came. Each one is followed by leave().
  void enter(const SchedulerStep& step);
  /// The clock edge. after() becomes queues().
  void leave();

  [[nodiscard]] const SchedulerConfig& config() const { return config_; }
  /// The model has decided otherwise than the recording, in this launch: from then on there is
  /// nothing to compare with, and queues() is empty.
  [[nodiscard]] bool lost() const { return lost_; }
  /// What the model decided in the cycle entered.
  [[nodiscard]] const SchedulerOutputs& outputs() const { return outputs_; }
  [[nodiscard]] const QueueSnapshot& queues() const { return queues_; }
  /// The queues behind the clock edge that ends the cycle entered.
  [[nodiscard]] const QueueSnapshot& after() const { return moves_ ? after_ : queues_; }
  [[nodiscard]] Place place(WarpId warp) const { return places_[warp]; }
  /// Launches on this scheduler before the warp's: smaller is older.
  [[nodiscard]] std::uint64_t age(WarpId warp) const { return age_[warp]; }
  /// What the policy compares: two-level, the phase length sampled at launch or demotion; single
  /// level, the phase distance. Saturated to the scheduler's field.
  [[nodiscard]] unsigned key(WarpId warp) const;
  /// "ready [3 1] active [4 2] ..." with the keys where the policy has some, and the warps that are
  /// due.
  [[nodiscard]] std::string describe_queues() const;

 private:
  SchedulerConfig config_;
  std::unique_ptr<Scheduler> model_;
  const SchedulerStep* step_ = nullptr;
  SchedulerOutputs outputs_;
  QueueSnapshot queues_;
  QueueSnapshot after_;
  bool moves_ = false;  ///< after_ may differ from queues_
  bool stale_ = true;   ///< places_ are not those of queues_
  std::array<Place, kMaxWarps> places_{};
  std::array<unsigned, kMaxWarps> sampled_{};
  std::array<std::uint64_t, kMaxWarps> age_{};
  std::uint64_t launches_ = 0;
  bool lost_ = false;
};

}  // namespace paws::trace
