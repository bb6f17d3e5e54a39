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

/// What Block::run() needs to know of an instruction to go on behind it, in little space.
struct Step {
  /// So many instructions from here on have a quick handler and no guard, do not poll, and nothing
  /// meets behind the first one of them.
  std::uint32_t straight = 0;
  std::uint32_t place = 0;   ///< in Executable::Impl::values, its own or that of what follows it
  std::uint32_t target = 0;  ///< of a bra
  std::uint32_t guard = kNoSlot;
  LaneMask guard_flip = 0;
  Flow flow = Flow::straight;
  bool quick = false;  ///< has a quick handler
  bool alone = true;
  bool may_poll = false;
};

struct Executable::Impl {
  explicit Impl(const ir::Kernel& source);
  ir::Kernel kernel;
  std::vector<Decoded> code;
  std::vector<Step> steps;  ///< by pc
  /// The code without what is invariant, for Block::run().
  std::vector<Decoded> values;
  /// Instructions whose results all blocks share: executed before the first one, in this order.
  std::vector<Decoded> invariant;
  std::vector<LateAccess> late;
  AlignedBytes constants{0};  ///< immediates, broadcast to 32 lanes
  std::vector<SpecialSlot> specials;
  std::vector<RegisterLayout::Part> zeroed;  ///< of a warp's slots
  std::uint32_t slot_bytes = 0;              ///< a warp's slots
  std::uint32_t memory_instructions = 0;
};

}  // namespace paws::exec
