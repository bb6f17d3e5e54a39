// SPDX-License-Identifier: MIT
#include "sim/tests/micro/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <numeric>
#include <vector>

#include "sim/support/error.h"

namespace paws::micro {
namespace {

class Parser {
 public:
  Parser(std::string_view text, const std::function<double(const std::string&)>& value_of)
      : text_(text), value_of_(value_of) {}

  double whole() {
    const double value = comparison();
    if (!next().empty()) fail(fmt::format("unexpected '{}'", next()));
    return value;
  }

 private:
  [[noreturn]] void fail(const std::string& cause) const {
    throw InputError(fmt::format("formula '{}': {}", text_, cause));
  }

  /// The rest of the text without leading blanks.
  std::string_view next() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return text_.substr(at_);
  }

  bool accept(std::string_view token) {
    if (!next().starts_with(token)) return false;
    at_ += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!accept(token)) fail(fmt::format("expected '{}' before '{}'", token, next()));
  }

  double comparison() {
    const double left = sum();
    if (accept("<=")) return left <= sum() ? 1 : 0;
    if (accept("<")) return left < sum() ? 1 : 0;
    return left;
  }

  double sum() {
    double value = product();
    for (;;) {
      if (accept("+")) {
        value += product();
      } else if (accept("-")) {
        value -= product();
      } else {
        return value;
      }
    }
  }

  double product() {
    double value = factor();
    for (;;) {
      if (accept("*")) {
        value *= factor();
      } else if (accept("/")) {
        value /= factor();
      } else {
        return value;
      }
    }
  }

  double factor() {
    if (accept("(")) {
      const double value = comparison();
      expect(")");
      return value;
    }
    const std::string_view rest = next();
    if (!rest.empty() && std::isdigit(static_cast<unsigned char>(rest.front())) != 0) {
      double value = 0;
      const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
      if (error != std::errc{}) fail(fmt::format("bad number '{}'", rest));
      at_ += static_cast<std::size_t>(end - rest.data());
      return value;
    }
    const auto length = static_cast<std::size_t>(
        std::find_if_not(rest.begin(), rest.end(),
                         [](unsigned char letter) {
                           return std::isalnum(letter) != 0 || letter == '_' || letter == '.';
                         }) -
        rest.begin());
    if (length == 0) fail(fmt::format("expected a value before '{}'", rest));
    const std::string name(rest.substr(0, length));
    at_ += length;
    return accept("(") ? call(name) : value_of_(name);
  }

  double call(const std::string& function) {
    std::vector<double> arguments;
    do {
      arguments.push_back(comparison());
    } while (accept(","));
    expect(")");
    auto takes = [&](std::size_t count) {
      if (arguments.size() != count) fail(fmt::format("{} takes {} arguments", function, count));
    };
    if (function == "min") return *std::min_element(arguments.begin(), arguments.end());
    if (function == "max") return *std::max_element(arguments.begin(), arguments.end());
    if (function == "ceil") {
      takes(1);
      return std::ceil(arguments[0]);
    }
    if (function == "floor") {
      takes(1);
      return std::floor(arguments[0]);
    }
    if (function == "gcd") {
      takes(2);
      return static_cast<double>(std::gcd(std::llround(arguments[0]), std::llround(arguments[1])));
    }
    if (function == "if") {
      takes(3);
      return arguments[0] != 0 ? arguments[1] : arguments[2];
    }
    fail(fmt::format("unknown function '{}'", function));
  }

  std::string_view text_;
  const std::function<double(const std::string&)>& value_of_;
  std::size_t at_ = 0;
};

}  // namespace

double evaluate(std::string_view text, const std::function<double(const std::string&)>& value_of) {
  return Parser(text, value_of).whole();
}

}  // namespace paws::micro
