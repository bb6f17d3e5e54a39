// SPDX-License-Identifier: MIT
// Tags and MSHRs of one non-blocking cache: what a look-up finds, and who waits for what.
//
// The instruction cache, the L1 data cache and a slice of the L2 each hold one. They differ in what
// they do with the answer (statistics, requests, replies) and in what a fetch needs beyond an MSHR;
// how look-ups, merges and fills go together stands here once.
#pragma once

#include <cstdint>

#include "sim/memory/mshr_file.h"
#include "sim/memory/tag_array.h"

namespace paws::memory {

class NonBlockingCache {
 public:
  struct Geometry {
    std::uint64_t bytes = 0;
    unsigned ways = 1;
    unsigned line_bytes = 0;
    unsigned slices = 1;  ///< as TagArray's
    unsigned mshrs = 0;
    unsigned merges = MshrFile::kNoLimit;  ///< requests that an MSHR serves
    bool sectored = false;                 ///< a miss fetches sectors; else whole lines
  };

  enum class Result : std::uint8_t {
    hit,
    merged,  ///< the line is on its way: the request waits for it too
    miss,    ///< the caller fetches the line, of a sectored cache Access::fetch of it; the request
             ///< waits for all that is on its way of the line
    full,    ///< no MSHR or no merge is free, whatever may be fetched: nothing has changed
    no_way,  ///< every way of the set is reserved: nothing has changed
    held     ///< a miss that may not be fetched now: nothing has changed
  };

  struct Lookup {
    Result result = Result::hit;
    TagArray::Access tags;  ///< hit, merged and miss: what the tags said
  };

  explicit NonBlockingCache(const Geometry& geometry)
      : tags_(geometry.bytes, geometry.ways, geometry.line_bytes, geometry.slices),
        mshrs_(geometry.mshrs, geometry.merges),
        sectored_(geometry.sectored) {}

  /// Looks `line` up for `request` of `owner` (TagArray::read). `may_fetch()` says whether a miss
  /// could be fetched; it is asked when the line is not on its way and an MSHR is free. A hit needs
  /// neither. `sectors` of the line are asked for; a cache that is not sectored takes them for all.
  template <typename MayFetch>
  Lookup read(std::uint64_t line, std::uint32_t request, std::uint64_t owner, MayFetch&& may_fetch,
              SectorMask sectors = kAllSectors) {
    if (sectored_) return read_sectors(line, request, owner, may_fetch, sectors);
    if (MshrFile::Waiting* const waiting = mshrs_.find(line)) {
      if (!mshrs_.join(*waiting, request)) return {Result::full, {}};
      TagArray::Access found = tags_.look(line);
      found.result = TagArray::Result::pending;  // one that passes the tags by, too
      return {Result::merged, found};
    }
    const bool full = mshrs_.full();
    if ((full || !may_fetch()) && !tags_.holds(line)) {
      return {full ? Result::full : Result::held, {}};
    }
    const TagArray::Access found = tags_.read(line, owner);
    if (found.result == TagArray::Result::reservation_fail) return {Result::no_way, {}};
    if (found.result == TagArray::Result::hit) return {Result::hit, found};
    mshrs_.add(line, request);
    return {Result::miss, found};
  }

  /// The same of a request that must not wait: it needs no MSHR of those that count, no free merge
  /// and no way. A miss that finds no way is fetched past the tags. The result is hit, merged or
  /// miss.
  Lookup read_at_once(std::uint64_t line, std::uint32_t request, std::uint64_t owner,
                      SectorMask sectors) {
    if (!sectored_) sectors = kAllSectors;
    if (tags_.holds(line, sectors)) return {Result::hit, tags_.read(line, owner, sectors)};
    MshrFile::Waiting* const waiting = mshrs_.find(line);
    TagArray::Access found = tags_.read(line, owner, sectors);
    if (found.result == TagArray::Result::reservation_fail) found.result = TagArray::Result::miss;
    if (waiting != nullptr) {
      waiting->push_back(request);
    } else {
      mshrs_.add(line, request);
    }
    return {found.fetch != 0 ? Result::miss : Result::merged, found};
  }

  /// Takes in `line` for `owner` before anyone asks for it. True when the caller is to fetch it.
  /// False, and nothing has changed, when the line is there or on its way, when it would take the
  /// last MSHR, which stays for those who ask, or a way that is not free, or when it may not be
  /// fetched now.
  template <typename MayFetch>
  bool prefetch(std::uint64_t line, std::uint64_t owner, MayFetch&& may_fetch) {
    if (!mshrs_.has_spare() || expects(line)) return false;
    if (!may_fetch()) return false;
    if (tags_.read(line, owner).result == TagArray::Result::reservation_fail) return false;
    mshrs_.add(line);
    return true;
  }

  /// Whether the line is here or on its way.
  [[nodiscard]] bool expects(std::uint64_t line) const {
    return mshrs_.outstanding(line) || tags_.holds(line);
  }

  /// Writes into a line without fetching it (TagArray::write).
  TagArray::Access write(std::uint64_t line, std::uint64_t owner,
                         SectorMask sectors = kAllSectors) {
    return tags_.write(line, owner, sectored_ ? sectors : kAllSectors);
  }

  /// The line of a miss has come, or `sectors` of it: the requests that wait for it, in the order
  /// in which they began to wait; none while sectors are on their way. Valid until the next call.
  const MshrFile::Waiting& fill(std::uint64_t line, SectorMask sectors = kAllSectors) {
    tags_.fill(line, sectored_ ? sectors : kAllSectors);
    filled_.clear();
    if (!sectored_ || !tags_.coming(line)) mshrs_.take(line, filled_);
    return filled_;
  }

  [[nodiscard]] TagArray& tags() { return tags_; }
  [[nodiscard]] const TagArray& tags() const { return tags_; }
  [[nodiscard]] MshrFile& mshrs() { return mshrs_; }
  [[nodiscard]] const MshrFile& mshrs() const { return mshrs_; }

 private:
  /// read() of a sectored cache. An MSHR is of a line: it is done when no sector is on its way.
  template <typename MayFetch>
  Lookup read_sectors(std::uint64_t line, std::uint32_t request, std::uint64_t owner,
                      MayFetch&& may_fetch, SectorMask sectors) {
    if (tags_.holds(line, sectors)) return {Result::hit, tags_.read(line, owner, sectors)};
    MshrFile::Waiting* const waiting = mshrs_.find(line);
    if (waiting == nullptr && mshrs_.full()) return {Result::full, {}};
    if (tags_.lacks(line, sectors) != 0 && !may_fetch()) return {Result::held, {}};
    if (waiting != nullptr && !mshrs_.join(*waiting, request)) return {Result::full, {}};
    const TagArray::Access found = tags_.read(line, owner, sectors);
    if (found.result == TagArray::Result::reservation_fail) return {Result::no_way, {}};
    if (waiting == nullptr) mshrs_.add(line, request);
    return {found.fetch != 0 ? Result::miss : Result::merged, found};
  }

  TagArray tags_;
  MshrFile mshrs_;
  bool sectored_;
  MshrFile::Waiting filled_;  ///< storage of fill()
};

}  // namespace paws::memory
