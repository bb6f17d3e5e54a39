// SPDX-License-Identifier: MIT
// The GPU's global address space: named allocations with guard gaps between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/exec/device_heap.h"
#include "sim/ir/kernel.h"

namespace paws {

namespace exec {
class AccessErrors;
}

/// Where kernels print to is a part of it, as in CUDA. Every access outside an allocation is an
/// error of the kernel, never of the host.
class DeviceMemory {
 public:
  struct Allocation {
    std::string name;
    std::uint64_t address = 0;
    std::uint64_t bytes = 0;
    std::byte* data = nullptr;  ///< host storage, zero-initialised
  };

  /// Reserves `bytes` at a 256-byte aligned address, at least 4 KiB away from every other
  /// allocation. Addresses depend only on the order and sizes of the calls.
  std::uint64_t allocate(const std::string& name, std::uint64_t bytes);

  /// The same at an address that is given. False when something else lies there, or when it is not
  /// an address of global memory.
  bool allocate_at(std::uint64_t address, const std::string& name, std::uint64_t bytes);

  /// The address that allocate() would give `bytes` next; adopt() must follow with it.
  std::uint64_t reserve(const std::string& name, std::uint64_t bytes);

  /// Takes host memory that the caller keeps as an allocation: at an address that reserve() gave,
  /// or elsewhere in the generic address space where no window and no other allocation is.
  void adopt(const Allocation& allocation);

  /// Moves the bytes of the allocation at `address` to host memory that the caller keeps.
  void move(std::uint64_t address, std::byte* data);

  /// Ends an allocation that was adopted at `address`. What was there is known to released() until
  /// something else is.
  void release(std::uint64_t address);

  /// The ended allocation that held `address`, or nullptr.
  [[nodiscard]] const Allocation* released(std::uint64_t address) const;

  /// malloc of a kernel: the address, or 0 when the heap has no such room.
  std::uint64_t allocate_in_kernel(std::uint64_t bytes);
  /// free of a kernel; false when no block begins at `address`.
  bool free_in_kernel(std::uint64_t address);
  [[nodiscard]] DeviceHeap& heap() { return heap_; }
  /// Ends all blocks of the heap; none of a kernel may run.
  void clear_heap();

  /// Where accesses outside memory are counted; null: they are errors.
  void tolerate(exec::AccessErrors* errors) { errors_ = errors; }
  [[nodiscard]] exec::AccessErrors* tolerated() const { return errors_; }

  /// Module variables: global ones at their addresses (from ir::kGlobalBase), constant ones into
  /// the constant bank, which may move it in the host's memory. Called once per module, in the
  /// order in which they were laid out; no allocation lies where its global variables are laid out.
  void load(const ir::Module& module);

  /// The allocation that holds [address, address + bytes), or nullptr.
  [[nodiscard]] const Allocation* find(std::uint64_t address, std::uint64_t bytes) const;

  /// The allocation nearest below `address`, for messages; nullptr when there is none.
  [[nodiscard]] const Allocation* nearest(std::uint64_t address) const;

  /// Host pointer to [address, address + bytes), or nullptr when any byte is outside.
  [[nodiscard]] std::byte* at(std::uint64_t address, std::uint64_t bytes) const {
    const Allocation* hit = find(address, bytes);
    return hit ? hit->data + (address - hit->address) : nullptr;
  }

  /// All allocations, by address.
  [[nodiscard]] const std::map<std::uint64_t, Allocation>& allocations() const {
    return allocations_;
  }

  /// The first address behind module variables and reserved addresses: where the variables of a
  /// module that is loaded late may lie.
  [[nodiscard]] std::uint64_t next() const;

  /// Constant bank (module .const variables), addressed by offset.
  [[nodiscard]] std::byte* constant(std::uint64_t offset, std::uint64_t bytes) const;
  [[nodiscard]] std::uint64_t constant_bytes() const { return constant_bytes_; }

  /// Takes what kernels print, call by call, in the order in which the calls issue. Without it the
  /// text is dropped.
  void print_to(std::function<void(std::string_view)> output) { output_ = std::move(output); }
  void print(std::string_view text) const {
    if (output_) output_(text);
  }

 private:
  std::function<void(std::string_view)> output_;
  std::map<std::uint64_t, Allocation> allocations_;  // by address
  std::map<std::uint64_t, Allocation> released_;     // by address
  DeviceHeap heap_;
  std::map<std::uint64_t, std::unique_ptr<std::byte[]>> heap_storage_;  // by address
  /// Blocks that kernels have freed, without bytes: warps remember where they accessed last.
  std::map<std::uint64_t, Allocation> emptied_;
  exec::AccessErrors* errors_ = nullptr;
  std::vector<std::unique_ptr<std::byte[]>> storage_;
  std::unique_ptr<std::byte[]> constant_;
  std::uint64_t constant_bytes_ = 0;
  std::uint64_t next_ = 0;
};

}  // namespace paws
