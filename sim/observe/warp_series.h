// SPDX-License-Identifier: MIT
// Live warps, those that wait for memory, those that could issue, and issues over time, summed over
// the cores: few numbers, however long the run.
//
// A change is counted when it happens, not in each cycle for which it holds.
//
// Unlike samples (phase_sampler.h) these are sums over all cycles. So live warps are the warp
// cycles of a run, and issues its warp instructions.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "sim/core/observer.h"

namespace paws::observe {

/// Sums over the core cycles of a stretch of time.
struct WarpCounts {
  std::uint64_t live = 0;    ///< live warps
  std::uint64_t memory = 0;  ///< of these, those that wait for an operand of a long operation
  std::uint64_t ready = 0;   ///< of these, those whose next instruction has its operands
  std::uint64_t issues = 0;  ///< warp instructions

  WarpCounts& operator+=(const WarpCounts& other);
  bool operator==(const WarpCounts&) const = default;
};

/// Stretches of `width` core cycles, one after the other; the last one may be cut short.
struct WarpSeries {
  static constexpr std::size_t kStretches = 256;  ///< at most: more than a chart can show

  std::uint64_t width = 1;
  std::vector<WarpCounts> stretches;

  WarpSeries& operator+=(const WarpSeries& other);
  bool operator==(const WarpSeries&) const = default;
};

/// A series that grows by changes, which come in any order.
class WarpChanges {
 public:
  /// From `cycle` on there are so many more in each cycle; modulo 2^64, so less as well.
  void add(std::uint64_t cycle, const WarpCounts& more);
  /// A warp instruction is issued in `cycle`.
  void issue(std::uint64_t cycle);
  /// The series ends before `cycle`, if it does not end later.
  void end(std::uint64_t cycle);

  [[nodiscard]] WarpSeries series() const;

 private:
  struct Stretch {
    WarpCounts more;    ///< changes in the stretch
    WarpCounts within;  ///< what they and issues make in the stretch itself

    Stretch& operator+=(const Stretch& other);
  };

  /// The stretch of the cycle.
  Stretch& at(std::uint64_t cycle);
  /// Doubles the width.
  void widen();

  unsigned shift_ = 0;  ///< stretches of 2^shift_ cycles
  std::uint64_t end_ = 0;
  /// One more has what changes in the cycle behind the longest series of a width, and another makes
  /// the number even.
  std::array<Stretch, WarpSeries::kStretches + 2> stretches_{};
};

/// The series of every core; lives longer than the Gpu that it watches.
class WarpWatch {
 public:
  explicit WarpWatch(std::uint32_t cores) : cores_(cores) {}

  /// The observer of a core, which must not be a barrel. It adds to that core's series alone.
  [[nodiscard]] std::unique_ptr<core::CoreObserver> observer(std::uint32_t core);

  /// Summed over the cores.
  [[nodiscard]] WarpSeries total() const;

 private:
  std::vector<WarpChanges> cores_;
};

}  // namespace paws::observe
