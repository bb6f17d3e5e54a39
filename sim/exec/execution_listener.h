// SPDX-License-Identifier: MIT
// Hearing of every instruction that a block executes: what it was and where it accessed, not what
// it computed. A writer of traces attaches here. A block without a listener pays nothing.
//
// A listener belongs to one block slot and is called by the host thread that executes that block.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sim/exec/resident_block.h"

namespace paws::exec {

class ExecutionListener {
 public:
  virtual ~ExecutionListener() = default;
  /// The slot takes up block `index` of the grid.
  virtual void started(std::uint64_t index) = 0;
  /// A warp of the block has executed the instruction at `pc`, in whichever lanes.
  virtual void executed(unsigned warp, std::uint32_t pc, const Outcome& outcome) = 0;
  /// The last warp of the block has ended.
  virtual void ended() = 0;
};

/// Makes the listener of one block slot. Called by one thread.
using ExecutionListenerFactory = std::function<std::unique_ptr<ExecutionListener>()>;

}  // namespace paws::exec
