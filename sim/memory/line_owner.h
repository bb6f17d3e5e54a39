// SPDX-License-Identifier: MIT
// Which warp has brought a line into a cache, and how near the warp that finds it there is.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace paws::memory {

/// Whose line an access finds, as seen by the warp that accesses it.
enum class Locality : std::uint8_t {
  same_warp,     ///< its own
  same_block,    ///< of another warp of its block
  paired_block,  ///< of a warp of the block that is paired with its own
  other_block    ///< of any other warp, of this launch or another one
};
inline constexpr unsigned kLocalities = 4;

/// Counts by Locality.
using LocalityCounts = std::array<std::uint64_t, kLocalities>;

/// A warp as caches know it: whoever accesses a line, and the owner of one, which is the warp whose
/// access has brought it. Blocks are numbered through the whole run (docs/reference/statistics.md,
/// "Whose line"): the numbers of paired blocks differ in their last bit, those of others elsewhere.
/// A resident warp has one warp slot of its core.
class LineOwner {
 public:
  constexpr LineOwner() = default;
  constexpr LineOwner(std::uint64_t block, std::uint32_t warp_slot)
      : number_(block << kSlotBits | warp_slot) {}
  /// The one that number() has given.
  static constexpr LineOwner of(std::uint64_t number) {
    LineOwner owner;
    owner.number_ = number;
    return owner;
  }

  /// For the tags (TagArray::Access::owner).
  [[nodiscard]] constexpr std::uint64_t number() const { return number_; }
  [[nodiscard]] constexpr std::uint32_t warp_slot() const {
    return static_cast<std::uint32_t>(number_ & ((1U << kSlotBits) - 1));
  }
  /// Whose the line of `owner` is for this warp.
  [[nodiscard]] constexpr Locality finds(LineOwner owner) const {
    const std::uint64_t other = number_ ^ owner.number_;
    const std::uint64_t other_block = other >> kSlotBits;
    return static_cast<Locality>((other != 0 ? 1 : 0) + (other_block != 0 ? 1 : 0) +
                                 (other_block > 1 ? 1 : 0));
  }
  bool operator==(const LineOwner&) const = default;

 private:
  static constexpr unsigned kSlotBits = 8;  ///< core.warps is 128 at most

  std::uint64_t number_ = 0;
};

/// The access of `user` has found a line whose tag names the owner with number `owner`.
constexpr void count(LocalityCounts& counts, LineOwner user, std::uint64_t owner) {
  ++counts[static_cast<std::size_t>(user.finds(LineOwner::of(owner)))];
}

}  // namespace paws::memory
