// SPDX-License-Identifier: MIT
#include "sim/frontend/latency.h"

namespace paws::frontend {

using ir::Type;

std::uint16_t latency_of(const ir::Instruction& instruction, const LatencyTable& table) {
  const bool wide = ir::size_of(instruction.type) == 8;
  const bool is_float = ir::is_float(instruction.type);
  const bool is_f64 = instruction.type == Type::f64;
  switch (ir::facts(instruction.op).latency) {
    case ir::Latency::move:
      return table.move;
    case ir::Latency::branch:
      return table.branch;
    case ir::Latency::barrier:
      return table.barrier;
    case ir::Latency::load:
      return table.load_issue;
    case ir::Latency::store:
      return table.store_issue;
    case ir::Latency::conversion:
      return table.conversion;
    case ir::Latency::special:
      return table.special;
    case ir::Latency::root:
      if (instruction.approx) return table.special;
      return is_f64 ? table.f64_div : table.f32_div;
    case ir::Latency::divide:
      if (!is_float) return wide ? table.integer64_div : table.integer_div;
      if (instruction.approx || instruction.full) return table.special;
      return is_f64 ? table.f64_div : table.f32_div;
    case ir::Latency::warp:
      return table.warp;
    case ir::Latency::matrix:
      return table.f32;
    case ir::Latency::multiply:
      if (!is_float) return wide ? table.integer64_mul : table.integer_mul;
      break;
    case ir::Latency::arithmetic:
      break;
  }
  if (is_f64) return table.f64;
  if (is_float) return table.f32;
  return wide ? table.integer64 : table.integer;
}

}  // namespace paws::frontend
