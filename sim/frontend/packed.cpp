// SPDX-License-Identifier: MIT
#include "sim/frontend/packed.h"

#include <initializer_list>
#include <utility>

#include "sim/ir/operands.h"

namespace paws::frontend {
namespace {

using ir::Op;
using ir::Type;

class Expansion {
 public:
  Expansion(const Packed& packed, const std::function<ir::RegId(Type)>& fresh)
      : packed_(packed), x_(fresh(Type::s32)), y_(fresh(Type::s32)), total_(fresh(Type::u32)) {}

  std::vector<ir::Instruction> run() {
    const std::uint32_t width = 32 / packed_.elements;
    // d may be an operand, too: it is written at the end.
    emit(Op::mov, Type::u32, total_, {packed_.accumulate ? packed_.c : ir::immediate(0)});
    for (std::uint32_t i = 0; i < packed_.elements; ++i) {
      const std::uint64_t first = std::uint64_t{i} * width;
      emit(Op::bfe, packed_.fields.src_type, x_,
           {packed_.a, ir::immediate(first), ir::immediate(width)});
      emit(Op::bfe, packed_.fields.other_type, y_,
           {packed_.b, ir::immediate(first), ir::immediate(width)});
      compute();
      if (packed_.fields.sat) saturate(width);
      if (packed_.accumulate) {
        emit(Op::add, Type::u32, total_, {ir::register_operand(total_), ir::register_operand(x_)});
      } else {
        emit(Op::bfi, Type::b32, total_,
             {ir::register_operand(x_), ir::register_operand(total_), ir::immediate(first),
              ir::immediate(width)});
      }
    }
    emit(Op::mov, Type::u32, packed_.d, {ir::register_operand(total_)});
    return std::move(steps_);
  }

 private:
  ir::Instruction& emit(Op op, Type type, ir::RegId to, std::initializer_list<ir::Operand> from) {
    ir::Instruction step;
    step.op = op;
    step.type = type;
    step.line = packed_.fields.line;
    step.guard = packed_.fields.guard;
    step.guard_negated = packed_.fields.guard_negated;
    step.dst[0] = to;
    std::size_t i = 0;
    for (const ir::Operand& operand : from) step.src[i++] = operand;
    return steps_.emplace_back(step);
  }

  /// The result of an element in x. Elements have at most 17 bits with their sign, so nothing
  /// overflows.
  void compute() {
    switch (packed_.op) {
      case PackedOp::add:
        emit(Op::add, Type::s32, x_, {ir::register_operand(x_), ir::register_operand(y_)});
        break;
      case PackedOp::sub:
        emit(Op::sub, Type::s32, x_, {ir::register_operand(x_), ir::register_operand(y_)});
        break;
      case PackedOp::average:
        // Halves are rounded away from 0: (sum + (sum >= 0)) >> 1.
        emit(Op::add, Type::s32, x_, {ir::register_operand(x_), ir::register_operand(y_)});
        emit(Op::shr, Type::s32, y_, {ir::register_operand(x_), ir::immediate(31)});
        emit(Op::add, Type::s32, x_, {ir::register_operand(x_), ir::register_operand(y_)});
        emit(Op::add, Type::s32, x_, {ir::register_operand(x_), ir::immediate(1)});
        emit(Op::shr, Type::s32, x_, {ir::register_operand(x_), ir::immediate(1)});
        break;
      case PackedOp::absolute_difference:
        emit(Op::sad, Type::s32, x_,
             {ir::register_operand(x_), ir::register_operand(y_), ir::immediate(0)});
        break;
      case PackedOp::min:
        emit(Op::min, Type::s32, x_, {ir::register_operand(x_), ir::register_operand(y_)});
        break;
      case PackedOp::max:
        emit(Op::max, Type::s32, x_, {ir::register_operand(x_), ir::register_operand(y_)});
        break;
      case PackedOp::set: {
        ir::Instruction& set =
            emit(Op::set, Type::u32, x_, {ir::register_operand(x_), ir::register_operand(y_)});
        set.src_type = Type::s32;
        set.cmp = packed_.fields.cmp;
        emit(Op::and_, Type::b32, x_, {ir::register_operand(x_), ir::immediate(1)});
        break;
      }
    }
  }

  void saturate(std::uint32_t width) {
    const bool with_sign = packed_.fields.type == Type::s32;
    const std::uint32_t largest = (1u << (with_sign ? width - 1 : width)) - 1;
    emit(Op::min, Type::s32, x_, {ir::register_operand(x_), ir::immediate(largest)});
    emit(Op::max, Type::s32, x_,
         {ir::register_operand(x_), ir::immediate(with_sign ? ~largest : 0)});
  }

  const Packed& packed_;
  ir::RegId x_, y_;
  ir::RegId total_;
  std::vector<ir::Instruction> steps_;
};

}  // namespace

std::vector<ir::Instruction> expand_packed(const Packed& packed,
                                           const std::function<ir::RegId(Type)>& fresh) {
  return Expansion(packed, fresh).run();
}

}  // namespace paws::frontend
