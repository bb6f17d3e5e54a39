// SPDX-License-Identifier: MIT
// Accesses to global memory whose values are moved later than their instruction issues.
//
// Cores that run side by side must not see each other's global memory before the order of their
// accesses is settled. An instruction that is deferred has its addresses, its active lanes and the
// data that it stores captured when it issues; perform() then does the access, once all accesses
// that come before it are done. Its destinations hold their old values until then. An instruction
// of several rows of a block is one access for each of them, in the order of the rows.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/exec/warp_executor.h"

namespace paws::exec {

class BlockRows;

/// One captured access.
struct DeferredAccess {
  std::uint64_t clock = 0;  ///< what execute() was given
  BlockRows* block = nullptr;
  std::uint32_t warp = 0;  ///< or row
  std::uint32_t pc = 0;
  LaneMask active = 0;
  std::uint32_t operands = 0;  ///< index of the first line of the captured operands
};

/// The accesses of one core in the order of their issue.
class DeferredAccesses {
 public:
  /// `late_arrivals`: arrivals that wait for copies are told (Outcome::arrivals) instead of done.
  explicit DeferredAccesses(bool late_arrivals = false) : late_arrivals_(late_arrivals) {}
  [[nodiscard]] bool late_arrivals() const { return late_arrivals_; }

  [[nodiscard]] bool empty() const { return accesses_.empty(); }
  [[nodiscard]] std::size_t size() const { return accesses_.size(); }
  [[nodiscard]] const DeferredAccess& operator[](std::size_t index) const {
    return accesses_[index];
  }

  /// Appends `access` with room for `bytes` of operands and returns where they go, valid until the
  /// next call, on a cache line boundary.
  std::byte* add(DeferredAccess access, std::size_t bytes) {
    access.operands = static_cast<std::uint32_t>(lines_.size());
    accesses_.push_back(access);
    lines_.resize(lines_.size() + (bytes + sizeof(Line) - 1) / sizeof(Line));
    return lines_[access.operands].data();
  }
  [[nodiscard]] std::byte* operands(const DeferredAccess& access) {
    return lines_[access.operands].data();
  }
  void clear() {
    accesses_.clear();
    lines_.clear();
  }

 private:
  struct alignas(64) Line : std::array<std::byte, 64> {
    Line() {}  // not zeroed: the caller that adds an access fills its operands
  };
  bool late_arrivals_;
  std::vector<DeferredAccess> accesses_;
  std::vector<Line> lines_;
};

/// Does access `index`. Throws InputError as the instruction would have done.
void perform(DeferredAccesses& accesses, std::size_t index);

}  // namespace paws::exec
