// SPDX-License-Identifier: MIT
#include "sim/ir/source_lines.h"

#include <algorithm>

namespace paws::ir {

SourceLines::Place SourceLines::at(std::uint32_t ptx_line) const {
  const auto behind = std::upper_bound(
      starts_.begin(), starts_.end(), ptx_line,
      [](std::uint32_t line, const Start& start) { return line < start.ptx_line; });
  if (behind == starts_.begin()) return {};
  const Start& start = *std::prev(behind);
  const auto file = files_.find(start.file);
  if (start.line == 0 || file == files_.end()) return {};
  return {file->second, start.line};
}

}  // namespace paws::ir
