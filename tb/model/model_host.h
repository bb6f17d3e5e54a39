// SPDX-License-Identifier: MIT
// The hosts that drive the golden model in its tests: by hand, cycle by cycle; with warps that run
// phases of given lengths; and at random within the host's promises.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "model/scheduler.h"
#include "model/warp_mask.h"
#include "tb/model/block_weather.h"
#include "tb/model/group_places.h"

namespace paws::test {

/// The set of the given slots.
WarpMask warps(std::initializer_list<WarpId> slots);

using Queue = std::vector<WarpId>;

/// The warps of a queue, whatever their order.
WarpMask set_of(const Queue& queue);

/// Configuration of the scheduler called `name`, with fetch groups of up to eight slots that divide
/// the warps; fails the test if there is none of this name.
SchedulerConfig configuration(const std::string& name, unsigned warps, unsigned ready);

/// The names of the policies of `level`, of all that model/policies.toml has.
std::vector<std::string> policy_names(Level level);

/// Puts the next warp of a free slot into a group, for SCA.
void place(SchedulerInputs& inputs, WarpId warp, std::uint8_t pair, std::uint8_t row, bool second);
/// Puts all slots into groups as the warps of one block that is in no pair.
void place_as_one_block(SchedulerInputs& inputs, unsigned warps);

/// A host that does in each cycle what the test says. `in` holds its levels until changed. Its
/// warps are those of one block in no pair.
class ManualHost {
 public:
  explicit ManualHost(const SchedulerConfig& config);
  ManualHost(const std::string& name, unsigned warps, unsigned ready)
      : ManualHost(configuration(name, warps, ready)) {}

  /// One cycle. A launch lasts for this cycle only, as does what issue() set.
  SchedulerOutputs step();
  void steps(unsigned cycles);

  /// Requests a launch in the coming cycle, with this phase length or distance.
  void request_launch(WarpId warp, std::uint16_t phase = 0);
  /// One cycle with a launch.
  SchedulerOutputs launch(WarpId warp, std::uint16_t phase = 0);
  /// One cycle in which exactly `issuable` can issue and issue is enabled.
  SchedulerOutputs issue(WarpMask issuable, WarpMask exits = 0);
  /// From now on the warp waits on a long operation, with this length for its next phase.
  void wait(WarpId warp, std::uint16_t phase = 0);
  /// From now on the warp's long operation is complete.
  void complete(WarpId warp);

  [[nodiscard]] QueueSnapshot now() const { return scheduler_->snapshot(); }
  Scheduler& scheduler() { return *scheduler_; }

  SchedulerInputs in;

 private:
  std::unique_ptr<Scheduler> scheduler_;
};

/// Two-level: fills ready with slots R..2R-1 while slots 0..R-1 (R = config.ready, launched in slot
/// order) are pending, each with its `lengths[slot]`; then wakes these in `wake_order`, one per
/// cycle. Returns active when the last has arrived.
Queue active_after_wakes(const SchedulerConfig& config, const std::vector<std::uint16_t>& lengths,
                         const Queue& wake_order);

/// Warps that run a straight program of phases. Each instruction takes one issue slot; the last
/// one of every phase but the last phase is a load, whose value the first instruction of the next
/// phase reads. Two-level only.
class PhaseHost {
 public:
  struct Program {
    std::vector<std::uint16_t> phases;  ///< instructions of each
    unsigned memory_latency;            ///< cycles from the issue of a load to its value
  };
  /// A fetch group in a phase, both counted from 1 as in the paper.
  struct Selection {
    WarpId group;
    unsigned phase;
    bool operator==(const Selection&) const = default;
  };
  struct Run {
    std::vector<Selection> selections;  ///< in the order of the first issue of each
    /// For each selection, cycles since the first issue of all, and how many of them were idle.
    std::vector<std::uint64_t> cycle;
    std::vector<std::uint64_t> idle_before;
    std::uint64_t cycles = 0;  ///< from the first issue to the last

    /// Place of a selection in the vectors above.
    [[nodiscard]] std::size_t place(const Selection& selection) const;
  };

  PhaseHost(const SchedulerConfig& config, Program program);

  /// Launches all warps, then runs to the exit of the last one. Warps r*g to r*g+r-1 are fetch
  /// group g+1, where r is the ready-queue size.
  Run run();

 private:
  struct Warp {
    unsigned phase = 0;
    unsigned issued = 0;  ///< instructions of this phase
    std::uint64_t value_at = 0;
    bool done = false;
  };

  void set_levels(std::uint64_t cycle);
  void execute(WarpId slot, std::uint64_t cycle);

  SchedulerConfig config_;
  Program program_;
  std::vector<Warp> warps_;
  SchedulerInputs in_;
};

/// A host that does anything that keeps its promises.
class RandomHost {
 public:
  RandomHost(const SchedulerConfig& config, std::uint64_t seed);

  /// New levels for the coming cycle: every live warp changes with some probability.
  const SchedulerInputs& next();
  /// Tells the host what was decided with inputs().
  void decided(const SchedulerOutputs& outputs);

  [[nodiscard]] const SchedulerInputs& inputs() const { return in_; }
  SchedulerInputs& inputs() { return in_; }
  [[nodiscard]] WarpMask live() const { return live_; }
  /// Whether the host may enable the scheduler in the coming cycle.
  [[nodiscard]] bool may_enable() const { return !rests_; }
  /// True with the given probability in percent.
  bool chance(unsigned percent);
  unsigned below(unsigned limit);

 private:
  /// Probabilities in percent, per cycle and warp, that hold for a while.
  struct Stretch {
    unsigned activity;  ///< the warp's levels change
    unsigned issuable;  ///< a warp that changes becomes issuable
    unsigned launches;  ///< a free slot that is looked at is launched
  };
  /// Busy, slow, dying down and nearly still, so that full and empty queues both occur.
  static constexpr std::array<Stretch, 4> kStretches{
      {{.activity = 40, .issuable = 50, .launches = 40},
       {.activity = 2, .issuable = 50, .launches = 2},
       {.activity = 30, .issuable = 0, .launches = 0},
       {.activity = 1, .issuable = 0, .launches = 0}}};

  void change(WarpId warp);

  SchedulerConfig config_;
  std::mt19937_64 random_;
  GroupPlaces places_;
  BlockWeather blocks_;
  SchedulerInputs in_;
  WarpMask live_ = 0;
  bool rests_ = false;
  Stretch stretch_ = kStretches.front();
};

/// A scheduler's name as the name of a test: "two_level_rr".
std::string test_name(const testing::TestParamInfo<std::string>& info);

/// PAWS_SEED from the environment, or `fallback`.
std::uint64_t seed(std::uint64_t fallback);

}  // namespace paws::test
