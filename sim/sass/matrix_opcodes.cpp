// SPDX-License-Identifier: MIT
#include "sim/sass/matrix_opcodes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "sim/ir/matrix.h"
#include "sim/sass/words.h"

namespace paws::sass {
namespace {

using ir::Op;
using ir::Space;
using ir::Type;

struct Shape {
  unsigned m = 0, n = 0, k = 0;
};

/// A type of the elements of a and b.
struct Element {
  Type type = Type::none;
  unsigned bits = 0;
};

[[noreturn]] void refuse(const Opcode& opcode, const std::string& why) {
  std::string text;
  for (const std::string_view word : opcode.words()) {
    if (!text.empty()) text += '.';
    text += word;
  }
  throw std::invalid_argument("opcode " + text + ' ' + why);
}

/// "16816" and "16x8x16" are m16n8k16. All products have m 8 or 16, and n 8.
std::optional<Shape> parse_shape(std::string_view word) {
  std::string digits;
  std::copy_if(word.begin(), word.end(), std::back_inserter(digits),
               [](char c) { return c != 'x'; });
  std::string_view rest = digits;
  const bool tall = rest.starts_with("16");
  if (!tall && !rest.starts_with('8')) return std::nullopt;
  rest.remove_prefix(tall ? 2 : 1);
  if (!rest.starts_with('8')) return std::nullopt;
  const auto k = number_of<unsigned>(rest.substr(1));
  if (!k) return std::nullopt;
  return Shape{tall ? 16U : 8U, 8, *k};
}

std::vector<Element> elements_of(const Opcode& opcode) {
  if (opcode.base() == "DMMA") return {{Type::f64, 64}};
  if (opcode.base() == "BMMA") return {{Type::u8, 1}};
  if (opcode.base() == "HMMA") {
    if (opcode.has("TF32")) return {{Type::tf32, 32}};
    return {{opcode.has("BF16") ? Type::bf16 : Type::f16, 16}};
  }
  std::vector<Element> elements;
  for (const std::string_view word : opcode.words()) {
    if (word == "S8") elements.push_back({Type::s8, 8});
    if (word == "U8") elements.push_back({Type::u8, 8});
    if (word == "S4") elements.push_back({Type::s8, 4});
    if (word == "U4") elements.push_back({Type::u8, 4});
  }
  return elements;
}

Type type_of_result(const Opcode& opcode) {
  if (opcode.base() == "DMMA") return Type::f64;
  if (opcode.base() != "HMMA") return Type::s32;
  for (const std::string_view word : opcode.words()) {
    if (word == "F32") return Type::f32;
    if (word == "F16") return Type::f16;
  }
  return Type::none;
}

/// A Volta has m8n8k4 of f16 four times in one instruction, which it does in several steps.
bool is_step(const Shape& shape, Type type) {
  return shape.m == 8 && shape.k == 4 && type == Type::f16;
}

/// 128 or 256 bits of k, as PTX has them; of f64 up to 16 elements.
bool is_shape_of(const Shape& shape, const Element& element) {
  if (is_step(shape, element.type)) return true;
  if (element.type == Type::f64) {
    return shape.k == 4 || (shape.m == 16 && (shape.k == 8 || shape.k == 16));
  }
  if (shape.k > 256) return false;
  const unsigned bits = shape.k * element.bits;
  return shape.m == 8 ? element.bits <= 8 && bits == 128 : bits == 128 || bits == 256;
}

}  // namespace

void refine_product(ir::Instruction& operation, const Opcode& opcode) {
  if (opcode.has("SP")) refuse(opcode, "multiplies sparse matrices, which are not modelled");
  const auto& words = opcode.words();
  const auto named = std::find_if(words.begin() + 1, words.end(), [](std::string_view word) {
    return !word.empty() && std::isdigit(static_cast<unsigned char>(word.front())) != 0;
  });
  if (named == words.end()) refuse(opcode, "names no shape");
  const std::vector<Element> elements = elements_of(opcode);
  const bool integers = opcode.base() == "IMMA";
  const bool typed = integers ? elements.size() == 2 && elements[0].bits == elements[1].bits
                              : type_of_result(opcode) != Type::none;
  if (!typed) refuse(opcode, "does not name the types of its matrices");
  const Element& element = elements.front();
  std::optional<Shape> shape = parse_shape(*named);
  if (!shape || !is_shape_of(*shape, element)) {
    refuse(opcode, "has a shape that is not modelled for its types");
  }
  operation.type = type_of_result(opcode);
  operation.src_type = element.type;
  operation.other_type = elements.back().type;
  operation.sat = opcode.has("SAT");
  // Four steps with results of f32, two with those of f16.
  if (is_step(*shape, element.type) && operation.type == Type::f16) shape->m = 16;
  if (element.bits < 8) shape->k = shape->k * element.bits / 8;
  operation.shape = {static_cast<std::uint8_t>(shape->m), static_cast<std::uint8_t>(shape->n),
                     static_cast<std::uint8_t>(shape->k)};
}

ProductRegisters registers_of_product(const ir::Instruction& mma) {
  if (mma.src_type == Type::f16 && mma.shape.k == 4) return {2, 2, 2};
  const ir::MatrixRegisters values = ir::registers_of(mma);
  const unsigned width = mma.src_type == Type::f64 ? 2 : 1;
  return {width * values.a, width * values.b, width * values.c};
}

std::string product_opcode(const ir::Instruction& mma) {
  const ir::Instruction::Shape& shape = mma.shape;
  const std::string plain = fmt::format("{}{}{}", shape.m, shape.n, shape.k);
  const auto upper = [](Type type) {
    std::string text = ir::to_string(type);
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    return text;
  };
  switch (mma.src_type) {
    case Type::f64:
      // Machines of sm_90 write their shapes so.
      if (shape.m == 16) return fmt::format("DMMA.{}x{}x{}", shape.m, shape.n, shape.k);
      return fmt::format("DMMA.{}", plain);
    case Type::s8:
    case Type::u8:
      return fmt::format("IMMA.{}.{}.{}{}", plain, upper(mma.src_type), upper(mma.other_type),
                         mma.sat ? ".SAT" : "");
    case Type::f16:
      return fmt::format("HMMA.{}.{}", plain, upper(mma.type));
    default:
      return fmt::format("HMMA.{}.{}.{}", plain, upper(mma.type), upper(mma.src_type));
  }
}

void refine_rows(ir::Instruction& operation, const Opcode& opcode) {
  operation.type = Type::b32;
  operation.vector = 1;
  if (opcode.has("2")) operation.vector = 2;
  if (opcode.has("4")) operation.vector = 4;
  if (opcode.has("GEN")) operation.space = Space::generic;
}

std::string rows_opcode(const ir::Instruction& in) {
  // Accel-Sim does not know STSM, an opcode of sm_90, and stops at it. It takes the width of an STS
  // from the first number, and stops at one below a byte: so the bits of a row stand first.
  std::string text = in.op == Op::ldmatrix ? "LDSM.16" : "STS.128";
  text += in.transposed ? ".MT88" : ".M88";
  if (in.vector > 1) text += "." + std::to_string(in.vector);
  return in.space == Space::generic ? text + ".GEN" : text;
}

}  // namespace paws::sass
