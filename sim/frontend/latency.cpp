// SPDX-License-Identifier: MIT
#include "sim/frontend/latency.h"

namespace paws::frontend {

using ir::Op;
using ir::Type;

std::uint16_t latency_of(const ir::Instruction& instruction, const LatencyTable& table) {
  const bool wide = ir::size_of(instruction.type) == 8;
  const bool is_float = ir::is_float(instruction.type);
  const bool is_f64 = instruction.type == Type::f64;
  switch (instruction.op) {
    case Op::mov:
    case Op::cvta:
    case Op::pack:
    case Op::unpack:
    case Op::nop:
    case Op::print:
    case Op::image_query:
      return table.move;
    case Op::bra:
    case Op::brx:
    case Op::exit:
    case Op::trap:
      return table.branch;
    case Op::bar:
    case Op::bar_warp:
    case Op::membar:
    case Op::copy_commit:
    case Op::copy_wait:
      return table.barrier;
    case Op::ld:
    case Op::atom:
    case Op::ldmatrix:
    case Op::mbarrier:
    case Op::tex:
    case Op::suld:
      return table.load_issue;
    case Op::st:
    case Op::red:
    case Op::prefetch:
    case Op::stmatrix:
    case Op::copy_async:
    case Op::copy_bulk:
    case Op::sust:
      return table.store_issue;
    case Op::cvt:
      return table.conversion;
    case Op::ex2:
    case Op::lg2:
    case Op::sin:
    case Op::cos:
    case Op::tanh:
    case Op::rsqrt:
      return table.special;
    case Op::rcp:
    case Op::sqrt:
      if (instruction.approx) return table.special;
      return is_f64 ? table.f64_div : table.f32_div;
    case Op::div:
    case Op::rem:
      if (!is_float) return wide ? table.integer64_div : table.integer_div;
      if (instruction.approx || instruction.full) return table.special;
      return is_f64 ? table.f64_div : table.f32_div;
    case Op::shfl:
    case Op::vote:
    case Op::match:
    case Op::redux:
    case Op::activemask:
    case Op::movmatrix:
      return table.warp;
    case Op::mma:
      return table.f32;
    case Op::mul:
    case Op::mad:
    case Op::mul24:
    case Op::mad24:
    case Op::dp4a:
    case Op::dp2a:
      if (!is_float) return wide ? table.integer64_mul : table.integer_mul;
      break;
    default:
      break;
  }
  if (is_f64) return table.f64;
  if (is_float) return table.f32;
  return wide ? table.integer64 : table.integer;
}

}  // namespace paws::frontend
