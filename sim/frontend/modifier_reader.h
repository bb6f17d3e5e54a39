// SPDX-License-Identifier: MIT
// The modifiers of an opcode, read from left to right.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>
#include <string_view>

#include "sim/frontend/decode.h"
#include "sim/ptx/ast.h"
#include "sim/support/error.h"

namespace paws::frontend {

class ModifierReader {
 public:
  ModifierReader(const ptx::Instruction& source, const std::string& file)
      : source_(source), file_(file) {}

  [[nodiscard]] bool empty() const { return next_ == source_.modifiers.size(); }
  /// The next modifier, empty behind the last one.
  [[nodiscard]] std::string_view peek() const {
    return empty() ? std::string_view{} : source_.modifiers[next_];
  }
  std::string_view pop() {
    const std::string_view name = peek();
    if (!empty()) ++next_;
    return name;
  }
  bool take(std::string_view wanted) {
    if (empty() || peek() != wanted) return false;
    ++next_;
    return true;
  }
  void expect(std::string_view wanted) {
    if (!take(wanted)) unsupported(fmt::format("expected .{}", wanted));
  }
  ir::Type type() {
    const ir::Type type = type_named(peek());
    if (type == ir::Type::none) {
      unsupported(empty() ? "a type is missing" : fmt::format(".{} is not modelled", peek()));
    }
    ++next_;
    return type;
  }
  void expect_end() const {
    if (!empty()) unsupported(fmt::format(".{} is not modelled", peek()));
  }

  [[noreturn]] void unsupported(const std::string& cause) const {
    throw InputError(file_, source_.line,
                     fmt::format("unsupported instruction '{}': {}", source_.text, cause));
  }

 private:
  const ptx::Instruction& source_;
  const std::string& file_;
  std::size_t next_ = 0;
};

}  // namespace paws::frontend
