// SPDX-License-Identifier: MIT
// Accesses outside memory that a run tolerates: one entry for each line of a kernel's PTX.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace paws::exec {

/// Cores that run side by side may add to it; what it says does not depend on their order.
class AccessErrors {
 public:
  /// Coordinates of the block from z on, warp and lane.
  using Thread = std::array<std::uint32_t, 5>;

  /// An access of `thread` at `line` of `file`. `text()` says what is wrong with it.
  template <typename Text>
  void add(const std::string& file, std::uint32_t line, const Thread& thread, Text&& text) {
    const std::lock_guard<std::mutex> held(mutex_);
    Entry& entry = entries_[{file, line}];
    if (entry.count == 0 || thread < entry.thread) {
      entry.thread = thread;
      entry.text = text();
    }
    ++entry.count;
  }

  /// A sentence for each line: its first thread's access, and the number of all.
  [[nodiscard]] std::vector<std::string> sentences() const;

 private:
  struct Entry {
    std::uint64_t count = 0;
    Thread thread{};
    std::string text;
  };
  mutable std::mutex mutex_;
  std::map<std::pair<std::string, std::uint32_t>, Entry> entries_;
};

}  // namespace paws::exec
