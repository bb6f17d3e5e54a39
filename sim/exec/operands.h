// What storage each operand of an instruction must have.
#pragma once

#include <array>

#include "sim/exec/decoded.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

struct OperandWidths {
  std::array<Width, ir::kMaxDst> dst{};
  std::array<Width, ir::kMaxSrc> src{};
  bool any_address = false;  ///< src[0] is an address in a 32- or a 64-bit register
};

OperandWidths operand_widths(const ir::Instruction& in);

}  // namespace paws::exec
