// SPDX-License-Identifier: MIT
// `paws cuda --sample-launches`: which launches are timed, and what the cycles of all would be.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

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
/// them a sample, and the one in front of it, which warms the caches for it. Which one is the
/// sample a fixed random sequence says, the same for all kinds: kernels of one loop are timed in
/// the same turns, and no period of the program can hide from it.
class SamplePlan {
 public:
  /// Fewer could leave a kind without the two samples that a bound needs: its first launch, which
  /// finds cold caches, is none.
  static constexpr std::uint64_t kLeastFirst = 3;

  /// Throws InputError.
  explicit SamplePlan(const std::string& text);

  /// Of the launch with this number among those of its kind, from 1: whether it is one of the
  /// first.
  [[nodiscard]] bool is_first(std::uint64_t number) const { return number <= first_; }
  [[nodiscard]] bool is_sample(std::uint64_t number) const;
  [[nodiscard]] bool times(std::uint64_t number) const {
    return is_first(number) || is_sample(number) || is_sample(number + 1);
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::uint64_t first_ = 0, every_ = 0;
};

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

/// Of kinds together: their errors are taken to be independent.
CyclesEstimate operator+(const CyclesEstimate& one, const CyclesEstimate& other);

/// The kinds, in the order of their first launches, and all: from the entries of a report.
struct SampledKinds {
  SampledKinds(const std::vector<nlohmann::json>& launches, const SamplePlan& plan);

  std::vector<std::pair<LaunchKind, CyclesEstimate>> kinds;
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
