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
    if (set[way].line == line && (set[way].valid || set[way].reserved)) return &set[way];
  }
  return nullptr;
}

inline TagArray::Entry* TagArray::find(std::uint64_t line) {
  return const_cast<Entry*>(std::as_const(*this).find(line));
}

bool TagArray::holds(std::uint64_t line) const {
  const Entry* entry = find(line);
  return entry != nullptr && entry->valid;
}

TagArray::Access TagArray::look(std::uint64_t line) const {
  Access access;
  access.result = Result::miss;
  if (const Entry* entry = find(line)) {
    access.result = entry->valid ? Result::hit : Result::pending;
    access.owner = entry->owner;
  }
  return access;
}

TagArray::Entry* TagArray::victim(std::uint64_t line, Access& access) {
  Entry* set = &entries_[set_of(line) * ways_];
  Entry* oldest = nullptr;
  for (unsigned way = 0; way < ways_; ++way) {
    Entry& entry = set[way];
    if (entry.reserved) continue;
    if (!entry.valid) return &entry;
    if (oldest == nullptr || entry.used < oldest->used) oldest = &entry;
  }
  if (oldest != nullptr) {
    access.replaced = true;
    access.dirty = oldest->dirty;
    access.owner = oldest->owner;
    access.victim = oldest->line;
  }
  return oldest;
}

inline TagArray::Access TagArray::touch(Entry& entry) {
  entry.used = ++clock_;
  Access access;
  access.owner = entry.owner;
  access.result = entry.valid ? Result::hit : Result::pending;
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

TagArray::Access TagArray::read(std::uint64_t line, std::uint64_t owner) {
  if (Entry* entry = find(line)) return touch(*entry);
  Entry reserved;
  reserved.owner = owner;
  reserved.reserved = true;
  return allocate(line, reserved);
}

TagArray::Access TagArray::write(std::uint64_t line, std::uint64_t owner) {
  if (Entry* entry = find(line)) {
    entry->dirty = true;
    return touch(*entry);
  }
  Entry written;
  written.owner = owner;
  written.valid = true;
  written.dirty = true;
  return allocate(line, written);
}

void TagArray::fill(std::uint64_t line) {
  if (Entry* entry = find(line)) {
    entry->valid = true;
    entry->reserved = false;
  }
}

std::optional<std::uint64_t> TagArray::evict(std::uint64_t line) {
  Entry* entry = find(line);
  if (entry == nullptr || !entry->valid) return std::nullopt;
  return std::exchange(*entry, Entry{}).owner;
}

void TagArray::mark_dirty(std::uint64_t line) {
  if (Entry* entry = find(line)) entry->dirty = true;
}

void TagArray::clear() { std::fill(entries_.begin(), entries_.end(), Entry{}); }

}  // namespace paws::memory
