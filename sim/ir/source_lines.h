// SPDX-License-Identifier: MIT
// Which source line each line of a PTX file comes from, as its .file and .loc directives say.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace paws::ir {

class SourceLines {
 public:
  struct Place {
    std::string file;        ///< as .file writes it
    std::uint32_t line = 0;  ///< 0: the PTX does not say
  };

  /// .file
  void name_file(std::uint32_t number, std::string path) { files_[number] = std::move(path); }
  /// .loc: what stands behind `ptx_line` comes from `line` of the file. Calls in ascending order.
  void start(std::uint32_t ptx_line, std::uint32_t file, std::uint32_t line) {
    starts_.push_back({ptx_line, file, line});
  }
  /// Behind `ptx_line` nothing is known until the next .loc.
  void forget(std::uint32_t ptx_line) { start(ptx_line, 0, 0); }

  [[nodiscard]] Place at(std::uint32_t ptx_line) const;

 private:
  struct Start {
    std::uint32_t ptx_line, file, line;
  };
  std::map<std::uint32_t, std::string> files_;
  std::vector<Start> starts_;
};

}  // namespace paws::ir
