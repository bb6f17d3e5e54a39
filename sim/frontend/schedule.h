// SPDX-License-Identifier: MIT
// List scheduling inside basic blocks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "sim/config/frontend_settings.h"
#include "sim/frontend/program.h"

namespace paws::frontend {

struct ScheduleOptions {
  LatencyTable latencies;
  unsigned load_latency = 200;        ///< cycles expected of loads from global and local memory
  unsigned shared_load_latency = 24;  ///< cycles expected of loads from shared memory
  unsigned pressure_limit = 32;       ///< 32-bit registers
  bool lanes_apart =
      false;  ///< lanes of a warp need not be together (FrontendSettings::yield_after)
};

/// Orders every block so that long chains start early and loads are issued long before their first
/// reader, as machine code is ordered. Never changes what the block computes: registers' reads and
/// writes keep their order, memory accesses that may touch the same bytes too, and nothing passes a
/// barrier or a fence that it is ordered by. Beyond the pressure limit the instruction that frees
/// most registers goes first.
void schedule(Program& program, const ScheduleOptions& options);

/// Whether the order of the two instructions in a block matters because of memory, barriers or
/// clocks (registers aside). `same_base` says that both address registers hold one value.
bool ordered_by_memory(const ir::Instruction& earlier, const ir::Instruction& later,
                       bool same_base);

}  // namespace paws::frontend
