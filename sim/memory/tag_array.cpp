// SPDX-License-Identifier: MIT
#include "sim/memory/tag_array.h"

#include <algorithm>
#include <utility>

#include "sim/memory/address_map.h"

namespace paws::memory {

TagArray::TagArray(std::uint64_t bytes, unsigned ways, unsigned line_bytes, unsigned slices)
    : ways_(ways),
      line_bytes_(line_bytes),
      slices_(slices),
      // A cache of no bytes is never asked.
      sets_(std::max<std::uint64_t>(1, bytes / (std::uint64_t{ways} * line_bytes))) {
  entries_.resize(sets_.value() * ways_);
}

inline std::size_t TagArray::set_of(std::uint64_t line) const {
  // Power-of-two strides would otherwise meet in one set; hardware hashes the index as well.
  std::uint64_t index = line_bytes_.quotient(AddressMap::within(line, slices_));
  index ^= index >> 13 ^ index >> 7;
  return static_cast<std::size_t>(sets_.remainder(index));
}

inline const TagArray::Entry* TagArray::find(std::uint64_t line) const {
  const Entry* set = &entries_[set_of(line) * ways_];
  for (unsigned way = 0; way < ways_; ++way) {
    if (set[way].line == line && (set[way].valid | set[way].reserved) != 0) return &set[way];
  }
  return nullptr;
}

inline TagArray::Entry* TagArray::find(std::uint64_t line) {
  return const_cast<Entry*>(std::as_const(*this).find(line));
}

bool TagArray::holds(std::uint64_t line, SectorMask sectors) const {
  const Entry* entry = find(line);
  return entry != nullptr && covers(entry->valid, sectors);
}

SectorMask TagArray::lacks(std::uint64_t line, SectorMask sectors) const {
  const Entry* entry = find(line);
  if (entry == nullptr) return sectors;
  return static_cast<SectorMask>(sectors & ~(entry->valid | entry->reserved));
}

bool TagArray::coming(std::uint64_t line) const {
  const Entry* entry = find(line);
  return entry != nullptr && entry->reserved != 0;
}

TagArray::Access TagArray::look(std::uint64_t line) const {
  Access access;
  access.result = Result::miss;
  if (const Entry* entry = find(line)) {
    access.result = entry->reserved == 0 ? Result::hit : Result::pending;
    access.owner = entry->owner;
  }
  return access;
}

TagArray::Entry* TagArray::victim(std::uint64_t line, Access& access) {
  Entry* set = &entries_[set_of(line) * ways_];
  Entry* oldest = nullptr;
  for (unsigned way = 0; way < ways_; ++way) {
    Entry& entry = set[way];
    if (entry.reserved != 0) continue;
    if (entry.valid == 0) return &entry;
    if (oldest == nullptr || entry.used < oldest->used) oldest = &entry;
  }
  if (oldest != nullptr) {
    access.replaced = true;
    access.dirty = oldest->dirty != 0;
    access.dirty_sectors = oldest->dirty;
    access.owner = oldest->owner;
    access.victim = oldest->line;
  }
  return oldest;
}

inline TagArray::Access TagArray::touch(Entry& entry, SectorMask sectors) {
  entry.used = ++clock_;
  Access access;
  access.owner = entry.owner;
  access.result = (entry.reserved & sectors) == 0 ? Result::hit : Result::pending;
  return access;
}

TagArray::Access TagArray::allocate(std::uint64_t line, const Entry& allocated) {
  Access access;
  Entry* entry = victim(line, access);
  if (entry == nullptr) {
    access.result = Result::reservation_fail;
    return access;
  }
  *entry = allocated;
  entry->line = line;
  entry->used = ++clock_;
  access.result = Result::miss;
  return access;
}

TagArray::Access TagArray::read(std::uint64_t line, std::uint64_t owner, SectorMask sectors) {
  if (Entry* entry = find(line)) {
    Access access = touch(*entry, sectors);
    access.fetch = static_cast<SectorMask>(sectors & ~(entry->valid | entry->reserved));
    if (access.fetch != 0) access.result = Result::miss;
    entry->reserved |= access.fetch;
    return access;
  }
  Entry reserved;
  reserved.owner = owner;
  reserved.reserved = sectors;
  Access access = allocate(line, reserved);
  access.fetch = sectors;
  return access;
}

TagArray::Access TagArray::write(std::uint64_t line, std::uint64_t owner, SectorMask sectors) {
  if (Entry* entry = find(line)) {
    entry->dirty |= sectors;
    // What is on its way counts as there when it has come.
    entry->valid |= static_cast<SectorMask>(sectors & ~entry->reserved);
    return touch(*entry, sectors);
  }
  Entry written;
  written.owner = owner;
  written.valid = sectors;
  written.dirty = sectors;
  return allocate(line, written);
}

void TagArray::fill(std::uint64_t line, SectorMask sectors) {
  if (Entry* entry = find(line)) {
    entry->valid |= sectors;
    entry->reserved &= static_cast<SectorMask>(~sectors);
  }
}

std::optional<std::uint64_t> TagArray::evict(std::uint64_t line) {
  Entry* entry = find(line);
  if (entry == nullptr || entry->valid == 0) return std::nullopt;
  const std::uint64_t owner = entry->owner;
  if (entry->reserved == 0) {
    *entry = {};
  } else {
    entry->valid = entry->dirty = 0;
  }
  return owner;
}

void TagArray::mark_dirty(std::uint64_t line, SectorMask sectors) {
  if (Entry* entry = find(line)) entry->dirty |= sectors;
}

void TagArray::clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

}  // namespace paws::memory
