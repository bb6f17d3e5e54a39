// SPDX-License-Identifier: MIT
// Where each virtual register lives in a warp's slots.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/exec/decoded.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

/// Storage of a register declared with `type`.
Width width_of(ir::Type type);

/// Byte offsets into a warp's slots. Registers whose live intervals (in program order, for one
/// thread) do not overlap share a slot: lanes are only ever written under their own mask, so a
/// thread's registers keep apart even when the warp diverges. A register that may be read before it
/// is written is live from the entry and so reads zero.
struct RegisterLayout {
  std::vector<std::uint32_t> offset;  ///< by register; kNoSlot for registers never used
  std::uint32_t bytes = 0;            ///< extent, a multiple of kSlotAlign
  struct Part {
    std::uint32_t offset = 0, bytes = 0;
  };
  /// What must be zero when a block starts: registers that may be read before they are written, or
  /// all where an instruction may read those of lanes that do not execute it.
  std::vector<Part> zeroed;
  /// Whose results stay in their registers from block to block (sim/exec/invariant.h). None where
  /// an instruction may read registers of lanes that do not execute it.
  std::vector<std::uint32_t> invariant;
};

RegisterLayout lay_out_registers(const ir::Kernel& kernel);

}  // namespace paws::exec
