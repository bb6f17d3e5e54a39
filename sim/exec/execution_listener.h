// SPDX-License-Identifier: MIT
// Hearing of everything that a launch without timing executes, in order: what is executed, not what
// it computes. A recorder of traces attaches here.
#pragma once

#include <cstdint>

#include "sim/exec/resident_block.h"

namespace paws::exec {

class ExecutionListener {
 public:
  virtual ~ExecutionListener() = default;
  /// Block `index` of the grid begins; the one before has ended.
  virtual void block_started(std::uint64_t index) = 0;
  /// A warp of the block has executed the instruction at `pc`, in whichever lanes.
  virtual void executed(unsigned warp, std::uint32_t pc, const Outcome& outcome) = 0;
  virtual void block_ended() = 0;
};

}  // namespace paws::exec
