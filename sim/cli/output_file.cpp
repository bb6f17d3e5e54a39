// SPDX-License-Identifier: MIT
#include "sim/cli/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "sim/support/error.h"

namespace paws::cli {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw InputError(path, fmt::format("cannot be written: {}", std::strerror(error)));
}

std::string temporary_of(const std::string& path) {
  return fmt::format("{}.{}.tmp", path, ::getpid());
}

}  // namespace

void write_file(const std::string& path, const std::string& text) {
  const std::string temporary = temporary_of(path);
  errno = 0;
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  if (!file) {
    const int error = errno;
    std::remove(temporary.c_str());
    fail(path, error);
  }
  if (std::rename(temporary.c_str(), path.c_str()) != 0) {
    const int error = errno;
    std::remove(temporary.c_str());
    fail(path, error);
  }
}

void check_writable(const std::string& path) {
  if (std::filesystem::is_directory(path)) fail(path, EISDIR);
  const std::string temporary = temporary_of(path);
  errno = 0;
  const std::ofstream file(temporary, std::ios::binary);
  const int error = errno;
  const bool good = static_cast<bool>(file);
  std::remove(temporary.c_str());
  if (!good) fail(path, error);
}

}  // namespace paws::cli
