// SPDX-License-Identifier: MIT
// Set-associative tags with LRU replacement, used by every cache. Lines are allocated on a miss and
// stay reserved until fill(). A line remembers its owner: who brought it. Its sectors come and are
// written each by itself; who has none of that leaves `sectors` out and means the whole line.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sim/memory/sectors.h"
#include "sim/support/divisor.h"

namespace paws::memory {

class TagArray {
 public:
  enum class Result : std::uint8_t {
    hit,              ///< valid
    pending,          ///< reserved: its fill is under way
    miss,             ///< now reserved; the caller fetches it, or the sectors of it that lack
    reservation_fail  ///< every way of the set is reserved
  };

  struct Access {
    Result result = Result::hit;
    bool replaced = false;         ///< a miss that evicts a valid line, `victim`
    bool dirty = false;            ///< the victim's data must be written back
    std::uint64_t owner = 0;       ///< of the line found (hit, pending) or of the victim
    std::uint64_t victim = 0;      ///< line address
    SectorMask fetch = 0;          ///< miss of read(): what the caller fetches
    SectorMask dirty_sectors = 0;  ///< of the victim

    /// The line to be written back, if any.
    [[nodiscard]] std::optional<std::uint64_t> writeback() const {
      return dirty ? std::optional(victim) : std::nullopt;
    }
  };

  /// `bytes` / (`ways` × line size) sets; need not be a power of two. `slices`: how many such
  /// arrays memory is dealt to (AddressMap), so that the lines of this one are spread over all its
  /// sets.
  TagArray(std::uint64_t bytes, unsigned ways, unsigned line_bytes, unsigned slices = 1);

  /// Whether `line` is valid. Changes nothing.
  [[nodiscard]] bool holds(std::uint64_t line, SectorMask sectors = kAllSectors) const;
  /// Which of `sectors` are neither valid nor on their way. Changes nothing.
  [[nodiscard]] SectorMask lacks(std::uint64_t line, SectorMask sectors) const;
  /// Whether a sector of `line` is on its way. Changes nothing.
  [[nodiscard]] bool coming(std::uint64_t line) const;
  /// What an access to `line` would find: hit, pending or miss. Changes nothing.
  [[nodiscard]] Access look(std::uint64_t line) const;
  /// Looks `line` up for reading and reserves it on a miss, for `owner`: any number by which the
  /// cache knows who brings the line.
  Access read(std::uint64_t line, std::uint64_t owner = 0, SectorMask sectors = kAllSectors);
  /// Writes into a line that needs no fetch: allocates it valid and dirty on a miss, for `owner`.
  Access write(std::uint64_t line, std::uint64_t owner = 0, SectorMask sectors = kAllSectors);
  /// The line's data has come.
  void fill(std::uint64_t line, SectorMask sectors = kAllSectors);
  /// Drops what is valid of the line (write-evict). Returns its owner if anything was.
  std::optional<std::uint64_t> evict(std::uint64_t line);
  /// Marks a line dirty that is valid or on its way.
  void mark_dirty(std::uint64_t line, SectorMask sectors = kAllSectors);
  void clear();

 private:
  struct Entry {
    std::uint64_t line = 0;
    std::uint64_t used = 0;
    std::uint64_t owner = 0;
    SectorMask valid = 0, reserved = 0, dirty = 0;  ///< reserved: on their way
  };
  Entry* find(std::uint64_t line);
  [[nodiscard]] const Entry* find(std::uint64_t line) const;
  Entry* victim(std::uint64_t line, Access& access);
  /// An access to `sectors` that has found `entry`.
  Access touch(Entry& entry, SectorMask sectors);
  /// One that has not found `line`: puts `allocated` in the place of a victim.
  Access allocate(std::uint64_t line, const Entry& allocated);
  [[nodiscard]] std::size_t set_of(std::uint64_t line) const;

  unsigned ways_;
  Divisor line_bytes_;
  Divisor slices_;
  Divisor sets_;
  std::uint64_t clock_ = 0;
  std::vector<Entry> entries_;
};

}  // namespace paws::memory
