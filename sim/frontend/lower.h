// SPDX-License-Identifier: MIT
// PTX modules to drafts of kernels: symbols resolved, calls inlined, operands typed.
#pragma once

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
std::vector<Draft> lower(const ptx::Module& source,
                         const std::function<bool(const std::string& kernel)>& wanted,
                         ir::Module& module);

}  // namespace paws::frontend
