// SPDX-License-Identifier: MIT
// The families of lane handlers, within one compilation of the lane code.
#pragma once

#include "sim/exec/lanes/select.h"

namespace paws::exec::PAWS_LANES {

Handler select_integer(const ir::Instruction& in, Decoded& out);
Handler select_bits(const ir::Instruction& in, Decoded& out);
Handler select_floating(const ir::Instruction& in, Decoded& out);
Handler select_convert(const ir::Instruction& in, Decoded& out);
Handler select_compare(const ir::Instruction& in, Decoded& out);
Handler select_move(const ir::Instruction& in, Decoded& out);
Handler select_memory(const ir::Instruction& in, Decoded& out);
Handler select_quick_memory(const ir::Instruction& in, Decoded& out);

}  // namespace paws::exec::PAWS_LANES
