// SPDX-License-Identifier: MIT
// Live warps, those that wait for memory, those that could issue, and issues over time, summed over
// the cores: few numbers, however long the run.
//
// Unlike samples (phase_sampler.h) these are sums over all cycles. So live warps are the warp
// cycles of a run, and issues its warp instructions.
#pragma once

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

  /// Adds what holds in cycles [from, to). `each` is of one cycle.
  void add(std::uint64_t from, std::uint64_t to, const WarpCounts& each);
  WarpSeries& operator+=(const WarpSeries& other);
  bool operator==(const WarpSeries&) const = default;

 private:
  /// Doubles the width.
  void widen();
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
  std::vector<WarpSeries> cores_;
};

}  // namespace paws::observe
