// SPDX-License-Identifier: MIT
#include "sim/exec/block_observer.h"

#include "sim/exec/access.h"
#include "sim/exec/executable.h"
#include "sim/exec/register_layout.h"
#include "sim/ir/operand_types.h"

namespace paws::exec {

const ir::Instruction& PendingInstruction::ir() const { return *in_.ir; }
unsigned PendingInstruction::warp() const { return ctx_.warp; }
LaneMask PendingInstruction::active() const { return ctx_.active; }
const std::byte* PendingInstruction::shared() const { return ctx_.shared; }
const DeviceMemory& PendingInstruction::memory() const { return *ctx_.memory; }

bool PendingInstruction::has_source(unsigned n) const { return in_.src.at(n).offset != kNoSlot; }

Lanes PendingInstruction::source(unsigned n) const {
  // Copies into the instruction's own temporaries, which it makes anew.
  for (const Resize& resize : in_.narrow) narrow(resize, ctx_);
  const Source& from = in_.src.at(n);
  Lanes lanes{};
  switch (width_of(ir::source_type(*in_.ir, n))) {
    case Width::mask:
      for (unsigned i = 0; i < ir::kWarpSize; ++i) lanes[i] = ctx_.mask(from) >> i & 1;
      break;
    case Width::w32: {
      // Narrower values lie in the low bits, and the others mean nothing.
      const unsigned bytes = ir::size_of(ir::source_type(*in_.ir, n));
      const std::uint32_t keep = bytes < 4 ? (1u << 8 * bytes) - 1 : ~0u;
      const auto* values = ctx_.lanes<std::uint32_t>(from);
      for (unsigned i = 0; i < ir::kWarpSize; ++i) lanes[i] = values[i] & keep;
      break;
    }
    case Width::w64: {
      const auto* values = ctx_.lanes<std::uint64_t>(from);
      for (unsigned i = 0; i < ir::kWarpSize; ++i) lanes[i] = values[i];
      break;
    }
    case Width::none:
      break;
  }
  return lanes;
}

Lanes PendingInstruction::addresses() const {
  Lanes lanes;
  addresses_of(in_, ctx_, lanes);
  return lanes;
}

}  // namespace paws::exec
