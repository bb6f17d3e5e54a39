// SPDX-License-Identifier: MIT
// Integer expressions of a launch description: "ceildiv(n, 256) - 2 * k".
//
// Grammar (64-bit signed integers, overflow is an error):
//   sum     = product { ("+" | "-") product }
//   product = unary { ("*" | "/" | "%") unary }      division truncates toward zero, as in C
//   unary   = { "-" } primary
//   primary = number | name | function "(" sum { "," sum } ")" | "(" sum ")"
//   functions: min(a, ...), max(a, ...), ceildiv(a, b), pow(a, b)
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sim/support/location.h"

namespace paws {

using Variables = std::map<std::string, std::int64_t, std::less<>>;

class Expression {
 public:
  /// The constant `value`; its errors name `where`.
  Expression(std::int64_t value, Location where);

  /// Throws InputError at `where` when `text` is not an expression.
  Expression(const std::string& text, Location where);

  /// Throws InputError on an unknown name, a division by zero or an overflow.
  [[nodiscard]] std::int64_t evaluate(const Variables& variables) const;

  /// As evaluate(), and an error that says `what` when the value is outside [low, high].
  [[nodiscard]] std::int64_t evaluate(const Variables& variables, const std::string& what,
                                      std::int64_t low, std::int64_t high) const;

  /// Variables that it reads, in order of appearance.
  [[nodiscard]] std::vector<std::string> names() const;

  [[nodiscard]] const std::string& text() const { return text_; }
  [[nodiscard]] const Location& where() const { return where_; }

  static bool is_name(std::string_view text);      ///< could be a variable's name
  static bool is_function(std::string_view text);  ///< is a function's name

 private:
  friend class ExpressionParser;

  enum class Code : std::uint8_t {
    number,
    name,
    negate,
    add,
    subtract,
    multiply,
    divide,
    modulo,
    min,
    max,
    ceildiv,
    pow
  };
  struct Token {
    Code code;
    std::int64_t number = 0;
    std::string name;
  };

  std::string text_;
  Location where_;
  std::vector<Token> postfix_;
};

}  // namespace paws
