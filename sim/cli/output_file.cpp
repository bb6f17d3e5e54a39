// SPDX-License-Identifier: MIT
#include "sim/cli/output_file.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <exception>
#include <filesystem>
#include <fstream>

#include "sim/cli/warnings.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

[[noreturn]] void fail(const std::string& path, int error) {
  throw InputError(path, fmt::format("cannot be written: {}", std::strerror(error)));
}

std::string temporary_of(const std::string& path) {
  return fmt::format("{}.{}.tmp", path, ::getpid());
}

constexpr int kIndent = 2;

std::string in_utf8(const nlohmann::json& json, int indent = -1) {
  return json.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace);
}

void warn_of_bytes(const std::string& path) {
  warn(path + ": a name is not UTF-8: bytes of it are written as U+FFFD");
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

void write_table(const std::string& path, const std::string& csv) {
  const std::string text = nlohmann::json::parse(in_utf8(csv)).get<std::string>();
  if (text != csv) warn_of_bytes(path);
  write_file(path, text);
}

void write_json(const std::string& path, const nlohmann::json& json) {
  std::string text;
  try {
    text = json.dump(kIndent);
  } catch (const nlohmann::json::type_error&) {
    warn_of_bytes(path);
    text = in_utf8(json, kIndent);
  }
  write_file(path, text + "\n");
}

void write_all(const std::vector<std::function<void()>>& files) {
  std::exception_ptr first;
  for (const std::function<void()>& write : files) {
    try {
      write();
    } catch (const InputError&) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

bool same_file(const std::string& a, const std::string& b) {
  namespace fs = std::filesystem;
  std::error_code none;
  if (fs::equivalent(a, b, none)) return fs::is_regular_file(a, none);
  // Of a relative name whose first part is not there, it would stay relative.
  const fs::path first = fs::weakly_canonical(fs::absolute(a), none);
  return !fs::exists(first, none) && first == fs::weakly_canonical(fs::absolute(b), none);
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
