// SPDX-License-Identifier: MIT
// One line of progress on a terminal; nothing when stderr is not one.
#pragma once

#include <string>

namespace paws::cli {

class ProgressLine {
 public:
  ProgressLine();
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  /// Replaces the line.
  void show(const std::string& text);
  void clear();

 private:
  bool terminal_;
  bool shown_ = false;
};

}  // namespace paws::cli
