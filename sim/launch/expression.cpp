// SPDX-License-Identifier: MIT
#include "sim/launch/expression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>

#include "sim/support/suggestion.h"

namespace paws {
namespace {

constexpr unsigned kMaxNesting = 64;

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

}  // namespace

/// Recursive descent over the grammar in the header, emitting postfix.
class ExpressionParser {
 public:
  explicit ExpressionParser(Expression& out) : out_(out), text_(out.text_) {}

  void parse() {
    sum(0);
    skip_spaces();
    if (at_ != text_.size()) unexpected();
  }

 private:
  using Code = Expression::Code;

  [[noreturn]] void fail(const std::string& cause) const {
    out_.where_.fail("expression " + in_quotes(out_.text_) + ": " + cause);
  }
  [[noreturn]] void unexpected() const {
    if (at_ == text_.size()) fail("ends where a number, a name or \"(\" is expected");
    fail(std::string("unexpected \"") + text_[at_] + "\" at column " + std::to_string(at_ + 1));
  }

  void skip_spaces() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool accept(char c) {
    skip_spaces();
    if (at_ == text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void emit(Code code) { out_.postfix_.push_back({code, 0, {}}); }

  void sum(unsigned depth) {
    if (depth > kMaxNesting) fail("nested too deeply");
    product(depth);
    for (;;) {
      if (accept('+')) {
        product(depth);
        emit(Code::add);
      } else if (accept('-')) {
        product(depth);
        emit(Code::subtract);
      } else {
        return;
      }
    }
  }

  void product(unsigned depth) {
    unary(depth);
    for (;;) {
      if (accept('*')) {
        unary(depth);
        emit(Code::multiply);
      } else if (accept('/')) {
        unary(depth);
        emit(Code::divide);
      } else if (accept('%')) {
        unary(depth);
        emit(Code::modulo);
      } else {
        return;
      }
    }
  }

  void unary(unsigned depth) {
    std::size_t signs = 0;
    while (accept('-')) ++signs;
    primary(depth);
    for (; signs > 0; --signs) emit(Code::negate);
  }

  void primary(unsigned depth) {
    skip_spaces();
    if (accept('(')) {
      sum(depth + 1);
      if (!accept(')')) fail("\")\" is missing");
      return;
    }
    if (at_ < text_.size() && is_digit(text_[at_])) {
      number();
    } else if (at_ < text_.size() && is_letter(text_[at_])) {
      const std::size_t begin = at_;
      while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
      const std::string name(text_.substr(begin, at_ - begin));
      if (accept('(')) {
        call(name, depth);
      } else {
        out_.postfix_.push_back({Code::name, 0, name});
      }
    } else {
      unexpected();
    }
  }

  void number() {
    std::int64_t value = 0;
    const auto [end, error] =
        std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) fail("a number does not fit 64 bits");
    at_ = static_cast<std::size_t>(end - text_.data());
    if (at_ < text_.size() && (is_letter(text_[at_]) || text_[at_] == '.')) {
      fail("only integers are allowed");
    }
    out_.postfix_.push_back({Code::number, value, {}});
  }

  void call(const std::string& function, unsigned depth) {
    struct Function {
      const char* name;
      Code code;
      bool variadic;
    };
    static constexpr std::array<Function, 4> kFunctions{{{"min", Code::min, true},
                                                         {"max", Code::max, true},
                                                         {"ceildiv", Code::ceildiv, false},
                                                         {"pow", Code::pow, false}}};
    const auto* found = std::find_if(kFunctions.begin(), kFunctions.end(),
                                     [&](const Function& each) { return function == each.name; });
    if (found == kFunctions.end()) {
      fail("unknown function " + in_quotes(function) +
           suggestion(function, {"min", "max", "ceildiv", "pow"}));
    }
    unsigned arguments = 0;
    do {
      sum(depth + 1);
      // A variadic function is a left fold of its two-argument form.
      if (++arguments >= 2) emit(found->code);
    } while (accept(','));
    if (!accept(')')) fail("\")\" is missing");
    if (arguments < 2 || (arguments > 2 && !found->variadic)) {
      fail(function + " takes " + (found->variadic ? "two or more" : "two") + " arguments");
    }
  }

  Expression& out_;
  std::string_view text_;
  std::size_t at_ = 0;
};

namespace {

using Value = std::optional<std::int64_t>;  // nothing: overflow

Value multiply(std::int64_t a, std::int64_t b) {
  std::int64_t out = 0;
  return __builtin_mul_overflow(a, b, &out) ? Value() : Value(out);
}

Value divide(std::int64_t a, std::int64_t b) {
  if (a == std::numeric_limits<std::int64_t>::min() && b == -1) return {};
  return a / b;
}

Value ceildiv(std::int64_t a, std::int64_t b) {
  const Value quotient = divide(a, b);
  if (!quotient) return {};
  return *quotient + (a % b != 0 && (a % b > 0) == (b > 0) ? 1 : 0);
}

Value power(std::int64_t base, std::int64_t exponent) {
  Value out = 1;
  // Bases that never overflow would otherwise make this loop as long as the exponent.
  if (base == 0 || base == 1) return exponent == 0 ? 1 : base;
  if (base == -1) return exponent % 2 == 0 ? 1 : -1;
  for (; exponent > 0 && out; --exponent) out = multiply(*out, base);
  return out;
}

}  // namespace

Expression::Expression(std::int64_t value, Location where)
    : text_(std::to_string(value)), where_(std::move(where)), postfix_{{Code::number, value, {}}} {}

Expression::Expression(const std::string& text, Location where)
    : text_(text), where_(std::move(where)) {
  ExpressionParser(*this).parse();
}

std::int64_t Expression::evaluate(const Variables& variables) const {
  const auto fail = [this](const std::string& cause) {
    where_.fail("expression " + in_quotes(text_) + ": " + cause);
  };
  std::vector<std::int64_t> stack;
  for (const Token& token : postfix_) {
    if (token.code == Code::number) {
      stack.push_back(token.number);
      continue;
    }
    if (token.code == Code::name) {
      const auto found = variables.find(token.name);
      if (found == variables.end()) {
        std::vector<std::string> known;
        for (const auto& [name, value] : variables) known.push_back(name);
        fail("unknown variable " + in_quotes(token.name) + suggestion(token.name, known));
      }
      stack.push_back(found->second);
      continue;
    }
    const std::int64_t b = stack.back();
    Value result;
    if (token.code == Code::negate) {
      result = multiply(b, -1);
    } else {
      stack.pop_back();
      const std::int64_t a = stack.back();
      std::int64_t out = 0;
      switch (token.code) {
        case Code::add:
          if (!__builtin_add_overflow(a, b, &out)) result = out;
          break;
        case Code::subtract:
          if (!__builtin_sub_overflow(a, b, &out)) result = out;
          break;
        case Code::multiply:
          result = multiply(a, b);
          break;
        case Code::divide:
        case Code::modulo:
        case Code::ceildiv:
          if (b == 0) fail("division by zero");
          if (token.code == Code::divide) result = divide(a, b);
          if (token.code == Code::modulo) result = b == -1 ? 0 : a % b;
          if (token.code == Code::ceildiv) result = ceildiv(a, b);
          break;
        case Code::min:
          result = std::min(a, b);
          break;
        case Code::max:
          result = std::max(a, b);
          break;
        case Code::pow:
          if (b < 0) fail("negative exponent");
          result = power(a, b);
          break;
        case Code::number:
        case Code::name:
        case Code::negate:
          break;
      }
    }
    if (!result) fail("the value does not fit 64 bits");
    stack.back() = *result;
  }
  return stack.back();
}

std::int64_t Expression::evaluate(const Variables& variables, const std::string& what,
                                  std::int64_t low, std::int64_t high) const {
  const std::int64_t value = evaluate(variables);
  if (value < low || value > high) {
    const std::string shown = std::to_string(value);
    where_.fail(what + " is " + shown + (shown == text_ ? "" : " (" + text_ + ")") +
                ", allowed are " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

std::vector<std::string> Expression::names() const {
  std::vector<std::string> names;
  for (const Token& token : postfix_) {
    if (token.code == Code::name) names.push_back(token.name);
  }
  return names;
}

bool Expression::is_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::all_of(text.begin(), text.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

bool Expression::is_function(std::string_view text) {
  return text == "min" || text == "max" || text == "ceildiv" || text == "pow";
}

}  // namespace paws
