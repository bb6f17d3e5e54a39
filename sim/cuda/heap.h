// SPDX-License-Identifier: MIT
// The program's memory: what cudaMalloc() and its kin hand out.
//
// Device memory has addresses of its own, which the host must not touch: as on a GPU, a host access
// is a segmentation fault. Pinned and managed memory is plain memory of the process at a fixed
// place, so that kernels and host use the same addresses. No address is used twice as long as there
// are others (the device has about 1 TiB of them), so what uses freed memory is found. Addresses
// depend on the order and sizes of the calls alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "sim/exec/device_memory.h"

namespace paws::cuda {

/// The program's pointer for an address of the device or of the heap's host memory.
inline void* pointer_to(std::uint64_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses are what is given.
  return reinterpret_cast<void*>(address);
}

/// Arrays and the descriptors of texture and surface objects lie in the device's memory, and are
/// no memory to copies.
enum class MemoryKind : std::uint8_t { device, pinned, registered, managed, array, object };
inline bool is_opaque(MemoryKind kind) {
  return kind == MemoryKind::array || kind == MemoryKind::object;
}

class Heap {
 public:
  struct Block {
    MemoryKind kind = MemoryKind::device;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::byte* data = nullptr;  ///< in the process
    std::uint64_t mapped = 0;   ///< bytes to give back
    std::uint64_t counted = 0;  ///< against the device's memory
    unsigned flags = 0;         ///< as the program gave them
  };

  /// Keeps the device's address range free of anything else. Throws InputError if the process
  /// already has something there.
  /// `total`: bytes of the device's memory.
  Heap(DeviceMemory& memory, std::uint64_t total);

  /// A new block, 256-byte aligned, zeroed. Returns its address, or 0 when the device (or the host)
  /// has not so much memory left, or no addresses for it. `call` names it in messages:
  /// "cudaMalloc".
  std::uint64_t allocate(MemoryKind kind, std::uint64_t bytes, const std::string& call,
                         unsigned flags = 0);

  /// Lets kernels access host memory that the program has. False when some of it is known already.
  bool take(MemoryKind kind, void* host, std::uint64_t bytes, const std::string& call,
            unsigned flags = 0);

  /// Ends a block that begins at `address`. False when none does.
  bool release(std::uint64_t address);

  /// Ends all blocks.
  void clear();

  /// The block that holds `address`, or null; variables of modules are none.
  [[nodiscard]] const Block* find(std::uint64_t address) const;

  /// Whether the heap gives out addresses there: the program has nothing of its own at them.
  [[nodiscard]] bool gives(std::uint64_t address) const;

  /// Whether it is an address of the device's memory, where modules have variables, too.
  [[nodiscard]] bool on_device(std::uint64_t address) const;

  [[nodiscard]] std::uint64_t total() const { return total_; }
  [[nodiscard]] std::uint64_t free() const { return total_ - used_; }
  [[nodiscard]] const std::map<std::uint64_t, Block>& blocks() const { return blocks_; }

 private:
  /// Keeps addresses of the device up to `end` free of anything else; false when it cannot.
  bool keep_free(std::uint64_t end);
  /// 0: there is none.
  std::uint64_t device_address(const std::string& name, std::uint64_t bytes);
  [[nodiscard]] std::uint64_t lowest_gap(std::uint64_t bytes) const;

  DeviceMemory& memory_;
  std::uint64_t total_;
  std::map<std::uint64_t, Block> blocks_;  // by address
  std::uint64_t used_ = 0;
  std::uint64_t next_host_;
  std::uint64_t kept_;  // the device's addresses are kept free up to here
  std::uint64_t number_ = 0;
};

}  // namespace paws::cuda
