// SPDX-License-Identifier: MIT
// Removes what PTX has and machine code has not.
#pragma once

#include "sim/frontend/program.h"

namespace paws::frontend {

/// Moves of registers and constants are propagated into their users, moves between registers that
/// can share one are removed by merging the two, conversions between global and generic addresses
/// count as moves (they have equal values, sim/ir/kernel.h). Values never change, also where
/// registers are written more than once.
void remove_copies(Program& program);

/// Drops instructions without effect whose results are never read, and turns atomics whose result
/// is never read into reductions.
void remove_dead_code(Program& program);

}  // namespace paws::frontend
