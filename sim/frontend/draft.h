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
  /// The function that is called, not inlined, to whose frame it belongs; kNone: the kernel.
  std::uint32_t called = kNone;
  /// Of a parameter or result of such a call: it lies at `offset` from the address that this
  /// register holds. Of others kNoReg.
  ir::RegId base = ir::kNoReg;
  std::uint64_t offset = 0;
};

/// A function that is called, not inlined. Its frame begins with its parameters and results.
struct CalledFunction {
  ir::RegId frame = ir::kNoReg;  ///< where its frame begins, in local memory
  std::uint64_t bytes = 0;       ///< of the frame so far
  std::uint32_t entry = 0;       ///< label, then block
};

/// The stack of such calls, which grows upwards in local memory.
struct CallStack {
  static constexpr std::uint64_t kAlign = 16;  ///< of frames

  ir::RegId pointer = ir::kNoReg;  ///< where the last frame ends; none: there are no such calls
  std::uint64_t end = 0;           ///< where the stack ends
  std::uint64_t exchanged = 0;     ///< most bytes of parameters and results of a function
  std::vector<CalledFunction> functions;
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
  CallStack stack;
  std::uint32_t max_registers = 0;  ///< .maxnreg, 0 when absent
  std::uint32_t min_blocks = 0;     ///< .minnctapersm, 0 when absent
};

}  // namespace paws::frontend
