// SPDX-License-Identifier: MIT
#include "sim/ir/matrix.h"

#include <algorithm>

namespace paws::ir {
namespace {

constexpr unsigned kGroup = 4;   // lanes
constexpr unsigned kGroups = 8;  // of a warp, and rows or columns of a block of a matrix

/// Elements of a register.
unsigned elements(unsigned bits) { return std::max(1U, 32 / bits); }

}  // namespace

unsigned element_bits(Type type) {
  switch (type) {
    case Type::f16x2:
    case Type::bf16x2:
      return 16;
    default:
      return 8 * size_of(type);
  }
}

Type register_type(Type element) {
  switch (element) {
    case Type::f32:
    case Type::f64:
    case Type::s32:
      return element;
    default:
      return Type::b32;
  }
}

MatrixRegisters registers_of(const Instruction& mma) {
  const auto count = [](unsigned rows, unsigned columns, Type type) {
    return rows * columns / elements(element_bits(type)) / kWarpSize;
  };
  const Instruction::Shape& shape = mma.shape;
  return {count(shape.m, shape.k, mma.src_type), count(shape.k, shape.n, mma.other_type),
          count(shape.m, shape.n, mma.type)};
}

Place place_in_a(unsigned lane, unsigned reg, unsigned element, unsigned bits) {
  const unsigned wide = elements(bits);
  return {lane / kGroup + kGroups * (reg % 2),
          lane % kGroup * wide + element + reg / 2 * kGroup * wide};
}

Place place_in_b(unsigned lane, unsigned reg, unsigned element, unsigned bits) {
  const unsigned wide = elements(bits);
  return {lane % kGroup * wide + element + reg * kGroup * wide, lane / kGroup};
}

Place place_in_c(unsigned lane, unsigned reg, unsigned element, unsigned bits) {
  // Two columns of a row: one register of two elements, or two registers.
  const bool pair = elements(bits) == 2;
  return {lane / kGroup + kGroups * (pair ? reg : reg / 2),
          lane % kGroup * 2 + (pair ? element : reg % 2)};
}

}  // namespace paws::ir
