// SPDX-License-Identifier: MIT
// What a user should know although nothing is wrong enough to stop.
#pragma once

#include <string>

namespace paws::cli {

/// Prints a warning on stderr, the same one once in the life of the program.
void warn(const std::string& warning);

}  // namespace paws::cli
