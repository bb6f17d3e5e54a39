// SPDX-License-Identifier: MIT
// From an opcode as written (root and modifiers) to the fields of an ir::Instruction.
#pragma once

#include <string>

#include "sim/frontend/packed.h"
#include "sim/ir/kernel.h"
#include "sim/ptx/ast.h"

namespace paws::frontend {

/// An opcode's fields and how many operands it takes. Operands themselves are not looked at.
struct Decoded {
  /// Operations that exist in PTX only; lowering expands them.
  enum class Pseudo : std::uint8_t {
    none,
    call,
    ret,
    elect,
    cvt_pair,
    policy,     ///< createpolicy
    mma,        ///< its operands are vectors
    wmma_mma,   ///< the same, of fragments
    wmma_load,  ///< of the matrix `matrix`
    wmma_store,
    matrix_rows,  ///< ldmatrix, stmatrix
    copy_async,
    copy_bulk,
    copy_wait,
    copy_wait_all,
    copy_arrive,  ///< cp.async.mbarrier.arrive
    mbarrier,
    image,  ///< tex, suld, sust, image_query: [handle, {coordinates}]
    packed
  };
  /// The matrix that a fragment is of; c stands for d too.
  enum class MatrixRole : std::uint8_t { a, b, c };

  ir::Instruction instruction;
  Pseudo pseudo = Pseudo::none;
  unsigned destinations = 0;  ///< vector operands count once
  unsigned min_sources = 0;
  unsigned max_sources = 0;
  bool combines = false;      ///< takes a predicate, as the last operand, exactly with a BoolOp
  MatrixRole matrix{};        ///< wmma_load, wmma_store
  bool by_rows = false;       ///< the same: rows lie one behind the other
  bool no_increment = false;  ///< copy_arrive: .noinc
  struct {
    PackedOp op{};
    unsigned elements = 0;
    bool accumulate = false;
  } packed;                 ///< packed: see Packed
  bool cache_hint = false;  ///< the last operand is a cache policy, which is not modelled
};

/// Throws InputError "file:line: unsupported instruction ..." for what is not modelled.
Decoded decode(const ptx::Instruction& instruction, const std::string& file);

/// The type called `name` ("u32"); none when there is no such type or it is not modelled.
ir::Type type_named(std::string_view name);

}  // namespace paws::frontend
