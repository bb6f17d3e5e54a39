// SPDX-License-Identifier: MIT
// Why something failed: the words and the exit status.
#pragma once

#include <exception>
#include <string>

namespace paws::cli {

struct Failure {
  std::string cause;  ///< one line
  int status = 0;     ///< of the program
};

/// Of an exception: status 1 for a check that did not hold, 2 for everything that kept the work
/// from being done, and an interrupt's own.
Failure failure_of(const std::exception_ptr& error);

}  // namespace paws::cli
