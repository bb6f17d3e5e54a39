// SPDX-License-Identifier: MIT
// PTX modules to drafts of kernels: symbols resolved, calls inlined, operands typed.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/frontend/draft.h"
#include "sim/ir/kernel.h"
#include "sim/ptx/ast.h"

namespace paws::frontend {

/// Fills `module`'s variables and names of kernels and returns one draft per .entry that is
/// `wanted` (empty: all), in order. Throws InputError "file:line: ..." for everything that PTX
/// forbids or the simulator does not model.
/// `stack_bytes`: of a thread, for calls of recursive functions.
std::vector<Draft> lower(const ptx::Module& source,
                         const std::function<bool(const std::string& kernel)>& wanted,
                         std::uint32_t stack_bytes, ir::Module& module);

}  // namespace paws::frontend
