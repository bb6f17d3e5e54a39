// SPDX-License-Identifier: MIT
#include "sim/trace/parts.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "sim/support/error.h"

namespace paws::trace {
namespace {

[[noreturn]] void fail(const std::string& output, int error) {
  throw InputError(output, fmt::format("cannot be written: {}", std::strerror(error)));
}

}  // namespace

PartFile::PartFile(std::string path, std::string output)
    : path_(std::move(path)), output_(std::move(output)), file_(std::fopen(path_.c_str(), "w+b")) {
  if (file_ == nullptr) fail(output_, errno);
  // Writers write much at a time. In a buffer a process that forks would have it twice, and each of
  // both processes would write it into the same file at its end.
  std::setvbuf(file_, nullptr, _IONBF, 0);
}

PartFile::~PartFile() {
  std::fclose(file_);
  std::remove(path_.c_str());
}

void PartFile::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail(output_, errno);
  size_ += bytes.size();
}

PartedFile::PartedFile(std::string path, std::size_t parts) : path_(std::move(path)) {
  if (std::filesystem::is_directory(path_)) fail(path_, EISDIR);
  for (std::size_t i = 0; i < parts; ++i) {
    parts_.push_back(
        std::make_unique<PartFile>(fmt::format("{}.{}.part{}.tmp", path_, ::getpid(), i), path_));
  }
}

void PartedFile::finish(std::string_view head, std::string_view between, std::string_view tail) {
  PartFile whole(fmt::format("{}.{}.tmp", path_, ::getpid()), path_);
  whole.write(head);
  bool first = true;
  std::vector<char> buffer(std::size_t{1} << 16);
  for (const auto& part : parts_) {
    if (part->empty()) continue;
    if (!first) whole.write(between);
    first = false;
    std::rewind(part->file_);
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), part->file_)) {
      whole.write({buffer.data(), count});
    }
    if (std::ferror(part->file_) != 0) fail(path_, EIO);
  }
  whole.write(tail);
  if (std::fflush(whole.file_) != 0) fail(path_, errno);
  if (std::rename(whole.path_.c_str(), path_.c_str()) != 0) fail(path_, errno);
}

}  // namespace paws::trace
