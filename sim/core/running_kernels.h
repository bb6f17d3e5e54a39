// SPDX-License-Identifier: MIT
// The kernel launches that run on the GPU together: what its cores share of them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <vector>

#include "sim/core/resources.h"
#include "sim/core/timed_kernel.h"
#include "sim/exec/standing_block.h"

namespace paws::core {

/// One launch.
struct RunningKernel {
  const TimedKernel* timed = nullptr;
  /// What one of its blocks takes of a core.
  Resources needs;
  /// Makes what a block slot of core `core` executes, of the kind that the core has. Called by one
  /// thread.
  std::function<std::unique_ptr<exec::StandingBlock>(std::uint32_t core)> make_block;
  /// The blocks of all launches of a run are numbered one after another, for the caches
  /// (memory::LineOwner): this is the number of the launch's first one, an even number.
  std::uint64_t first_block = 0;
};

/// Launches are named by their place in `launches`. A core may hold blocks of all of them at a
/// time.
struct RunningKernels {
  std::vector<RunningKernel> launches;
  bool skip_idle_cycles = true;

  /// The launch, for an observer that tells of one at a time. Throws std::logic_error when several
  /// run together.
  [[nodiscard]] const RunningKernel& only() const {
    if (launches.size() != 1) throw std::logic_error("an observer of one launch is given several");
    return launches.front();
  }
};

}  // namespace paws::core
