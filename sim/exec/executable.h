// SPDX-License-Identifier: MIT
// The inside of Executable: decoded instructions, constants, the layout of a warp's slots.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/exec/decoded.h"
#include "sim/exec/register_layout.h"

namespace paws::exec {

/// A special register that a kernel reads: its 32 lanes are a slot of the warp.
struct SpecialSlot {
  ir::Special special{};
  Width width = Width::w32;
  std::uint32_t offset = 0;
};

/// Copies a register into its narrow slot.
void narrow(const Resize& resize, const WarpContext& ctx);

/// How an access to global memory is done later: which operands are captured when the instruction
/// issues, and the instruction as it reads them. The addresses of all lanes come first, 8 bytes
/// each.
struct LateAccess {
  struct Copy {
    std::uint32_t from = 0, to = 0, bytes = 0;  ///< slot of the warp, place among the operands
  };
  Decoded in;
  std::uint8_t access_bytes = 0;  ///< of a lane
  std::uint32_t operand_bytes = 0;
  std::vector<Copy> copies;
};

struct Executable::Impl {
  explicit Impl(const ir::Kernel& source);
  ir::Kernel kernel;
  std::vector<Decoded> code;
  std::vector<LateAccess> late;
  AlignedBytes constants{0};  ///< immediates, broadcast to 32 lanes
  std::vector<SpecialSlot> specials;
  std::uint32_t register_bytes = 0;  ///< of a warp's slots, those of registers: the first ones
  std::uint32_t slot_bytes = 0;      ///< a warp's slots
  std::uint32_t memory_instructions = 0;
};

}  // namespace paws::exec
