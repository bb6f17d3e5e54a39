// SPDX-License-Identifier: MIT
#include "sim/ir/operand_types.h"

#include "sim/ir/matrix.h"

namespace paws::ir {

Type widened(Type type) {
  switch (type) {
    case Type::u8:
      return Type::u16;
    case Type::u16:
      return Type::u32;
    case Type::u32:
      return Type::u64;
    case Type::s8:
      return Type::s16;
    case Type::s16:
      return Type::s32;
    case Type::s32:
      return Type::s64;
    default:
      return Type::none;
  }
}

Type bits_type(unsigned bytes) {
  switch (bytes) {
    case 1:
      return Type::b8;
    case 2:
      return Type::b16;
    case 4:
      return Type::b32;
    case 8:
      return Type::b64;
    case 16:
      return Type::b128;
    default:
      return Type::none;
  }
}

namespace {

Type mbarrier_result(MbarrierMode mode) {
  switch (mode) {
    case MbarrierMode::arrive:
    case MbarrierMode::arrive_drop:
    case MbarrierMode::arrive_expect_tx:
      return Type::b64;
    case MbarrierMode::test:
    case MbarrierMode::test_parity:
      return Type::pred;
    case MbarrierMode::pending_count:
      return Type::b32;
    default:
      return Type::none;
  }
}

Type barrier_result(BarMode mode) {
  switch (mode) {
    case BarMode::red_popc:
      return Type::u32;
    case BarMode::red_and:
    case BarMode::red_or:
      return Type::pred;
    default:
      return Type::none;
  }
}

Type mbarrier_source(MbarrierMode mode, unsigned index) {
  if (mode == MbarrierMode::pending_count) return Type::b64;
  if (index == 0) return Type::u64;
  return mode == MbarrierMode::test ? Type::b64 : Type::b32;
}

Type matrix_source(const Instruction& instruction, unsigned index) {
  const MatrixRegisters registers = registers_of(instruction);
  if (index < registers.a) return register_type(instruction.src_type);
  if (index < registers.a + registers.b) return register_type(instruction.other_type);
  return register_type(instruction.type);
}

}  // namespace

Type dest_type(const Instruction& instruction, unsigned index) {
  const Type type = instruction.type;
  const auto first = [index](Type only) { return index == 0 ? only : Type::none; };
  const auto pair = [index](Type value) {
    return index == 0 ? value : index == 1 ? Type::pred : Type::none;
  };
  const auto vector = [&](Type element) {
    return index < instruction.vector ? element : Type::none;
  };
  switch (facts(instruction.op).results) {
    case Results::none:
      return Type::none;
    case Results::value:
      return first(type);
    case Results::arithmetic:
      if (index == 1) return instruction.carry_out ? Type::pred : Type::none;
      return instruction.part == MulPart::wide ? widened(type) : type;
    case Results::predicate:
      return first(Type::pred);
    case Results::predicates:
      return pair(Type::pred);
    case Results::value_predicate:
      return pair(type);
    case Results::bits_predicate:
      return instruction.match == MatchMode::all ? pair(Type::b32) : first(Type::b32);
    case Results::combined:
      return instruction.bool_op != BoolOp::none ? pair(type) : first(type);
    case Results::bits:
      return first(Type::b32);
    case Results::count:
      return first(Type::u32);
    case Results::elements:
      return vector(type);
    case Results::parts:
      return vector(bits_type(size_of(type) / instruction.vector));
    case Results::rows:
      return vector(Type::b32);
    case Results::matrix:
      return index < registers_of(instruction).c ? register_type(type) : Type::none;
    case Results::vote:
      return first(instruction.vote == VoteMode::ballot ? Type::b32 : Type::pred);
    case Results::mbarrier:
      return first(mbarrier_result(instruction.mbarrier));
    case Results::barrier:
      return first(barrier_result(instruction.bar));
  }
  return Type::none;
}

namespace {

Type image_source_type(const Instruction& instruction, unsigned index) {
  if (index == 0) return Type::b64;
  if (instruction.op == Op::image_query) return Type::none;
  const ImageShape shape = instruction.image.shape;
  const unsigned place = place_operands(shape);
  if (index == 1 && has_layer(shape)) return Type::u32;
  if (index <= place) return instruction.src_type;
  if (instruction.op == Op::sust) {
    return index <= place + instruction.vector ? instruction.type : Type::none;
  }
  return index <= place + level_operands(instruction.image) ? Type::f32 : Type::none;
}

}  // namespace

Type source_type(const Instruction& instruction, unsigned index) {
  const Type type = instruction.type;
  switch (facts(instruction.op).sources) {
    case Sources::value:
      return type;
    case Sources::carry:
    case Sources::chosen:
      return index == 2 ? Type::pred : type;
    case Sources::product:
      if (index == 3) return Type::pred;
      return index == 2 && instruction.part == MulPart::wide ? widened(type) : type;
    case Sources::shift:
      return index == 0 ? type : Type::u32;
    case Sources::funnel:
      return index == 2 ? Type::u32 : type;
    case Sources::insert:
      return index < 2 ? type : Type::u32;
    case Sources::compared:
      return index == 2 ? Type::pred : instruction.src_type;
    case Sources::by_sign:
      return index == 2 ? instruction.src_type : type;
    case Sources::dot:
      return index == 1 ? instruction.src_type : type;
    case Sources::mixed:
      return index == 0 ? instruction.src_type : index == 1 ? instruction.other_type : type;
    case Sources::source:
      return instruction.src_type;
    case Sources::parts:
      return bits_type(size_of(type) / instruction.vector);
    case Sources::address:
      return Type::u64;
    case Sources::address_value:
      return index == 0 ? Type::u64 : type;
    case Sources::address_bits:
      return index == 0 ? Type::u64 : Type::b32;
    case Sources::lanes:
      return index == 0 ? type : Type::b32;
    case Sources::vote:
      return index == 0 ? Type::pred : Type::b32;
    case Sources::bits:
      return Type::b32;
    case Sources::index:
      return Type::u32;
    case Sources::image:
      return image_source_type(instruction, index);
    case Sources::matrix:
      return matrix_source(instruction, index);
    case Sources::mbarrier:
      return mbarrier_source(instruction.mbarrier, index);
    case Sources::assertion:
      return index == 2 ? Type::u32 : Type::u64;
    case Sources::barrier:
      return index == 2 ? Type::pred : Type::u32;
  }
  return type;
}

}  // namespace paws::ir
