// SPDX-License-Identifier: MIT
// What is wrong with the words of a command line: those that the parser could not place, and
// options that would change nothing.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

namespace paws::cli {

/// One line about a misspelt option or command, with the nearest known one; nothing when there is
/// none. After a parse, whether it has failed or not: the value of a misspelt option is taken for
/// an argument, so that the parser often complains of something else.
std::optional<std::string> unknown_word(const CLI::App& app);

/// Throws InputError for an option with an empty value, two outputs in one file, and an output in
/// the place of an input.
void check_values(const CLI::App& command);

/// Whether one of `options`, some of which `command` may not have, stands in its words.
bool given(const CLI::App& command, const std::vector<std::string>& options);

/// Throws InputError if one of `options` is given: it means nothing, for the reason `why`, such as
/// "with --functional".
void refuse(const CLI::App& command, const std::vector<std::string>& options,
            const std::string& why);

/// Throws InputError if one of `options` is given, and none of `needed`, without which it means
/// nothing.
void refuse_without(const CLI::App& command, const std::vector<std::string>& needed,
                    const std::vector<std::string>& options);

}  // namespace paws::cli
