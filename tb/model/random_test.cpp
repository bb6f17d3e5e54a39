// SPDX-License-Identifier: MIT
// Random search for a broken promise of the model, over every scheduler, model-only ones included.
// PAWS_SEED repeats a run.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string>
#include <string_view>
#include <tuple>

#include "tb/model/model_host.h"

namespace paws::test {
namespace {

constexpr unsigned kCycles = 5000;

struct Size {
  unsigned warps;
  unsigned ready;
  unsigned age_limit;
};

class RandomSearch : public testing::TestWithParam<std::string> {
 protected:
  /// Calls `search(config, seed)` for small and large schedulers, both ways of breaking ties, both
  /// orders of wakes, one and two comparisons; two-level also with each affinity.
  template <typename Search>
  void for_each_size(Search search) {
    const std::uint64_t number = seed(20150101);
    for (const Size size : {Size{4, 1, 0}, Size{5, 5, 3}, Size{5, 2, 1}, Size{8, 3, 4},
                            Size{24, 6, 0}, Size{24, 6, 7}, Size{64, 64, 2}}) {
      for (const auto& [tie_by_arrival, wake_oldest] :
           {std::pair{false, false}, {false, true}, {true, false}}) {
        SchedulerConfig config = configuration(GetParam(), size.warps, size.ready);
        config.tie_by_arrival = tie_by_arrival;
        config.wake_oldest = wake_oldest;
        config.compares = wake_oldest ? 2 : 1;
        config.phase_bits = 4;
        config.age_limit = size.age_limit;
        config.key_precision = size.warps == 8 ? 2 : 16;
        SCOPED_TRACE("PAWS_SEED=" + std::to_string(number) + " warps " +
                     std::to_string(size.warps) + " ready " + std::to_string(size.ready) +
                     " age limit " + std::to_string(size.age_limit));
        search(config, number);
        if (HasFatalFailure()) return;
      }
    }
    if (GetParam().starts_with("two-level:")) for_each_affinity(search, number);
  }

 private:
  template <typename Search>
  void for_each_affinity(Search search, std::uint64_t number) {
    for (const std::string_view name : affinity_names().subspan(1)) {
      for (const Size size : {Size{5, 2, 1}, Size{8, 3, 0}, Size{24, 6, 7}}) {
        SchedulerConfig config = configuration(GetParam(), size.warps, size.ready);
        config.phase_bits = 4;
        config.age_limit = size.age_limit;
        config.affinity = affinity_of(name).value();
        SCOPED_TRACE("PAWS_SEED=" + std::to_string(number) + " warps " +
                     std::to_string(size.warps) + " affinity " + std::string(name));
        search(config, number);
        if (HasFatalFailure()) return;
      }
    }
  }
};

TEST_P(RandomSearch, WhileQuietAndInputsHoldNothingChanges) {
  for_each_size([](const SchedulerConfig& config, std::uint64_t number) {
    RandomHost host(config, number);
    const auto scheduler = make_model(config);
    unsigned quiet_cycles = 0;
    for (unsigned cycle = 0; cycle < 20 * kCycles && quiet_cycles < 200; ++cycle) {
      const SchedulerOutputs outputs = scheduler->decide(host.next());
      if (outputs.quiet) {
        ++quiet_cycles;
        const QueueSnapshot before = scheduler->snapshot();
        for (unsigned held = 0; held < 4; ++held) {
          host.inputs().issue_en = host.chance(50);
          ASSERT_EQ(scheduler->decide(host.inputs()), outputs) << to_string(before);
          scheduler->commit();
          ASSERT_EQ(scheduler->snapshot(), before)
              << to_string(before) << " became " << to_string(scheduler->snapshot());
        }
      } else {
        scheduler->commit();
      }
      host.decided(outputs);
    }
    ASSERT_EQ(quiet_cycles, 200U) << "the search has seen too little";
  });
}

TEST_P(RandomSearch, WhileNotQuietSomethingHappens) {
  for_each_size([](const SchedulerConfig& config, std::uint64_t number) {
    RandomHost host(config, number);
    const auto scheduler = make_model(config);
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      host.next();
      host.inputs().issue_en = host.may_enable();
      const SchedulerOutputs outputs = scheduler->decide(host.inputs());
      const QueueSnapshot before = scheduler->snapshot();
      const bool launch = host.inputs().launch_valid;
      scheduler->commit();
      host.decided(outputs);
      if (outputs.quiet) {
        ASSERT_FALSE(outputs.issue_valid || launch) << to_string(before);
      } else if (!launch && !outputs.issue_valid && !has_order(config)) {  // it is not to be seen
        ASSERT_NE(scheduler->snapshot(), before) << to_string(before);
      }
    }
  });
}

TEST_P(RandomSearch, QuietIsReachedWhileInputsHoldWithoutIssuableWarp) {
  for_each_size([](const SchedulerConfig& config, std::uint64_t number) {
    RandomHost host(config, number);
    const auto scheduler = make_model(config);
    // One cycle to leave ready and one to wake; then every warp is admitted and promoted at most
    // once, one per cycle each, and leaves at most once more.
    const unsigned bound = 2 * config.warps + 3;
    for (unsigned trial = 0; trial < 100; ++trial) {
      const unsigned busy = 1 + host.below(100);
      for (unsigned cycle = 0; cycle < busy; ++cycle) {
        const SchedulerOutputs outputs = scheduler->decide(host.next());
        scheduler->commit();
        host.decided(outputs);
      }
      host.inputs().issuable = 0;
      // The bar of a warp that has yielded waits for it.
      host.inputs().issue_en = host.may_enable();
      unsigned cycles = 0;
      while (!scheduler->decide(host.inputs()).quiet) {
        scheduler->commit();
        ASSERT_LE(++cycles, bound) << to_string(scheduler->snapshot());
      }
    }
  });
}

TEST_P(RandomSearch, DecideLeavesNoTrace) {
  for_each_size([](const SchedulerConfig& config, std::uint64_t number) {
    RandomHost host(config, number);
    RandomHost distraction(config, number + 1000);
    const auto scheduler = make_model(config);
    const auto undisturbed = make_model(config);
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      host.next();
      scheduler->decide(distraction.next());
      const SchedulerOutputs outputs = scheduler->decide(host.inputs());
      ASSERT_EQ(outputs, undisturbed->decide(host.inputs()));
      scheduler->commit();
      undisturbed->commit();
      ASSERT_EQ(scheduler->snapshot(), undisturbed->snapshot());
      host.decided(outputs);
      distraction.decided({});
    }
  });
}

/// What the test knows of a live warp of the two-level scheduler, learnt from inputs and snapshots.
struct Known {
  unsigned length = 0;
  std::uint64_t launched = 0;
  std::uint64_t arrived = 0;
  std::uint64_t woke = 0;
};

class QueueWatcher {
 public:
  explicit QueueWatcher(const SchedulerConfig& config) : config_(config) {}

  /// After a cycle with these inputs, from `before` to `now`.
  void observe(const SchedulerInputs& inputs, const QueueSnapshot& before,
               const QueueSnapshot& now) {
    ++cycle_;
    if (inputs.launch_valid) {
      known_[inputs.launch_warp] = {.length = field(inputs.phase[inputs.launch_warp]),
                                    .launched = cycle_};
    }
    for (const WarpId warp : before.ready) {
      if (contains(now.pending, warp)) known_[warp].length = field(inputs.phase[warp]);
    }
    for (const WarpId warp : now.active) {
      if (std::ranges::count(before.active, warp) == 0) known_[warp].arrived = cycle_;
    }
    for (const WarpId warp : now.collector) {
      if (contains(before.pending, warp)) known_[warp].woke = cycle_;
    }
  }

  [[nodiscard]] bool active_is_in_order(const QueueSnapshot& now) const {
    if (config_.affinity == Affinity::finish_at_entry) return true;  // affinity_test.cpp
    return std::ranges::is_sorted(now.active, {}, [&](WarpId warp) {
      return std::pair(!contains(now.due, warp), key(known_[warp]));
    });
  }

  [[nodiscard]] bool collector_is_in_order(const QueueSnapshot& now) const {
    return std::ranges::is_sorted(now.collector, {}, [&](WarpId warp) {
      return std::pair(known_[warp].woke, config_.wake_oldest ? known_[warp].launched : warp);
    });
  }

 private:
  [[nodiscard]] unsigned field(unsigned length) const {
    length = std::min(length, (1U << config_.phase_bits) - 1);
    while (static_cast<int>(std::bit_width(length)) - std::countr_zero(length) >
           static_cast<int>(config_.key_precision)) {
      length &= length - 1;  // without the lowest of too many significant bits
    }
    return length;
  }
  [[nodiscard]] std::tuple<unsigned, std::uint64_t> key(const Known& warp) const {
    if (config_.policy == "rr") return {0, warp.arrived};
    if (config_.policy == "gto") return {0, warp.launched};
    if (config_.policy == "paws") {
      return {warp.length, config_.tie_by_arrival ? warp.arrived : warp.launched};
    }
    return {};  // a policy that lives in the model alone has tests of its own for its order
  }

  SchedulerConfig config_;
  std::uint64_t cycle_ = 0;
  std::array<Known, kMaxWarps> known_{};
};

class RandomQueues : public RandomSearch {};

TEST_P(RandomQueues, EveryLiveWarpIsInOnePlaceAndActiveIsInOrder) {
  for_each_size([](const SchedulerConfig& config, std::uint64_t number) {
    RandomHost host(config, number);
    const auto scheduler = make_model(config);
    QueueWatcher watcher(config);
    for (unsigned cycle = 0; cycle < kCycles; ++cycle) {
      host.next();
      const SchedulerInputs inputs = host.inputs();
      const QueueSnapshot before = scheduler->snapshot();
      const SchedulerOutputs outputs = scheduler->decide(inputs);
      scheduler->commit();
      host.decided(outputs);
      const QueueSnapshot now = scheduler->snapshot();
      watcher.observe(inputs, before, now);

      std::map<WarpId, unsigned> places;
      for (const Queue& queue : {now.ready, now.active, now.collector}) {
        for (const WarpId warp : queue) ++places[warp];
      }
      for_each_warp(now.pending, [&](WarpId warp) { ++places[warp]; });
      WarpMask placed = 0;
      for (const auto& [warp, count] : places) {
        placed |= mask_of(warp);
        ASSERT_EQ(count, 1U) << "slot " << warp << ": " << to_string(now);
      }
      ASSERT_EQ(placed, host.live()) << to_string(now);
      ASSERT_LE(now.ready.size(), config.ready) << to_string(now);
      ASSERT_EQ(now.due & ~set_of(now.active), 0U) << to_string(now);
      ASSERT_TRUE(watcher.active_is_in_order(now)) << to_string(now);
      ASSERT_TRUE(watcher.collector_is_in_order(now)) << to_string(now);
    }
  });
}

std::vector<std::string> two_level_names() {
  std::vector<std::string> names = scheduler_names();
  std::erase_if(names, [](const std::string& name) { return !name.starts_with("two-level:"); });
  return names;
}

INSTANTIATE_TEST_SUITE_P(All, RandomSearch, testing::ValuesIn(scheduler_names()), test_name);
INSTANTIATE_TEST_SUITE_P(All, RandomQueues, testing::ValuesIn(two_level_names()), test_name);

}  // namespace
}  // namespace paws::test
