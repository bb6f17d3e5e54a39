// SPDX-License-Identifier: MIT
// A queue of items that come nearly in the order in which they leave.
#pragma once

#include <cstddef>
#include <vector>

namespace paws::memory {

/// The least item leaves first, by operator<. An item that comes goes past those that leave after
/// it, one by one, so few of these make it faster than a heap. Items of the same rank leave in the
/// order in which they came.
template <typename T>
class NearlySorted {
 public:
  [[nodiscard]] bool empty() const { return first_ == items_.size(); }
  /// The least item; there must be one.
  [[nodiscard]] const T& front() const { return items_[first_]; }

  void push(const T& item) {
    items_.push_back(item);
    std::size_t at = items_.size() - 1;
    for (; at > first_ && item < items_[at - 1]; --at) items_[at] = items_[at - 1];
    items_[at] = item;
  }
  void pop() {
    ++first_;
    // The places of what has left are taken back when they are most of all.
    if (first_ < kKept || first_ * 2 < items_.size()) return;
    items_.erase(items_.begin(), items_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
  }

 private:
  static constexpr std::size_t kKept = 256;

  std::vector<T> items_;   ///< from first_ on in order
  std::size_t first_ = 0;  ///< items before it have left
};

}  // namespace paws::memory
