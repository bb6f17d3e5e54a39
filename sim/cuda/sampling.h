// SPDX-License-Identifier: MIT
// `paws cuda --sample-launches` and `--sample-blocks`: which launches, or which waves of a launch's
// blocks, are timed, and what the cycles of all would be.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/ir/kernel.h"
#include "sim/stats/gpu_statistics.h"

namespace paws::cuda {

/// Launches are alike when they have the same kernel, grid, block and shared memory.
struct LaunchKind {
  std::string kernel;  ///< as users write it
  std::array<std::uint64_t, 3> grid{}, block{};
  std::uint64_t dynamic_shared = 0;  ///< bytes

  bool operator<(const LaunchKind& other) const {
    return std::tie(kernel, grid, block, dynamic_shared) <
           std::tie(other.kernel, other.grid, other.block, other.dynamic_shared);
  }
};

/// "FIRST,EVERY": of each kind the first launches are timed, and of every so many launches behind
/// them a sample. Which one is the sample a fixed random sequence says, the same for all kinds:
/// kernels of one loop are timed in the same turns, and no period of the program can hide from it.
/// Waves of a launch are chosen as the launches of a kind are, and the wave in front of a sample is
/// timed as well: it warms the L1s, which a launch finds empty.
class SamplePlan {
 public:
  /// Fewer could leave a kind without the two samples that a bound needs: its first launch, which
  /// finds cold caches, is none.
  static constexpr std::uint64_t kLeastFirst = 3;

  /// Throws InputError that names the option.
  explicit SamplePlan(const std::string& text, const char* option = "--sample-launches");

  /// Of the launch with this number among those of its kind, from 1: whether it is one of the
  /// first.
  [[nodiscard]] bool is_first(std::uint64_t number) const { return number <= first_; }
  [[nodiscard]] bool is_sample(std::uint64_t number) const;
  [[nodiscard]] bool times(std::uint64_t number) const {
    return is_first(number) || is_sample(number);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

  /// So many waves a launch must have if its blocks are sampled: then they have three samples at
  /// least, and the last two waves, of which one warms the caches and one ends the launch.
  [[nodiscard]] std::uint64_t fewest_waves() const { return first_ + 3 * every_ + 2; }
  /// Whether the wave with this number, of so many, is timed.
  [[nodiscard]] bool times_wave(std::uint64_t number, std::uint64_t waves) const {
    return times(number) || is_sample(number + 1) || number + 1 >= waves;
  }

 private:
  std::string text_;
  std::uint64_t first_ = 0, every_ = 0;
};

/// Why the blocks of a launch of `waves` waves are not sampled: a clause; empty: they are.
std::string why_whole(const ir::Kernel& kernel, std::uint64_t waves, const SamplePlan& plan);

/// What a run has made of a launch.
struct SampledLaunch {
  bool timed = false;
  std::uint64_t cycles = 0;             ///< if it is timed
  std::uint64_t warp_instructions = 0;  ///< timed or not
};

/// Cycles of all launches of a kind, or of several kinds.
struct CyclesEstimate {
  std::uint64_t launches = 0, timed = 0;
  std::uint64_t timed_cycles = 0;
  double cycles = 0;  ///< of all
  double bound = 0;   ///< with 95 % confidence `cycles` is wrong by no more
};

/// Of the launches of a kind, in order. If all are timed, their sum. Else the first ones and the
/// samples stand for themselves. The others are predicted from the samples or, if these are fewer
/// than eight, also from the first ones behind the very first. As long as the mean, if all have the
/// same number of instructions; as a straight line through them says, if four or more differ in
/// it; else halfway between the mean and what is in proportion to instructions, and half the
/// difference is added to the bound. The bound is the prediction interval of the sum (Student's t).
CyclesEstimate estimate(const std::vector<SampledLaunch>& launches, const SamplePlan& plan);

/// Of the waves of a launch whose blocks are sampled: as of launches of a kind, but that the last
/// one stands for itself. To the bound is added what the predicted waves would take longer or
/// shorter if they needed as many cycles per instruction as those that have warmed the caches: as
/// much the samples may be wrong themselves, if an error of cold caches halves from one wave to the
/// next.
CyclesEstimate estimate_waves(const std::vector<Wave>& waves, const SamplePlan& plan);

/// Of kinds together: their errors are taken to be independent.
CyclesEstimate operator+(const CyclesEstimate& one, const CyclesEstimate& other);

/// The kinds, in the order of their first launches, and all: from the entries of a report.
struct SampledKinds {
  SampledKinds(const std::vector<nlohmann::json>& launches, const SamplePlan& plan);

  std::vector<std::pair<LaunchKind, CyclesEstimate>> kinds;
  CyclesEstimate all;
};

/// The same with --sample-blocks, of the timed launches: the counts are of waves, of which a launch
/// that is timed as a whole has none. Errors of launches of a kind add up.
struct SampledBlockKinds {
  explicit SampledBlockKinds(const std::vector<nlohmann::json>& launches);

  struct Kind {
    LaunchKind kind;
    CyclesEstimate estimate;
    std::string whole;  ///< why its last launch that is timed as a whole is; empty: there is none
  };
  std::vector<Kind> kinds;
  CyclesEstimate all;
};

/// Chooses launches while a program runs.
class LaunchSampler {
 public:
  explicit LaunchSampler(SamplePlan plan) : plan_(std::move(plan)) {}

  /// Whether the next launch of the kind is timed.
  [[nodiscard]] bool times(const LaunchKind& kind) { return plan_.times(++kinds_[kind].launches); }
  /// What a launch has taken for which times() was asked last of its kind.
  void timed(const LaunchKind& kind, std::uint64_t cycles);
  /// The mean of those of a kind that were timed so far, the first one left out, whose caches were
  /// cold: for a launch that is not timed.
  [[nodiscard]] double mean(const LaunchKind& kind) const;

 private:
  struct Kind {
    std::uint64_t launches = 0, timed = 0, cycles = 0;
  };
  SamplePlan plan_;
  std::map<LaunchKind, Kind> kinds_;
};

}  // namespace paws::cuda
