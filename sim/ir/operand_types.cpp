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

Type dest_type(const Instruction& instruction, unsigned index) {
  const Type type = instruction.type;
  switch (instruction.op) {
    case Op::st:
    case Op::red:
    case Op::prefetch:
    case Op::membar:
    case Op::bar_warp:
    case Op::bra:
    case Op::brx:
    case Op::exit:
    case Op::trap:
    case Op::nop:
    case Op::copy_async:
    case Op::copy_bulk:
    case Op::copy_commit:
    case Op::copy_wait:
    case Op::stmatrix:
    case Op::sust:
      return Type::none;
    case Op::mma:
      return index < registers_of(instruction).c ? register_type(type) : Type::none;
    case Op::ldmatrix:
      return index < instruction.vector ? Type::b32 : Type::none;
    case Op::add:
    case Op::sub:
    case Op::mul:
    case Op::mad:
      if (index == 1) return instruction.carry_out ? Type::pred : Type::none;
      return instruction.part == MulPart::wide ? widened(type) : type;
    case Op::setp:
      return index < 2 ? Type::pred : Type::none;
    case Op::shfl:
      return index == 0 ? type : index == 1 ? Type::pred : Type::none;
    case Op::match:
      return index == 0 ? Type::b32 : index == 1 ? Type::pred : Type::none;
    case Op::ld:
    case Op::tex:
    case Op::suld:
      return index < instruction.vector ? type : Type::none;
    case Op::unpack:
      return index < instruction.vector ? bits_type(size_of(type) / instruction.vector)
                                        : Type::none;
    default:
      break;
  }
  if (index != 0) return Type::none;
  switch (instruction.op) {
    case Op::isspacep:
    case Op::testp:
      return Type::pred;
    case Op::vote:
      return instruction.vote == VoteMode::ballot ? Type::b32 : Type::pred;
    case Op::popc:
    case Op::clz:
    case Op::bfind:
      return Type::u32;
    case Op::activemask:
    case Op::print:
    case Op::image_query:
      return Type::b32;
    case Op::mbarrier:
      switch (instruction.mbarrier) {
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
    case Op::bar:
      switch (instruction.bar) {
        case BarMode::red_popc:
          return Type::u32;
        case BarMode::red_and:
        case BarMode::red_or:
          return Type::pred;
        default:
          return Type::none;
      }
    default:
      return type;
  }
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
  switch (instruction.op) {
    case Op::add:
    case Op::sub:
      return index == 2 ? Type::pred : type;
    case Op::mul:
    case Op::mad:
      if (index == 3) return Type::pred;
      return index == 2 && instruction.part == MulPart::wide ? widened(type) : type;
    case Op::shl:
    case Op::shr:
    case Op::szext:
    case Op::bfe:
      return index == 0 ? type : Type::u32;
    case Op::shf:
      return index == 2 ? Type::u32 : type;
    case Op::bfi:
      return index < 2 ? type : Type::u32;
    case Op::setp:
    case Op::selp:
      return index == 2 ? Type::pred : type;
    case Op::set:
      return index == 2 ? Type::pred : instruction.src_type;
    case Op::slct:
      return index == 2 ? instruction.src_type : type;
    case Op::dp4a:
    case Op::dp2a:
      return index == 1 ? instruction.src_type : type;
    case Op::cvt:
      return instruction.src_type;
    case Op::pack:
      return bits_type(size_of(type) / instruction.vector);
    case Op::ld:
    case Op::prefetch:
    case Op::isspacep:
      return Type::u64;
    case Op::st:
    case Op::atom:
    case Op::red:
      return index == 0 ? Type::u64 : type;
    case Op::shfl:
    case Op::match:
    case Op::redux:
      return index == 0 ? type : Type::b32;
    case Op::vote:
      return index == 0 ? Type::pred : Type::b32;
    case Op::copy_async:
    case Op::copy_bulk:
    case Op::ldmatrix:
    case Op::stmatrix:
      return index == 0 ? Type::u64 : Type::b32;
    case Op::mbarrier:
      if (instruction.mbarrier == MbarrierMode::pending_count) return Type::b64;
      if (index == 0) return Type::u64;
      return instruction.mbarrier == MbarrierMode::test ? Type::b64 : Type::b32;
    case Op::mma: {
      const MatrixRegisters registers = registers_of(instruction);
      if (index < registers.a) return register_type(instruction.src_type);
      if (index < registers.a + registers.b) return register_type(instruction.other_type);
      return register_type(type);
    }
    case Op::movmatrix:
      return Type::b32;
    case Op::tex:
    case Op::suld:
    case Op::sust:
    case Op::image_query:
      return image_source_type(instruction, index);
    case Op::trap:
      return index == 2 ? Type::u32 : Type::u64;
    case Op::print:
      return Type::u64;
    case Op::bar_warp:
      return Type::b32;
    case Op::bar:
      return index == 2 ? Type::pred : Type::u32;
    case Op::brx:
      return Type::u32;
    default:
      return type;
  }
}

}  // namespace paws::ir
