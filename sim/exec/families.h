// SPDX-License-Identifier: MIT
// Handlers that do not compute lane by lane: they look across lanes or at memory one lane after
// the other. Each returns nullptr when it has none for the instruction.
#pragma once

#include "sim/exec/decoded.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

/// atom and red: lanes in order, each lane's read and write before the next one's.
Handler select_atomic(const ir::Instruction& in);

/// shfl, vote, match, redux, activemask, bar.warp.sync.
Handler select_warp_wide(const ir::Instruction& in);

/// mma, movmatrix, ldmatrix, stmatrix.
Handler select_matrix(const ir::Instruction& in);

/// cp.async, and operations on barrier objects.
Handler select_asynchronous(const ir::Instruction& in);

/// Active lanes whose cp.async fills shared memory with zeros and reads nothing; none of another
/// instruction.
LaneMask lanes_that_copy_nothing(const Decoded& in, const WarpContext& ctx);

/// tex, suld, sust and queries.
Handler select_texture(const ir::Instruction& in);

/// vprintf: all active lanes, lowest first.
Handler select_print(const ir::Instruction& in);

}  // namespace paws::exec
