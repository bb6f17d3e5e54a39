// SPDX-License-Identifier: MIT
// The words of a line of a trace, one after the other.
#pragma once

#include <charconv>
#include <concepts>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace paws::sass {

/// A whole word as a number; nothing if it is none or too large. "0x" in front is allowed in base
/// 16.
template <std::integral Number>
std::optional<Number> number_of(std::string_view word, int base = 10) {
  if (base == 16 && word.starts_with("0x")) word.remove_prefix(2);
  Number value{};
  const char* const end = word.data() + word.size();
  const auto [at, error] = std::from_chars(word.data(), end, value, base);
  if (error != std::errc{} || at != end) return std::nullopt;
  return value;
}

class Words {
 public:
  explicit Words(std::string_view text) : text_(text) { skip(); }

  [[nodiscard]] bool empty() const { return text_.empty(); }
  /// What has not been taken.
  [[nodiscard]] std::string_view rest() const { return text_; }

  /// The next word; `what` it should be is for the message. Throws std::invalid_argument.
  std::string_view take(const char* what) {
    if (text_.empty()) throw std::invalid_argument("the line ends before " + std::string(what));
    const std::size_t end = std::min(text_.find_first_of(" \t"), text_.size());
    const std::string_view word = text_.substr(0, end);
    text_.remove_prefix(end);
    skip();
    return word;
  }
  template <std::integral Number>
  Number number(const char* what, int base = 10) {
    const std::string_view word = take(what);
    const std::optional<Number> value = number_of<Number>(word, base);
    if (!value) {
      throw std::invalid_argument("'" + std::string(word) + "' where " + what + " should stand");
    }
    return *value;
  }

 private:
  void skip() { text_.remove_prefix(std::min(text_.find_first_not_of(" \t"), text_.size())); }

  std::string_view text_;
};

}  // namespace paws::sass
