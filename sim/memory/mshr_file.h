// SPDX-License-Identifier: MIT
// Miss status holding registers: the outstanding lines of a cache and the requests that wait for
// each.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace paws::memory {

/// A few dozen entries, looked through from the start, as the hardware compares all at once. Their
/// storage is kept, so that a miss allocates nothing.
class MshrFile {
 public:
  using Waiting = std::vector<std::uint32_t>;  ///< numbers that the cache gives to waiting requests

  [[nodiscard]] std::size_t size() const { return lines_.size(); }

  /// The requests that wait for `line`; nullptr when it is not outstanding. Valid until the next
  /// change.
  [[nodiscard]] Waiting* find(std::uint64_t line) {
    const auto at = std::find(lines_.begin(), lines_.end(), line);
    return at == lines_.end() ? nullptr : &waiting_[static_cast<std::size_t>(at - lines_.begin())];
  }

  /// `line`, not outstanding so far, is; `first` waits for it.
  void add(std::uint64_t line, std::uint32_t first) {
    if (waiting_.size() == lines_.size()) waiting_.emplace_back();
    waiting_[lines_.size()].push_back(first);
    lines_.push_back(line);
  }

  /// `line`, outstanding, has come: moves the requests that wait for it to `waiting`.
  void take(std::uint64_t line, Waiting& waiting) {
    const auto at = std::find(lines_.begin(), lines_.end(), line);
    const auto index = static_cast<std::size_t>(at - lines_.begin());
    waiting.clear();
    waiting.swap(waiting_[index]);
    *at = lines_.back();
    lines_.pop_back();
    waiting_[index].swap(waiting_[lines_.size()]);
  }

 private:
  std::vector<std::uint64_t> lines_;
  std::vector<Waiting> waiting_;  ///< of the line with the same index; spares behind them
};

}  // namespace paws::memory
