// SPDX-License-Identifier: MIT
// From a workload's PTX files to modules that run in one address space.
#pragma once

#include <vector>

#include "sim/frontend/frontend.h"
#include "sim/ir/kernel.h"
#include "sim/launch/workload.h"

namespace paws {

/// Compiles workload.modules, in their order, the variables of each behind those of the ones
/// before. Of each module only the kernels that the workload may launch are compiled, or those that
/// options.wanted chooses, for the blocks that they are launched with; what else a file holds need
/// not be supported. Throws InputError.
std::vector<ir::Module> compile_modules(const Workload& workload,
                                        frontend::FrontendOptions options = {});

}  // namespace paws
