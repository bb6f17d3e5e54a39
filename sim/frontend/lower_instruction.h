// SPDX-License-Identifier: MIT
// Instructions by group. Each method takes one whose opcode is decoded, resolves its operands, and
// writes it or the several that it becomes.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sim/frontend/decode.h"
#include "sim/frontend/draft_builder.h"
#include "sim/frontend/lower_operands.h"
#include "sim/frontend/names.h"
#include "sim/ptx/ast.h"

namespace paws::frontend::lowering {

/// Those whose operands are registers, constants and addresses.
class InstructionLowerer {
 public:
  InstructionLowerer(Names& names, OperandLowerer& operands, DraftBuilder& draft)
      : names_(names), operands_(operands), draft_(draft) {}

  /// Those that need no method of their own below.
  void lower(const ptx::Instruction& source, Decoded decoded);

  /// elect.sync d|p, mask: the lowest lane of the mask leads.
  void lower_elect(const ptx::Instruction& source, const ir::Instruction& fields);
  /// cvt.f16x2.f32 d, a, b, and to bf16x2: a becomes the high half of d, b the low one.
  void lower_pair(const ptx::Instruction& source, const ir::Instruction& fields);
  /// createpolicy d, ...: a hint that nothing reads.
  void lower_policy(const ptx::Instruction& source, ir::Instruction instruction);
  /// vadd4 d, a, b, c and its kin.
  void lower_packed(const ptx::Instruction& source, const Decoded& decoded);

 private:
  void lower_brx(const ptx::Instruction& source, ir::Instruction instruction);
  /// prefetch, nanosleep and the like have operands that nothing reads.
  void emit_without_operands(const ptx::Instruction& source, Decoded decoded);
  /// mov with a vector operand is pack or unpack.
  bool lower_vector_mov(const ptx::Instruction& source, ir::Instruction& instruction);
  /// vadd d, a.b0, b.h1 and its kin.
  void lower_video(const ptx::Instruction& source, Decoded decoded);
  void lower_operands(const ptx::Instruction& source, Decoded decoded);
  /// bar.red d, a, {b,} p: the count in the middle may be missing.
  void lower_reduction(const ptx::Instruction& source, ir::Instruction& instruction,
                       std::size_t count);
  /// mov of the address of a call's parameter: known only once it is clear where that lives.
  bool slot_address(const ptx::Instruction& source, const ptx::Operand& operand,
                    ir::Instruction& instruction);
  /// Parameters of inlined functions whose address is taken live in local memory.
  void convert_space(ir::Instruction& instruction);
  [[nodiscard]] std::uint8_t constant_byte(const ptx::Instruction& source,
                                           const ptx::Operand& operand) const;
  void lower_results(const ptx::Instruction& source, const ptx::Operand& operand,
                     ir::Instruction& instruction);
  void lower_vector_sources(const ptx::Instruction& source, const ptx::Operand& operand,
                            ir::Instruction& instruction);

  Names& names_;
  OperandLowerer& operands_;
  DraftBuilder& draft_;
};

/// Textures and surfaces.
class ImageLowerer {
 public:
  /// `source` declares texture references.
  ImageLowerer(const ptx::Module& source, OperandLowerer& operands, DraftBuilder& draft)
      : source_(source), operands_(operands), draft_(draft) {}

  /// tex d, [handle, {place}]{, level}; suld d, [handle, {place}]; sust [handle, {place}], d;
  /// txq d, [handle].
  void lower(const ptx::Instruction& source, ir::Instruction instruction);

 private:
  const ptx::Module& source_;
  OperandLowerer& operands_;
  DraftBuilder& draft_;
};

/// Fragments, mma, and rows of shared memory.
class MatrixLowerer {
 public:
  MatrixLowerer(Names& names, OperandLowerer& operands, DraftBuilder& draft)
      : names_(names), operands_(operands), draft_(draft) {}

  void lower_mma(const ptx::Instruction& source, const ir::Instruction& fields, bool fragments);
  /// wmma.load r, [a], stride; wmma.store [a], r, stride. Without a stride the matrix is dense.
  void lower_fragment(const ptx::Instruction& source, const Decoded& decoded);
  /// ldmatrix r, [a]; stmatrix [a], r.
  void lower_rows(const ptx::Instruction& source, ir::Instruction instruction);

 private:
  Names& names_;
  OperandLowerer& operands_;
  DraftBuilder& draft_;
};

/// Asynchronous copies and barrier objects.
class CopyLowerer {
 public:
  CopyLowerer(Names& names, OperandLowerer& operands, DraftBuilder& draft)
      : names_(names), operands_(operands), draft_(draft) {}

  /// cp.async [shared], [global], bytes{, bytes to read}
  void lower_copy(const ptx::Instruction& source, Decoded decoded);
  /// cp.async.bulk [shared], [global], bytes, [barrier object], or [global], [shared], bytes. The
  /// object hears of the bytes when they are there.
  void lower_bulk(const ptx::Instruction& source, const Decoded& decoded);
  void lower_wait(const ptx::Instruction& source, ir::Instruction instruction);
  void lower_wait_all(const ptx::Instruction& source, const ir::Instruction& fields);
  /// cp.async.mbarrier.arrive: an arrival when the copies so far are there. Without .noinc it is
  /// one that the phase did not expect until now.
  void lower_arrive(const ptx::Instruction& source, const Decoded& decoded);
  void lower_mbarrier(const ptx::Instruction& source, const Decoded& decoded);

 private:
  /// The place in shared memory is the second source.
  void lower_places(const ptx::Instruction& source, const ptx::Operand& shared,
                    const ptx::Operand& global, ir::Instruction& copy);
  /// The bytes that are read, or a predicate that says that none is.
  void lower_copy_limit(const ptx::Instruction& source, const ptx::Operand& operand,
                        std::uint64_t bytes, ir::Instruction& instruction);

  Names& names_;
  OperandLowerer& operands_;
  DraftBuilder& draft_;
};

}  // namespace paws::frontend::lowering
