// SPDX-License-Identifier: MIT
// Output files appear whole or not at all.
#pragma once

#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace paws::cli {

/// Writes `text` beside `path` and renames it into place. Throws InputError.
void write_file(const std::string& path, const std::string& text);

/// The same of results, in UTF-8: a byte of a name that is none becomes U+FFFD, with a warning.
void write_table(const std::string& path, const std::string& csv);
void write_json(const std::string& path, const nlohmann::json& json);

/// Writes all files, those behind one that cannot be written, too. Throws what the first that
/// failed threw.
void write_all(const std::vector<std::function<void()>>& files);

/// Whether both paths are of one regular file, or would be.
bool same_file(const std::string& a, const std::string& b);

/// Throws InputError if `path` cannot be written, before the work that it is for begins.
void check_writable(const std::string& path);

}  // namespace paws::cli
