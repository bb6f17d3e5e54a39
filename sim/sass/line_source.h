// SPDX-License-Identifier: MIT
// The lines of a text file, plain or compressed by xz.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace paws::sass {

/// Reads on in pieces, so a file may be longer than memory. Whether it is compressed is seen from
/// its first bytes, not from its name.
class LineSource {
 public:
  /// Longest line, in bytes. A trace's longest has 32 addresses.
  static constexpr std::size_t kLongestLine = std::size_t{1} << 16;

  /// Throws InputError "file: cause" when the file cannot be read.
  explicit LineSource(const std::filesystem::path& file);
  ~LineSource();
  LineSource(const LineSource&) = delete;
  LineSource& operator=(const LineSource&) = delete;

  /// The next line without its end, valid until the next call; false at the end of the file.
  /// Throws InputError "file:line: cause" for a line that is too long or holds a zero byte, and for
  /// compressed data that is broken or ends early.
  bool next(std::string_view& line);

  [[nodiscard]] const std::string& name() const { return name_; }
  /// Of the line that next() gave last, from 1; 0 before the first.
  [[nodiscard]] std::uint64_t line() const { return line_; }

 private:
  class Decoder;

  [[noreturn]] void fail(const std::string& cause) const;
  /// Appends more text behind what is left; false when there is none.
  bool fill();
  std::size_t read(char* to, std::size_t bytes);

  std::string name_;
  std::ifstream file_;
  std::unique_ptr<Decoder> decoder_;  ///< null: the file is plain
  std::vector<char> text_;            ///< what has been read; from `begin_` to `end_` not yet given
  std::size_t begin_ = 0, end_ = 0;
  std::uint64_t line_ = 0;
};

}  // namespace paws::sass
