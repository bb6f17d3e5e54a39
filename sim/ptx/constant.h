// SPDX-License-Identifier: MIT
// Constant expressions (PTX ISA, "Constants"): values of 64 bits and what the operators make of
// them.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/ptx/ast.h"

namespace paws::ptx {

/// A value of a constant expression. A single-precision literal (0f3f800000) only stands alone.
struct Constant {
  enum class Type : std::uint8_t { s64, u64, f64, f32 };
  Type type = Type::s64;
  std::uint64_t bits = 0;
};

/// Each throws std::invalid_argument that names the cause: an operator that its operands' types do
/// not have, or a division by zero.
Constant apply_unary(std::string_view operation, Constant value);
Constant apply_cast(std::string_view type, Constant value);
Constant apply_binary(std::string_view operation, Constant left, Constant right);
Constant choose(Constant condition, Constant if_true, Constant if_false);

/// Throws std::invalid_argument unless it is an integer.
std::uint64_t integer_of(Constant value);

Literal literal_of(Constant value);

}  // namespace paws::ptx
