// SPDX-License-Identifier: MIT
#include "sim/exec/device_memory.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

#include "sim/support/error.h"

namespace paws {
namespace {

constexpr std::uint64_t kAlign = 256;
constexpr std::uint64_t kGap = 4096;
/// Generic addresses of the windows end here; global ones must not reach around to them.
constexpr std::uint64_t kGlobalEnd = std::uint64_t{1} << 48;

std::uint64_t aligned_after(std::uint64_t end) {
  return (end + kGap + kAlign - 1) / kAlign * kAlign;
}

}  // namespace

std::uint64_t DeviceMemory::allocate(const std::string& name, std::uint64_t bytes) {
  if (next_ == 0) next_ = ir::kGlobalBase;
  if (bytes > kGlobalEnd - next_) {
    throw InputError("buffer '" + name + "' of " + std::to_string(bytes) +
                     " bytes does not fit the global address space");
  }
  const std::uint64_t address = next_;
  try {
    storage_.push_back(std::make_unique<std::byte[]>(bytes));
  } catch (const std::bad_alloc&) {
    throw InputError("buffer '" + name + "': the host has no " + std::to_string(bytes) +
                     " bytes of memory for it");
  }
  allocations_[address] = Allocation{name, address, bytes, storage_.back().get()};
  next_ = aligned_after(address + bytes);
  return address;
}

void DeviceMemory::load(const ir::Module& module) {
  auto constant = std::make_unique<std::byte[]>(module.constant_bytes);
  std::copy_n(constant_.get(), std::min(constant_bytes_, module.constant_bytes), constant.get());
  constant_ = std::move(constant);
  constant_bytes_ = module.constant_bytes;
  for (const ir::Variable& variable : module.variables) {
    std::byte* data = nullptr;
    if (variable.space == ir::Space::constant) {
      if (variable.address > constant_bytes_ ||
          variable.bytes > constant_bytes_ - variable.address) {
        throw InputError(module.file, "variable '" + variable.name +
                                          "' lies outside the module's constant memory");
      }
      data = constant_.get() + variable.address;
    } else if (variable.space == ir::Space::global) {
      storage_.push_back(std::make_unique<std::byte[]>(variable.bytes));
      data = storage_.back().get();
      allocations_[variable.address] =
          Allocation{variable.name, variable.address, variable.bytes, data};
    } else {
      continue;
    }
    if (!variable.initial.empty()) {
      std::memcpy(data, variable.initial.data(),
                  std::min<std::size_t>(variable.initial.size(), variable.bytes));
    }
  }
  next_ = aligned_after(ir::kGlobalBase + module.global_bytes);
}

const DeviceMemory::Allocation* DeviceMemory::find(std::uint64_t address,
                                                   std::uint64_t bytes) const {
  const Allocation* below = nearest(address);
  if (below == nullptr) return nullptr;
  const std::uint64_t offset = address - below->address;
  return offset <= below->bytes && bytes <= below->bytes - offset ? below : nullptr;
}

const DeviceMemory::Allocation* DeviceMemory::nearest(std::uint64_t address) const {
  auto above = allocations_.upper_bound(address);
  return above == allocations_.begin() ? nullptr : &std::prev(above)->second;
}

std::byte* DeviceMemory::constant(std::uint64_t offset, std::uint64_t bytes) const {
  return offset <= constant_bytes_ && bytes <= constant_bytes_ - offset ? constant_.get() + offset
                                                                        : nullptr;
}

}  // namespace paws
