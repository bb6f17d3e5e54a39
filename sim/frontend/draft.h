// SPDX-License-Identifier: MIT
// A kernel between PTX and basic blocks: a flat list with labels, calls inlined.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/ir/kernel.h"

namespace paws::frontend {

inline constexpr std::uint32_t kNone = 0xffff'ffffu;

/// A .param variable of an inlined call: the values that caller and callee exchange.
struct ParamSlot {
  std::uint64_t bytes = 0;
  std::uint64_t align = 1;
  bool address_taken = false;
};

/// Either an instruction or, with `label` set, the place where a label stands.
struct DraftItem {
  ir::Instruction instruction;  ///< bra, brx: targets are labels
  std::uint32_t label = kNone;
  std::uint32_t slot = kNone;  ///< ld, st: accesses this slot at `offset`; mov: its address
};

struct Draft {
  ir::Kernel kernel;  ///< everything but code and phases
  std::uint32_t labels = 0;
  std::vector<DraftItem> items;
  std::vector<ParamSlot> slots;
  std::uint32_t max_registers = 0;  ///< .maxnreg, 0 when absent
  std::uint32_t min_blocks = 0;     ///< .minnctapersm, 0 when absent
};

}  // namespace paws::frontend
