// SPDX-License-Identifier: MIT
// One output file made of parts that are written at the same time, one per core.
//
// Each part grows in a file of its own beside the output; finish() puts them together, in order,
// and renames the whole into place. So nothing of a long run is kept in memory, the order of the
// bytes does not depend on the order of writing, and the output appears whole or not at all.
#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace paws::trace {

class PartFile {
 public:
  /// Makes `path`. Throws InputError that names `output`.
  PartFile(std::string path, std::string output);
  ~PartFile();
  PartFile(const PartFile&) = delete;
  PartFile& operator=(const PartFile&) = delete;

  /// Throws InputError.
  void write(std::string_view bytes);
  [[nodiscard]] bool empty() const { return size_ == 0; }

 private:
  friend class PartedFile;
  std::string path_;
  std::string output_;
  std::FILE* file_;
  std::uint64_t size_ = 0;
};

class PartedFile {
 public:
  /// Throws InputError if `path` cannot be written.
  PartedFile(std::string path, std::size_t parts);

  /// May be written to by one thread, another part by another.
  [[nodiscard]] PartFile& part(std::size_t index) { return *parts_[index]; }
  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  /// Writes `head`, the parts that are not empty, with `between` between them, and `tail`. Throws
  /// InputError. Without it, nothing is left behind.
  void finish(std::string_view head, std::string_view between, std::string_view tail);

 private:
  std::string path_;
  std::vector<std::unique_ptr<PartFile>> parts_;
};

}  // namespace paws::trace
