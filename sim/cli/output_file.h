// SPDX-License-Identifier: MIT
// Output files appear whole or not at all.
#pragma once

#include <string>

namespace paws::cli {

/// Writes `text` beside `path` and renames it into place. Throws InputError.
void write_file(const std::string& path, const std::string& text);

/// Throws InputError if `path` cannot be written, before the work that it is for begins.
void check_writable(const std::string& path);

}  // namespace paws::cli
