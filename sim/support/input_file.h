// SPDX-License-Identifier: MIT
// What keeps a file from being read, found before anything waits for it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace paws {

/// Why `path` cannot be read, in words that follow its name, such as "is a folder". Regular files
/// alone can: a FIFO or a device may give nothing, or bytes for ever.
std::optional<std::string> why_unreadable(const std::filesystem::path& path);

/// Whether `word`, which no built-in name is, means a file: something of this name is there, or it
/// looks like a path.
bool means_a_file(const std::string& word);

}  // namespace paws
