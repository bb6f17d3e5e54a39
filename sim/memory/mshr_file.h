// SPDX-License-Identifier: MIT
// Miss status holding registers: the outstanding requests of a cache and who waits for each line.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <vector>

namespace paws::memory {

/// A few dozen entries, looked through from the start, as the hardware compares all at once. Their
/// storage is kept, so that a miss allocates nothing. An entry is of a line, for which several
/// requests may wait, or of one request that no other can join (one that passes the cache by).
class MshrFile {
 public:
  using Waiting = std::vector<std::uint32_t>;  ///< numbers that the cache gives to waiting requests
  static constexpr unsigned kNoLimit = std::numeric_limits<unsigned>::max();

  /// `entries` in all, each of which serves at most `merges` requests, the first one included. The
  /// bounds are told (full(), join()), not enforced by add() and add_single().
  explicit MshrFile(unsigned entries = kNoLimit, unsigned merges = kNoLimit)
      : entries_(entries), merges_(merges) {}

  /// Entries in use, and of these the lines.
  [[nodiscard]] std::size_t size() const { return lines_.size() + singles_; }
  [[nodiscard]] std::size_t lines() const { return lines_.size(); }
  [[nodiscard]] bool full() const { return size() >= entries_; }
  /// Whether an entry would be left if one more were taken.
  [[nodiscard]] bool has_spare() const { return size() + 1 < entries_; }

  /// The requests that wait for `line`; nullptr when it is not outstanding. Valid until the next
  /// change.
  [[nodiscard]] Waiting* find(std::uint64_t line) {
    if (!may_have(line)) return nullptr;
    const auto at = std::find(lines_.begin(), lines_.end(), line);
    return at == lines_.end() ? nullptr : &waiting_[static_cast<std::size_t>(at - lines_.begin())];
  }
  [[nodiscard]] bool outstanding(std::uint64_t line) const {
    return may_have(line) && std::find(lines_.begin(), lines_.end(), line) != lines_.end();
  }

  /// One more request waits among `waiting`, which find() gave. False, and nothing changes, when
  /// the entry serves no more.
  [[nodiscard]] bool join(Waiting& waiting, std::uint32_t request) const {
    if (waiting.size() >= merges_) return false;
    waiting.push_back(request);
    return true;
  }

  /// `line`, not outstanding so far, is; nobody waits for it yet.
  void add(std::uint64_t line) {
    if (waiting_.size() == lines_.size()) waiting_.emplace_back();
    lines_.push_back(line);
    ++near_[near(line)];
  }
  /// `line`, not outstanding so far, is; `first` waits for it.
  void add(std::uint64_t line, std::uint32_t first) {
    add(line);
    waiting_[lines_.size() - 1].push_back(first);
  }

  /// `line` has come: moves the requests that wait for it to `waiting`, in the order in which they
  /// began to wait; none if it is not outstanding.
  void take(std::uint64_t line, Waiting& waiting) {
    const auto at = std::find(lines_.begin(), lines_.end(), line);
    waiting.clear();
    if (at == lines_.end()) return;
    const auto index = static_cast<std::size_t>(at - lines_.begin());
    waiting.swap(waiting_[index]);
    --near_[near(line)];
    *at = lines_.back();
    lines_.pop_back();
    waiting_[index].swap(waiting_[lines_.size()]);
  }

  /// A request that no other can join takes an entry, and gives it back.
  void add_single() { ++singles_; }
  void take_single() { --singles_; }

 private:
  /// Most lines that are asked for are not outstanding: few of them share a count with one that is.
  static std::size_t near(std::uint64_t line) { return (line >> 7 ^ line >> 15) % kNear; }
  [[nodiscard]] bool may_have(std::uint64_t line) const { return near_[near(line)] != 0; }

  static constexpr std::size_t kNear = 256;

  unsigned entries_;
  unsigned merges_;
  std::size_t singles_ = 0;
  std::vector<std::uint64_t> lines_;
  std::array<std::uint32_t, kNear> near_{};  ///< lines_ of each remainder
  std::vector<Waiting> waiting_;  ///< of the line with the same index; spares behind them
};

}  // namespace paws::memory
