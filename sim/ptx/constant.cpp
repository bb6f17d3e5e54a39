// SPDX-License-Identifier: MIT
#include "sim/ptx/constant.h"

#include <bit>
#include <stdexcept>
#include <string>

namespace paws::ptx {
namespace {

using Type = Constant::Type;
using Integer = std::uint64_t;

[[noreturn]] void fail(const std::string& cause) { throw std::invalid_argument(cause); }

[[noreturn]] void no_operands(std::string_view operation) {
  fail("'" + std::string(operation) + "' is for integers, not for floating-point constants");
}

bool is_integer(Constant value) { return value.type == Type::s64 || value.type == Type::u64; }

void refuse_single(std::string_view operation, Constant value) {
  if (value.type != Type::f32) return;
  fail("a single-precision literal (0f...) stands alone, it is no operand of '" +
       std::string(operation) + "'");
}

void require_integer(std::string_view operation, Constant value) {
  refuse_single(operation, value);
  if (!is_integer(value)) no_operands(operation);
}

Constant of_signed(bool value) { return {Type::s64, value ? Integer{1} : Integer{0}}; }
Constant of_double(double value) { return {Type::f64, std::bit_cast<Integer>(value)}; }
double double_of(Constant value) { return std::bit_cast<double>(value.bits); }
std::int64_t signed_of(Integer bits) { return std::bit_cast<std::int64_t>(bits); }

/// The ISA's usual arithmetic conversions.
Type converted(Constant left, Constant right) {
  return left.type == Type::u64 || right.type == Type::u64 ? Type::u64 : Type::s64;
}

[[noreturn]] void divided_by_zero() { fail("division by zero in a constant expression"); }

Constant of_doubles(std::string_view operation, double left, double right) {
  if (operation == "+") return of_double(left + right);
  if (operation == "-") return of_double(left - right);
  if (operation == "*") return of_double(left * right);
  if (operation == "/") {
    if (right == 0) divided_by_zero();
    return of_double(left / right);
  }
  if (operation == "<") return of_signed(left < right);
  if (operation == ">") return of_signed(left > right);
  if (operation == "<=") return of_signed(left <= right);
  if (operation == ">=") return of_signed(left >= right);
  if (operation == "==") return of_signed(left == right);
  if (operation == "!=") return of_signed(left != right);
  no_operands(operation);
}

Integer quotient(Type type, Integer left, Integer right) {
  if (right == 0) divided_by_zero();
  if (type == Type::u64) return left / right;
  // The one signed quotient that overflows wraps, as all integer arithmetic here.
  if (signed_of(right) == -1) return 0 - left;
  return static_cast<Integer>(signed_of(left) / signed_of(right));
}

/// Counts modulo 64: the ISA does not say what beyond, ptxas does so.
Constant shifted(std::string_view operation, Constant left, Integer count) {
  constexpr Integer kLargest = 63;
  const auto by = static_cast<unsigned>(count & kLargest);
  if (operation == "<<") return {left.type, left.bits << by};
  if (left.type == Type::u64) return {left.type, left.bits >> by};
  return {left.type, static_cast<Integer>(signed_of(left.bits) >> by)};
}

bool less(Type type, Integer left, Integer right) {
  return type == Type::u64 ? left < right : signed_of(left) < signed_of(right);
}

Constant of_integers(std::string_view operation, Constant left, Constant right) {
  const Type type = converted(left, right);
  const Integer a = left.bits;
  const Integer b = right.bits;
  if (operation == "+") return {type, a + b};
  if (operation == "-") return {type, a - b};
  if (operation == "*") return {type, a * b};
  if (operation == "/") return {type, quotient(type, a, b)};
  if (operation == "%") {
    if (b == 0) divided_by_zero();
    return {Type::s64, a % b};
  }
  if (operation == "<<" || operation == ">>") return shifted(operation, left, b);
  if (operation == "<") return of_signed(less(type, a, b));
  if (operation == ">") return of_signed(less(type, b, a));
  if (operation == "<=") return of_signed(!less(type, b, a));
  if (operation == ">=") return of_signed(!less(type, a, b));
  if (operation == "==") return of_signed(a == b);
  if (operation == "!=") return of_signed(a != b);
  if (operation == "&&") return of_signed(a != 0 && b != 0);
  if (operation == "||") return of_signed(a != 0 || b != 0);
  // The ISA's text; its table would make these unsigned, which ptxas does not.
  if (operation == "&") return {type, a & b};
  if (operation == "|") return {type, a | b};
  return {type, a ^ b};
}

}  // namespace

Constant apply_unary(std::string_view operation, Constant value) {
  refuse_single(operation, value);
  if (!is_integer(value)) {
    if (operation == "+") return value;
    if (operation == "-") return of_double(-double_of(value));
    no_operands(operation);
  }
  if (operation == "+") return value;
  if (operation == "-") return {value.type, 0 - value.bits};
  if (operation == "~") return {Type::u64, ~value.bits};
  return of_signed(value.bits == 0);
}

Constant apply_cast(std::string_view type, Constant value) {
  require_integer("(" + std::string(type) + ")", value);
  return {type == ".u64" ? Type::u64 : Type::s64, value.bits};
}

Constant apply_binary(std::string_view operation, Constant left, Constant right) {
  refuse_single(operation, left);
  refuse_single(operation, right);
  if (is_integer(left) != is_integer(right)) {
    fail("'" + std::string(operation) +
         "' of an integer and a floating-point constant, which no cast of PTX makes equal");
  }
  if (is_integer(left)) return of_integers(operation, left, right);
  return of_doubles(operation, double_of(left), double_of(right));
}

Constant choose(Constant condition, Constant if_true, Constant if_false) {
  require_integer("?:", condition);
  // Both sides go through the checks of any operator, chosen or not.
  refuse_single("?:", if_true);
  refuse_single("?:", if_false);
  if (is_integer(if_true) != is_integer(if_false)) {
    fail("'?:' chooses between an integer and a floating-point constant");
  }
  const Type type = is_integer(if_true) ? converted(if_true, if_false) : Type::f64;
  return {type, condition.bits != 0 ? if_true.bits : if_false.bits};
}

std::uint64_t integer_of(Constant value) {
  if (!is_integer(value)) fail("expected an integer, not a floating-point constant");
  return value.bits;
}

Literal literal_of(Constant value) {
  switch (value.type) {
    case Type::f32:
      return {Literal::Kind::f32, value.bits};
    case Type::f64:
      return {Literal::Kind::f64, value.bits};
    default:
      return {Literal::Kind::integer, value.bits};
  }
}

}  // namespace paws::ptx
