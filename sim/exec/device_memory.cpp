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

std::uint64_t DeviceMemory::next() const { return next_ == 0 ? ir::kGlobalBase : next_; }

std::uint64_t DeviceMemory::reserve(const std::string& name, std::uint64_t bytes) {
  next_ = next();
  if (bytes > kGlobalEnd - next_) {
    throw InputError("buffer '" + name + "' of " + std::to_string(bytes) +
                     " bytes does not fit the global address space");
  }
  const std::uint64_t address = next_;
  next_ = aligned_after(address + bytes);
  return address;
}

std::uint64_t DeviceMemory::allocate(const std::string& name, std::uint64_t bytes) {
  const std::uint64_t address = reserve(name, bytes);
  try {
    storage_.push_back(std::make_unique<std::byte[]>(bytes));
  } catch (const std::bad_alloc&) {
    throw InputError("buffer '" + name + "': the host has no " + std::to_string(bytes) +
                     " bytes of memory for it");
  }
  allocations_[address] = Allocation{name, address, bytes, storage_.back().get()};
  return address;
}

bool DeviceMemory::allocate_at(std::uint64_t address, const std::string& name,
                               std::uint64_t bytes) {
  constexpr std::uint64_t kWindowsEnd = ir::kParamWindow + ir::kWindowBytes;
  if (address == 0 || address > kGlobalEnd || bytes > kGlobalEnd - address) return false;
  if (address < kWindowsEnd && address + bytes > ir::kSharedWindow) return false;
  const auto above = allocations_.lower_bound(address);
  if (above != allocations_.end() && above->first < address + bytes) return false;
  const Allocation* below = nearest(address);
  if (below != nullptr && address - below->address < below->bytes) return false;
  try {
    storage_.push_back(std::make_unique<std::byte[]>(bytes));
  } catch (const std::bad_alloc&) {
    throw InputError("buffer '" + name + "': the host has no " + std::to_string(bytes) +
                     " bytes of memory for it");
  }
  allocations_[address] = Allocation{name, address, bytes, storage_.back().get()};
  if (address >= ir::kGlobalBase) next_ = std::max(next(), aligned_after(address + bytes));
  return true;
}

void DeviceMemory::adopt(const Allocation& allocation) {
  allocations_[allocation.address] = allocation;
  const auto old = released_.lower_bound(allocation.address);
  const auto end = released_.lower_bound(allocation.address + allocation.bytes);
  released_.erase(old, end);
}

void DeviceMemory::move(std::uint64_t address, std::byte* data) {
  Allocation& allocation = allocations_.at(address);
  std::memcpy(data, allocation.data, allocation.bytes);
  allocation.data = data;
}

void DeviceMemory::release(std::uint64_t address) {
  auto node = allocations_.extract(address);
  node.mapped().data = nullptr;
  released_.insert(std::move(node));
}

const DeviceMemory::Allocation* DeviceMemory::released(std::uint64_t address) const {
  auto above = released_.upper_bound(address);
  if (above == released_.begin()) return nullptr;
  const Allocation& below = std::prev(above)->second;
  return address - below.address < below.bytes ? &below : nullptr;
}

std::uint64_t DeviceMemory::allocate_in_kernel(std::uint64_t bytes) {
  const std::uint64_t address = heap_.take(bytes);
  if (address == 0) return 0;
  if (auto node = emptied_.extract(address)) allocations_.insert(std::move(node));
  std::unique_ptr<std::byte[]>& data = heap_storage_[address];
  data = std::make_unique<std::byte[]>(bytes);
  adopt({"malloc number " + std::to_string(heap_.count()), address, bytes, data.get()});
  return address;
}

bool DeviceMemory::free_in_kernel(std::uint64_t address) {
  if (!heap_.give(address)) return false;
  auto node = allocations_.extract(address);
  Allocation& block = node.mapped();
  block.data = nullptr;
  released_[address] = block;
  block.bytes = 0;
  emptied_.insert(std::move(node));
  heap_storage_.erase(address);
  return true;
}

void DeviceMemory::clear_heap() {
  while (!heap_storage_.empty()) free_in_kernel(heap_storage_.begin()->first);
  emptied_.clear();
  heap_ = DeviceHeap();
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
  next_ = std::max(next_, aligned_after(ir::kGlobalBase + module.global_bytes));
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
