// SPDX-License-Identifier: MIT
#include <array>
#include <charconv>

#include "sim/frontend/decode_warp_data.h"
#include "sim/frontend/modifier_reader.h"
#include "sim/ir/matrix.h"

namespace paws::frontend {
namespace {

using ir::Op;
using ir::Type;
using Shape = ir::Instruction::Shape;

/// "m16n8k16"
Shape shape_of(ModifierReader& reader) {
  const std::string_view text = reader.pop();
  Shape shape;
  const char* at = text.data();
  const char* const end = at + text.size();
  const auto number = [&](char letter, std::uint8_t& value) {
    if (at == end || *at != letter) return false;
    const auto [stop, error] = std::from_chars(at + 1, end, value);
    at = stop;
    return error == std::errc();
  };
  if (!number('m', shape.m) || !number('n', shape.n) || !number('k', shape.k) || at != end) {
    reader.unsupported("expected a shape");
  }
  return shape;
}

bool same(const Shape& a, const Shape& b) { return a.m == b.m && a.n == b.n && a.k == b.k; }

/// Types of the elements of a and b that go with those of d.
bool go_together(Type a, Type b, Type d) {
  switch (a) {
    case Type::f16:
      return b == a && (d == Type::f16 || d == Type::f32);
    case Type::bf16:
    case Type::tf32:
      return b == a && d == Type::f32;
    case Type::f64:
      return b == a && d == Type::f64;
    case Type::s8:
    case Type::u8:
      return (b == Type::s8 || b == Type::u8) && d == Type::s32;
    default:
      return false;
  }
}

/// The shapes of mma: 128 or 256 bits of k.
bool is_shape_of_mma(const Shape& shape, Type type) {
  if (shape.n != 8) return false;
  const unsigned bits = ir::element_bits(type);
  if (type == Type::f64) {
    return (shape.m == 8 && shape.k == 4) || (shape.m == 16 && (shape.k == 4 || shape.k == 8));
  }
  if (shape.m == 8) return bits == 8 && shape.k == 16;
  return shape.m == 16 && (shape.k * bits == 128 || shape.k * bits == 256);
}

void decode_mma(ModifierReader& reader, Decoded& decoded) {
  ir::Instruction& i = decoded.instruction;
  i.op = Op::mma;
  decoded.pseudo = Decoded::Pseudo::mma;
  if (reader.peek() == "sp" || reader.peek().starts_with("sp::")) {
    reader.unsupported("sparse matrices are not modelled");
  }
  reader.expect("sync");
  reader.expect("aligned");
  i.shape = shape_of(reader);
  if (!reader.take("row") || !reader.take("col")) {
    reader.unsupported("a is by rows and b by columns in all shapes that are modelled");
  }
  i.sat = reader.take("satfinite");
  i.type = reader.type();
  i.src_type = reader.type();
  i.other_type = reader.type();
  const Type c = reader.type();
  reader.expect_end();
  if (c != i.type) reader.unsupported("c and d of different types are not modelled");
  if (!go_together(i.src_type, i.other_type, i.type)) reader.unsupported("wrong types");
  if (i.sat && i.type != Type::s32) reader.unsupported(".satfinite is for integers");
  if (!is_shape_of_mma(i.shape, i.src_type)) {
    reader.unsupported("this shape is not modelled for its types");
  }
}

/// The shapes of wmma, by the type of a.
void check_wmma_shape(const ModifierReader& reader, const Shape& shape, Type type) {
  constexpr Shape kSquare{16, 16, 16};
  constexpr Shape kTall{32, 8, 16};
  constexpr Shape kWide{8, 32, 16};
  const auto is = [&](const Shape& other) { return same(shape, other); };
  bool good = false;
  switch (type) {
    case Type::f16:
    case Type::bf16:
    case Type::s8:
    case Type::u8:
      good = is(kSquare) || is(kTall) || is(kWide);
      break;
    case Type::tf32:
      good = is({16, 16, 8});
      break;
    case Type::f64:
      good = is({8, 8, 4});
      break;
    default:
      break;
  }
  if (!good) reader.unsupported("this shape is not modelled for its types");
}

void decode_wmma_mma(ModifierReader& reader, Decoded& decoded) {
  ir::Instruction& i = decoded.instruction;
  decoded.pseudo = Decoded::Pseudo::wmma_mma;
  i.op = Op::mma;
  // A fragment holds its elements in one order, however they lie in memory.
  for (unsigned operand = 0; operand < 2; ++operand) {
    if (!reader.take("row")) reader.expect("col");
  }
  i.shape = shape_of(reader);
  reader.take("rn");  // of f64, which rounds so
  i.type = reader.type();
  i.src_type = i.other_type = reader.type();
  const bool short_form = reader.empty() || reader.peek() == "satfinite";
  if (short_form) {
    if (i.src_type != i.type) reader.unsupported("c and d of different types are not modelled");
    i.src_type = i.other_type = Type::f16;
  } else {
    i.other_type = reader.type();
    if (reader.type() != i.type) {
      reader.unsupported("c and d of different types are not modelled");
    }
  }
  i.sat = reader.take("satfinite");
  reader.take("rn");
  reader.expect_end();
  if (i.sat && i.type != Type::s32) reader.unsupported(".satfinite is for integers");
  if (i.src_type != i.other_type) reader.unsupported("a and b differ");
  if (!go_together(i.src_type, i.other_type, i.type)) reader.unsupported("wrong types");
  check_wmma_shape(reader, i.shape, i.src_type);
}

/// `bits` of the elements of a and b are not said by accesses to c and d: any shape may be meant.
void check_accumulator_shape(const ModifierReader& reader, const Shape& shape, Type type) {
  if (type == Type::f64) {
    check_wmma_shape(reader, shape, Type::f64);
  } else if (same(shape, {16, 16, 8})) {
    if (type != Type::f32) reader.unsupported("this shape is not modelled for its types");
  } else {
    check_wmma_shape(reader, shape, Type::f16);
  }
}

void decode_wmma_access(ModifierReader& reader, Decoded& decoded, bool loads) {
  ir::Instruction& i = decoded.instruction;
  decoded.pseudo = loads ? Decoded::Pseudo::wmma_load : Decoded::Pseudo::wmma_store;
  i.op = loads ? Op::ld : Op::st;
  const std::string_view matrix = reader.pop();
  using Role = Decoded::MatrixRole;
  if (matrix == "a" && loads) {
    decoded.matrix = Role::a;
  } else if (matrix == "b" && loads) {
    decoded.matrix = Role::b;
  } else if (matrix == (loads ? "c" : "d")) {
    decoded.matrix = Role::c;
  } else {
    reader.unsupported("expected a matrix");
  }
  reader.expect("sync");
  reader.expect("aligned");
  decoded.by_rows = reader.take("row");
  if (!decoded.by_rows) reader.expect("col");
  i.shape = shape_of(reader);
  i.space = ir::Space::generic;
  if (reader.take("global")) i.space = ir::Space::global;
  if (reader.take("shared") || reader.take("shared::cta")) i.space = ir::Space::shared;
  i.type = reader.type();
  reader.expect_end();
  if (decoded.matrix == Role::c) {
    const bool good =
        i.type == Type::f16 || i.type == Type::f32 || i.type == Type::s32 || i.type == Type::f64;
    if (!good) reader.unsupported("wrong type");
    check_accumulator_shape(reader, i.shape, i.type);
  } else {
    check_wmma_shape(reader, i.shape, i.type);
  }
}

void decode_wmma(ModifierReader& reader, Decoded& decoded) {
  const std::string_view what = reader.pop();
  if (what == "load") {
    decode_wmma_access(reader, decoded, true);
  } else if (what == "store") {
    decode_wmma_access(reader, decoded, false);
  } else if (what == "mma") {
    reader.expect("sync");
    reader.expect("aligned");
    decode_wmma_mma(reader, decoded);
  } else {
    reader.unsupported("expected .load, .store or .mma");
  }
}

/// ldmatrix and stmatrix.
void decode_rows(ModifierReader& reader, Decoded& decoded, Op op) {
  ir::Instruction& i = decoded.instruction;
  decoded.pseudo = Decoded::Pseudo::matrix_rows;
  i.op = op;
  i.type = Type::b32;
  reader.expect("sync");
  reader.expect("aligned");
  reader.expect("m8n8");
  const std::string_view number = reader.pop();
  if (number != "x1" && number != "x2" && number != "x4") {
    reader.unsupported("expected .x1, .x2 or .x4");
  }
  i.vector = static_cast<std::uint8_t>(number[1] - '0');
  i.transposed = reader.take("trans");
  i.space = ir::Space::generic;
  if (reader.take("shared") || reader.take("shared::cta")) i.space = ir::Space::shared;
  reader.expect("b16");
  reader.expect_end();
}

void decode_movmatrix(ModifierReader& reader, Decoded& decoded) {
  decoded.instruction.op = Op::movmatrix;
  decoded.instruction.type = Type::b32;
  decoded.destinations = decoded.min_sources = decoded.max_sources = 1;
  for (const std::string_view wanted : {"sync", "aligned", "m8n8", "trans", "b16"}) {
    reader.expect(wanted);
  }
  reader.expect_end();
}

}  // namespace

std::optional<Decoded> decode_matrix(const ptx::Instruction& source, const std::string& file) {
  Decoded decoded;
  decoded.instruction.line = source.line;
  ModifierReader reader(source, file);
  if (source.root == "mma") {
    decode_mma(reader, decoded);
  } else if (source.root == "wmma") {
    decode_wmma(reader, decoded);
  } else if (source.root == "ldmatrix") {
    decode_rows(reader, decoded, Op::ldmatrix);
  } else if (source.root == "stmatrix") {
    decode_rows(reader, decoded, Op::stmatrix);
  } else if (source.root == "movmatrix") {
    decode_movmatrix(reader, decoded);
  } else {
    return std::nullopt;
  }
  return decoded;
}

}  // namespace paws::frontend
