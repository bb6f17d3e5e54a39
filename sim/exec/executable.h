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

struct Executable::Impl {
  explicit Impl(const ir::Kernel& source);
  ir::Kernel kernel;
  std::vector<Decoded> code;
  AlignedBytes constants{0};  ///< immediates, broadcast to 32 lanes
  std::vector<SpecialSlot> specials;
  std::uint32_t register_bytes = 0;  ///< of a warp's slots, those of registers: the first ones
  std::uint32_t slot_bytes = 0;      ///< a warp's slots
  std::uint32_t memory_instructions = 0;
};

}  // namespace paws::exec
