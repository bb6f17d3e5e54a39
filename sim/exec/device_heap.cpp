// SPDX-License-Identifier: MIT
#include "sim/exec/device_heap.h"

#include <algorithm>
#include <iterator>

#include "sim/ir/kernel.h"

namespace paws {
namespace {

constexpr std::uint64_t kHeader = 16;
/// Of offset 0: behind the lock, and a gap.
constexpr std::uint64_t kFirst = ir::kHeapBase + 256;

}  // namespace

std::uint64_t DeviceHeap::take(std::uint64_t bytes) {
  ++count_;
  if (bytes > bytes_) return 0;
  const std::uint64_t needed = kHeader + (bytes + kHeader - 1) / kHeader * kHeader;
  const auto place = std::find_if(free_.begin(), free_.end(),
                                  [needed](const auto& each) { return each.second >= needed; });
  if (place == free_.end()) return 0;
  const auto [offset, room] = *place;
  free_.erase(place);
  if (room > needed) free_[offset + needed] = room - needed;
  taken_[offset] = needed;
  return kFirst + offset + kHeader;
}

bool DeviceHeap::give(std::uint64_t address) {
  const auto block = taken_.find(address - kFirst - kHeader);
  if (block == taken_.end()) return false;
  auto place = free_.insert(*block).first;
  taken_.erase(block);
  if (const auto next = std::next(place);
      next != free_.end() && place->first + place->second == next->first) {
    place->second += next->second;
    free_.erase(next);
  }
  if (place == free_.begin()) return true;
  const auto before = std::prev(place);
  if (before->first + before->second == place->first) {
    before->second += place->second;
    free_.erase(place);
  }
  return true;
}

bool DeviceHeap::holds(std::uint64_t address) {
  return address >= ir::kHeapBase && address - ir::kHeapBase < ir::kWindowBytes;
}

}  // namespace paws
