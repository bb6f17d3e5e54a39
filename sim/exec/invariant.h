// SPDX-License-Identifier: MIT
// Instructions that give a thread the same results in every block of a launch.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/ir/kernel.h"

namespace paws::exec {

/// The pcs of instructions whose results depend on nothing but parameters, the shape of the launch
/// and the thread's place in its block, each behind those that its sources come from. Their
/// registers are written by them alone, in all lanes that execute them, and never read before, so
/// that all may be computed once, before the first block starts. `at_entry`, by register: may be
/// read before it is written.
std::vector<std::uint32_t> invariant_instructions(const ir::Kernel& kernel,
                                                  const std::vector<bool>& at_entry);

}  // namespace paws::exec
