// SPDX-License-Identifier: MIT
// Running a handler in one of the directed rounding modes of the host's floating-point unit.
#pragma once

#include "sim/exec/decoded.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

/// Calls `in.inner` with the host rounding as `in.ir->round` says, and restores rn.
void run_rounded(const Decoded& in, WarpContext& ctx);

/// `handler` itself, or for a directed mode run_rounded with `handler` as `out.inner`.
Handler directed(const ir::Instruction& in, Decoded& out, Handler handler);

}  // namespace paws::exec
