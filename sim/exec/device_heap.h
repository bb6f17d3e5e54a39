// SPDX-License-Identifier: MIT
// The heap of malloc() and free() in kernels: which addresses are taken.
#pragma once

#include <cstdint>
#include <map>

namespace paws {

/// Blocks are aligned to 16 bytes, and 16 bytes that belong to nobody are in front of each. The
/// lowest place that is large enough is taken.
class DeviceHeap {
 public:
  /// cudaLimitMallocHeapSize until a program sets it ("CUDA C++ Programming Guide").
  static constexpr std::uint64_t kDefaultBytes = std::uint64_t{8} << 20;

  explicit DeviceHeap(std::uint64_t bytes = kDefaultBytes) : bytes_(bytes), free_{{0, bytes}} {}

  /// The address of a new block, or 0 when there is no room.
  std::uint64_t take(std::uint64_t bytes);
  /// Ends a block; false when none begins at `address`.
  bool give(std::uint64_t address);

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  /// Blocks that have ever been taken, or asked for in vain.
  [[nodiscard]] std::uint64_t count() const { return count_; }
  /// Whether the address is one of the heap, whether or not a block is there.
  [[nodiscard]] static bool holds(std::uint64_t address);

 private:
  std::uint64_t bytes_;
  std::uint64_t count_ = 0;
  // By offset, with their bytes; neighbours that are free are one.
  std::map<std::uint64_t, std::uint64_t> free_;
  std::map<std::uint64_t, std::uint64_t> taken_;
};

}  // namespace paws
