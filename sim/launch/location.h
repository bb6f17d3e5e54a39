// A place in a launch description, for messages.
#pragma once

#include <string>

#include "sim/support/error.h"

namespace paws {

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
