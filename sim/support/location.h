// SPDX-License-Identifier: MIT
// A place in a file, for messages.
#pragma once

#include <string>
#include <string_view>

#include "sim/support/error.h"

namespace paws {

/// A name between quotation marks, for messages.
inline std::string in_quotes(std::string_view name) {
  std::string out(1, '"');
  out.append(name).push_back('"');
  return out;
}

struct Location {
  std::string file;
  unsigned long line = 0;

  /// Throws InputError "file:line: cause".
  [[noreturn]] void fail(const std::string& cause) const {
    if (line == 0) throw InputError(file, cause);
    throw InputError(file, line, cause);
  }
};

}  // namespace paws
