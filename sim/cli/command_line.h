// SPDX-License-Identifier: MIT
// What is wrong with the words of a command line that the parser could not place.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

namespace paws::cli {

/// One line about a misspelt option or command, with the nearest known one; nothing when there is
/// none. After a parse, whether it has failed or not: the value of a misspelt option is taken for
/// an argument, so that the parser often complains of something else.
std::optional<std::string> unknown_word(const CLI::App& app);

}  // namespace paws::cli
