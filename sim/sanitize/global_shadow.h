// SPDX-License-Identifier: MIT
// The threads that last wrote and read each byte of global memory during one launch.
//
// Bytes that no access has told apart so far share a cell: the cells of a page are as wide as the
// narrowest access to it. Accesses are aligned, so every access covers whole cells. Of the warps
// that have read a cell since its last write two are kept.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/sanitize/barrier_clocks.h"

namespace paws::sanitize {

/// What a warp did in a row, without a barrier or a fence.
struct Stretch {
  static constexpr std::uint64_t kNever = ~std::uint64_t{0};
  std::uint64_t block = 0;           ///< index in the grid
  std::uint64_t published = kNever;  ///< blocks that acquire later know of it
  std::uint32_t period = 0;          ///< of the warp's clock
  std::uint32_t warp = 0;
};

/// One thread's access.
struct GlobalSite {
  std::uint32_t stretch = 0;  ///< number of the stretch; 0: there is no access
  std::uint32_t pc : 26 = 0;
  std::uint32_t strong : 1 = 0;  ///< atomic, volatile or the like: no race with others
  std::uint32_t lane : 5 = 0;
};

/// What an access meets in a cell: an access of another warp that is in no order with it.
struct Meeting {
  GlobalSite other;
  bool other_writes = false;
  std::uint64_t address = 0;  ///< of the cell
  unsigned bytes = 0;
};

class GlobalShadow {
 public:
  /// Whose access it is, and what comes before it.
  struct View {
    std::uint64_t block = 0;
    unsigned warp = 0;
    std::uint64_t acquired = 0;  ///< knows what has been published before
    const BarrierClocks& clocks;
  };
  struct Range {
    std::uint64_t address = 0;  ///< a multiple of `bytes`
    unsigned bytes = 0;         ///< at most 16
    unsigned element = 0;       ///< bytes of one element, at most 8
  };

  /// The number of a new stretch. Throws std::length_error behind the 2^32nd.
  std::uint32_t add(const Stretch& stretch);
  [[nodiscard]] Stretch& stretch(std::uint32_t number) { return stretches_[number]; }

  /// Each notes an access and adds what it meets to `met`. A write does not know values: whether
  /// two of them write the same is up to the caller.
  void read(GlobalSite by, const Range& range, const View& view, std::vector<Meeting>& met);
  void write(GlobalSite by, const Range& range, const View& view, std::vector<Meeting>& met);

 private:
  static constexpr std::uint64_t kPageBytes = 4096;
  struct Cell {
    GlobalSite writer;
    std::array<GlobalSite, 2> readers;
  };
  struct Page {
    unsigned shift = 0;  ///< cells of 1 << shift bytes
    std::vector<Cell> cells;
  };

  /// The cells of the range, and their width as a power of two.
  std::pair<std::span<Cell>, unsigned> cells(const Range& range);
  [[nodiscard]] bool same_warp(GlobalSite one, GlobalSite other) const;
  /// Whether nothing orders `first`, which may be none, before `by`.
  [[nodiscard]] bool apart(GlobalSite first, GlobalSite by, const View& view) const;
  void keep(Cell& cell, GlobalSite by, const View& view) const;

  std::vector<Stretch> stretches_{Stretch{}};
  std::unordered_map<std::uint64_t, Page> pages_;  // by address / kPageBytes
  Page* last_ = nullptr;
  std::uint64_t last_number_ = 0;
};

}  // namespace paws::sanitize
