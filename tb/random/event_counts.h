// SPDX-License-Identifier: MIT
// How often a run met the situations that matter, so that stimulus cannot lose its force unnoticed.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/scheduler.h"

namespace paws {

class EventCounts {
 public:
  /// `late_ends`: its hosts have some.
  explicit EventCounts(const SchedulerConfig& config, bool late_ends = false);

  /// One cycle: its inputs and outputs, the queues before it and after its clock edge.
  void observe(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
               const QueueSnapshot& before, const QueueSnapshot& after);
  /// The scheduler has been reset.
  void reset();
  /// One cycle of reset: its inputs, which keep the host's promises, what the scheduler would do in
  /// it without the reset, and the queues before it.
  void observe_reset(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                     const QueueSnapshot& before);

  /// Situations that this scheduler can meet and never did.
  [[nodiscard]] std::vector<std::string> missing() const;

 private:
  void observe_two_level(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                         const QueueSnapshot& before, const QueueSnapshot& after);
  void observe_single_level(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                            const QueueSnapshot& before);
  /// CGGTY, and SCA in a cycle in which a warp issues.
  void observe_yields(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                      const QueueSnapshot& before);
  void observe_groups(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                      const QueueSnapshot& before);
  /// single:group.
  void observe_fetch_groups(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                            const QueueSnapshot& before);
  /// A cycle of a run with late ends.
  void observe_late_ends(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                         const QueueSnapshot& before);
  void observe_insertions(const QueueSnapshot& before, const QueueSnapshot& after);
  void sample_lengths(const SchedulerInputs& inputs, const QueueSnapshot& before,
                      const QueueSnapshot& after);
  [[nodiscard]] std::uint16_t saturate(std::uint16_t length) const;
  /// Whether lengths are equal as keys.
  [[nodiscard]] bool ties(std::uint16_t a, std::uint16_t b) const;
  void count(std::string_view situation, bool met) { counts_[situation] += met ? 1 : 0; }

  SchedulerConfig config_;
  bool late_ends_;
  std::map<std::string_view, std::uint64_t> counts_;
  std::array<std::uint16_t, kMaxWarps> stored_length_{};
  std::array<std::uint64_t, kMaxWarps> launched_{};  ///< number of the launch, of a live warp
  std::uint64_t launches_ = 0;
  WarpMask live_ = 0;
  WarpMask new_ = 0;         ///< launched in the cycle before
  bool slot_freed_ = false;  ///< a full ready lost a warp in the cycle before
};

}  // namespace paws
