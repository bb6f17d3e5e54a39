// SPDX-License-Identifier: MIT
// `paws cuda --sample-launches`: which launches are timed, and what the cycles of all would be.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

namespace paws::cuda {

/// Launches are alike when they have the same kernel, grid, block and shared memory.
struct LaunchKind {
  std::string kernel;  ///< as users write it
  std::array<std::uint64_t, 3> grid{}, block{};
  std::uint64_t dynamic_shared = 0;  ///< bytes

  auto operator<=>(const LaunchKind&) const = default;
};

/// "FIRST,EVERY": of each kind the first launches, then every so many-th one, are timed.
class SamplePlan {
 public:
  /// Fewer could leave a kind without the two samples that a bound needs: its first launch, which
  /// finds cold caches, is none.
  static constexpr std::uint64_t kLeastFirst = 3;

  /// Throws InputError.
  explicit SamplePlan(const std::string& text);

  /// Whether the launch with this number among those of its kind, from 1, is timed.
  [[nodiscard]] bool times(std::uint64_t number) const {
    return number <= first_ || (number - first_) % every_ == 0;
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

/// Of the launches of a kind, in order, as a SamplePlan times them. The first one stands for
/// itself. An untimed one is taken to be as long as the timed ones behind the first are on average
/// or, if four or more of those differ in their instructions, as the straight line through them
/// says. The bound is the prediction interval of the sum (Student's t): it knows the spread of the
/// timed launches, not what sampling itself changes, such as the contents of caches.
CyclesEstimate estimate(const std::vector<SampledLaunch>& launches);

/// Of kinds together: their errors are taken to be independent.
CyclesEstimate operator+(const CyclesEstimate& one, const CyclesEstimate& other);

/// The kinds, in the order of their first launches, and all: from the entries of a report.
struct SampledKinds {
  explicit SampledKinds(const std::vector<nlohmann::json>& launches);

  std::vector<std::pair<LaunchKind, CyclesEstimate>> kinds;
  CyclesEstimate all;
};

/// Chooses launches while a program runs.
class LaunchSampler {
 public:
  explicit LaunchSampler(SamplePlan plan) : plan_(std::move(plan)) {}

  /// Whether the next launch of the kind is timed.
  [[nodiscard]] bool times(const LaunchKind& kind) { return plan_.times(++kinds_[kind].launches); }
  void timed(const LaunchKind& kind, std::uint64_t cycles);
  /// The mean of those of a kind that were timed so far; a timed one must have been.
  [[nodiscard]] double mean(const LaunchKind& kind) const;

 private:
  struct Kind {
    std::uint64_t launches = 0, timed = 0, cycles = 0;
  };
  SamplePlan plan_;
  std::map<LaunchKind, Kind> kinds_;
};

}  // namespace paws::cuda
