// SPDX-License-Identifier: MIT
// Collects findings: one entry per PTX line and kind, whatever the number of occurrences; of races
// in global memory one per pair of lines.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include "sim/sanitize/finding.h"

namespace paws::sanitize {

/// The findings of one launch in one block slot, or of all slots together. The occurrence that is
/// kept is the first one of the lowest block, so that it does not depend on which slot or host
/// thread ran which block.
class FindingLog {
 public:
  /// Counts `count` occurrences in block `block`. True: the caller shall describe() this one.
  /// `other_line`: that of the finding's other side, if findings are to be told apart by it.
  bool note(Kind kind, std::uint32_t line, std::uint64_t block, std::uint64_t count,
            std::uint32_t other_line = 0);
  /// The finding of the last note(); its kind and count are filled in already.
  void describe(Finding finding);

  void merge(const FindingLog& other);
  /// Appends the entries to `report`; those of the same kernel, line and kind count further.
  void add_to(Report& report) const;

 private:
  struct Entry {
    std::uint64_t block = 0;
    Finding finding;
  };
  struct Key {
    std::uint32_t line = 0;
    Kind kind{};
    std::uint32_t other_line = 0;
    bool operator<(const Key& other) const {
      return std::tie(line, kind, other_line) < std::tie(other.line, other.kind, other.other_line);
    }
  };
  std::map<Key, Entry> entries_;
  Key last_{};
};

}  // namespace paws::sanitize
