// SPDX-License-Identifier: MIT
#include "sim/cuda/heap.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <iterator>

#include "sim/ir/kernel.h"
#include "sim/support/error.h"

namespace paws::cuda {
namespace {

/// Pinned and managed memory: far from programs, libraries and stacks, and from the windows of
/// shared and local memory.
constexpr std::uint64_t kHostBase = 0x2000'0000'0000;
constexpr std::uint64_t kPage = 4096;
constexpr std::uint64_t kAlign = 256;
/// Not more: a process with a random layout may have something of its own close by.
constexpr std::uint64_t kKeptAtOnce = std::uint64_t{1} << 30;

std::uint64_t pages(std::uint64_t bytes) { return (bytes + kPage - 1) / kPage * kPage; }

void* map(std::uint64_t at, std::uint64_t bytes, int protection, int flags) {
  void* got = mmap(pointer_to(at), bytes, protection,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | flags, -1, 0);
  return got == MAP_FAILED ? nullptr : got;
}

}  // namespace

Heap::Heap(DeviceMemory& memory, std::uint64_t total)
    : memory_(memory), total_(total), next_host_(kHostBase), kept_(ir::kGlobalBase) {
  if (keep_free(ir::kGlobalBase + kKeptAtOnce)) return;
  throw InputError(
      fmt::format("the process has memory of its own at 0x{:x}, where the device's addresses are; "
                  "`paws cuda` loads programs so that this does not happen",
                  kept_));
}

bool Heap::keep_free(std::uint64_t end) {
  while (kept_ < end) {
    if (map(kept_, kKeptAtOnce, PROT_NONE, MAP_FIXED_NOREPLACE) == nullptr) return false;
    kept_ += kKeptAtOnce;
  }
  return true;
}

std::uint64_t Heap::device_address(const std::string& name, std::uint64_t bytes) {
  // Before it is reserved: an address that cannot be had must not be used up.
  if (keep_free(memory_.next() + bytes)) return memory_.reserve(name, bytes);
  return lowest_gap(bytes);
}

std::uint64_t Heap::lowest_gap(std::uint64_t bytes) const {
  std::uint64_t address = ir::kGlobalBase;
  const auto& allocations = memory_.allocations();
  for (auto each = allocations.lower_bound(address); each != allocations.end(); ++each) {
    const DeviceMemory::Allocation& taken = each->second;
    if (address + bytes + kPage <= taken.address) break;
    address = (taken.address + taken.bytes + kPage + kAlign - 1) / kAlign * kAlign;
  }
  return address + bytes <= std::min(kept_, memory_.next()) ? address : 0;
}

bool Heap::gives(std::uint64_t address) const {
  return (address >= kHostBase && address < next_host_) ||
         (address >= ir::kGlobalBase && address < kept_);
}

bool Heap::on_device(std::uint64_t address) const {
  return address >= ir::kGlobalBase && address < memory_.next();
}

std::uint64_t Heap::allocate(MemoryKind kind, std::uint64_t bytes, const std::string& call,
                             unsigned flags) {
  Block block;
  block.kind = kind;
  block.bytes = bytes;
  block.flags = flags;
  block.mapped = pages(bytes);
  if (kind != MemoryKind::pinned) {
    if (bytes > free()) return 0;
    block.counted = bytes;
  }
  const std::string name = fmt::format("{} number {}", call, number_ + 1);
  const bool on_device = kind == MemoryKind::device || is_opaque(kind);
  if (on_device) {
    block.address = device_address(name, bytes);
    if (block.address == 0) return 0;
    block.data = static_cast<std::byte*>(map(0, block.mapped, PROT_READ | PROT_WRITE, 0));
  } else {
    block.address = next_host_;
    block.data = static_cast<std::byte*>(
        map(block.address, block.mapped, PROT_READ | PROT_WRITE, MAP_FIXED_NOREPLACE));
  }
  if (block.data == nullptr) return 0;
  // A page between two blocks, so that running over the end of one is an error.
  if (!on_device) next_host_ += block.mapped + kPage;
  ++number_;
  memory_.adopt({name, block.address, bytes, block.data});
  used_ += block.counted;
  blocks_[block.address] = block;
  return block.address;
}

bool Heap::take(MemoryKind kind, void* host, std::uint64_t bytes, const std::string& call,
                unsigned flags) {
  const auto address = reinterpret_cast<std::uint64_t>(host);
  const auto above = blocks_.lower_bound(address);
  if (above != blocks_.end() && above->first < address + bytes) return false;
  if (find(address) != nullptr) return false;
  const std::string name = fmt::format("{} number {}", call, ++number_);
  Block block;
  block.kind = kind;
  block.address = address;
  block.bytes = bytes;
  block.data = static_cast<std::byte*>(host);
  block.flags = flags;
  memory_.adopt({name, address, bytes, block.data});
  blocks_[address] = block;
  return true;
}

bool Heap::release(std::uint64_t address) {
  const auto found = blocks_.find(address);
  if (found == blocks_.end()) return false;
  const Block& block = found->second;
  memory_.release(address);
  if (block.mapped != 0) munmap(block.data, block.mapped);
  used_ -= block.counted;
  blocks_.erase(found);
  return true;
}

void Heap::clear() {
  while (!blocks_.empty()) release(blocks_.begin()->first);
}

const Heap::Block* Heap::find(std::uint64_t address) const {
  auto above = blocks_.upper_bound(address);
  if (above == blocks_.begin()) return nullptr;
  const Block& below = std::prev(above)->second;
  return address - below.address < below.bytes ? &below : nullptr;
}

}  // namespace paws::cuda
