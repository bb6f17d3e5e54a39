// SPDX-License-Identifier: MIT
// Kernel arguments into the parameter block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/ir/kernel.h"
#include "sim/launch/datum.h"
#include "sim/launch/workload.h"

namespace paws {

/// Checks number, sizes and kinds of the arguments against the kernel's parameters. Throws
/// InputError that names the argument and the parameter.
void check_arguments(const LaunchStep& launch, const Location& where, const ir::Kernel& kernel);

/// The parameter block, kernel.param_bytes long, of a launch that passed check_arguments(). Throws
/// InputError when a value does not fit its parameter.
std::vector<std::byte> pack_arguments(const LaunchStep& launch, const ir::Kernel& kernel,
                                      const Variables& variables, const BufferLookup& buffers);

}  // namespace paws
