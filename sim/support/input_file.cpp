// SPDX-License-Identifier: MIT
#include "sim/support/input_file.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace paws {

namespace fs = std::filesystem;

std::optional<std::string> why_unreadable(const fs::path& path) {
  std::error_code error;
  switch (fs::status(path, error).type()) {
    case fs::file_type::regular:
      if (::access(path.c_str(), R_OK) == 0) return std::nullopt;
      return "cannot be read: " + std::generic_category().message(errno);
    case fs::file_type::not_found:
      return "no such file";
    case fs::file_type::directory:
      return "is a folder";
    case fs::file_type::fifo:
      return "is a FIFO";
    case fs::file_type::none:
      return "cannot be read: " + error.message();
    default:
      return "is no regular file";
  }
}

bool means_a_file(const std::string& word) {
  std::error_code ignored;
  const fs::path path(word);
  return fs::exists(path, ignored) || path.has_parent_path() || path.has_extension();
}

}  // namespace paws
