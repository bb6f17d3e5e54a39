// SPDX-License-Identifier: MIT
// Instructions as text, close to PTX.
#pragma once

#include <cstdint>
#include <string>

#include "sim/ir/kernel.h"

namespace paws::ir {

/// One line for the instruction at `pc`, with register names and branch targets as "@pc".
std::string disassemble(const Kernel& kernel, std::uint32_t pc);

}  // namespace paws::ir
