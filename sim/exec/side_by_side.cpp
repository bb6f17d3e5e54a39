// SPDX-License-Identifier: MIT
#include "sim/exec/side_by_side.h"

#include <algorithm>
#include <cstring>

namespace paws::exec {
namespace {

constexpr std::uint64_t kWordBytes = 4;
constexpr std::uint64_t kBits = 64;

bool is_shared_only(const ir::Instruction& in) { return in.space == ir::Space::shared; }

bool reads_time(const ir::Instruction& in) {
  return std::any_of(in.src.begin(), in.src.end(), [](const ir::Operand& source) {
    return source.kind == ir::Operand::Kind::special && ir::is_clock(source.special);
  });
}

}  // namespace

bool may_run_side_by_side(const ir::Kernel& kernel) {
  return std::all_of(kernel.code.begin(), kernel.code.end(), [](const ir::Instruction& in) {
    switch (in.op) {
      case ir::Op::print:
      case ir::Op::image_query:
        return false;
      case ir::Op::ld:  // others may be waited for
        return is_shared_only(in) || (!in.volatile_access && !in.cache_global);
      case ir::Op::st:
      case ir::Op::prefetch:
      case ir::Op::ldmatrix:
      case ir::Op::stmatrix:
        return true;
      case ir::Op::atom:
      case ir::Op::red:
        return is_shared_only(in);
      default:
        return ir::facts(in.op).memory == ir::Memory::none && !reads_time(in);
    }
  });
}

SharedAccesses::Entry& SharedAccesses::entry(const DeviceMemory::Allocation& allocation) {
  const auto known = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return entry.allocation == &allocation;
  });
  return known != entries_.end() ? *known : entries_.emplace_back(Entry{&allocation});
}

void SharedAccesses::loads(const DeviceMemory::Allocation& allocation, unsigned thread) {
  const std::lock_guard<std::mutex> held(mutex_);
  Entry& its = entry(allocation);
  const std::uint64_t own = std::uint64_t{1} << thread;
  its.loaders |= own;
  if ((its.storers & ~own) != 0) throw OrderMatters();
}

void SharedAccesses::stores(const DeviceMemory::Allocation& allocation, unsigned thread) {
  const std::lock_guard<std::mutex> held(mutex_);
  Entry& its = entry(allocation);
  const std::uint64_t own = std::uint64_t{1} << thread;
  if ((its.loaders & ~own) != 0) throw OrderMatters();
  if (its.storers == 0) {
    if (allocation.bytes > bytes_left_) throw OrderMatters();
    bytes_left_ -= allocation.bytes;
    its.before = saved_++;
    if (room_.size() < saved_) room_.emplace_back();
    room_[its.before].assign(allocation.data, allocation.data + allocation.bytes);
  }
  its.storers |= own;
}

void SharedAccesses::put_back() const {
  for (const Entry& entry : entries_) {
    if (entry.storers == 0) continue;
    const std::vector<std::byte>& before = room_[entry.before];
    std::memcpy(entry.allocation->data, before.data(), before.size());
  }
}

void ThreadAccesses::access(ir::Op op, const DeviceMemory::Allocation& allocation,
                            std::uint64_t place, std::uint64_t bytes) {
  if (op == ir::Op::st) return store(allocation, place, bytes);
  if (op != ir::Op::ld) throw OrderMatters();
  if (std::find(loaded_.begin(), loaded_.end(), &allocation) != loaded_.end()) return;
  shared_.loads(allocation, thread_);
  loaded_.push_back(&allocation);
}

ThreadAccesses::Stored& ThreadAccesses::stored(const DeviceMemory::Allocation& allocation) {
  if (last_ < stored_.size() && stored_[last_].allocation == &allocation) return stored_[last_];
  const auto known = std::find_if(stored_.begin(), stored_.end(),
                                  [&](const Stored& one) { return one.allocation == &allocation; });
  last_ = static_cast<std::size_t>(known - stored_.begin());
  if (known != stored_.end()) return *known;
  shared_.stores(allocation, thread_);
  const std::uint64_t words = (allocation.bytes + kWordBytes - 1) / kWordBytes;
  return stored_.emplace_back(
      Stored{&allocation, std::vector<std::uint64_t>((words + kBits - 1) / kBits)});
}

void ThreadAccesses::store(const DeviceMemory::Allocation& allocation, std::uint64_t place,
                           std::uint64_t bytes) {
  std::vector<std::uint64_t>& words = stored(allocation).words;
  const std::uint64_t end = (place + bytes - 1) / kWordBytes + 1;
  for (std::uint64_t word = place / kWordBytes; word < end;) {
    const std::uint64_t bit = word % kBits;
    const std::uint64_t count = std::min(kBits - bit, end - word);
    words[word / kBits] |= (~std::uint64_t{0} >> (kBits - count)) << bit;
    word += count;
  }
}

bool ThreadAccesses::overlaps(const ThreadAccesses& other) const {
  for (const Stored& one : stored_) {
    for (const Stored& two : other.stored_) {
      if (one.allocation != two.allocation) continue;
      for (std::size_t i = 0; i < one.words.size(); ++i) {
        if ((one.words[i] & two.words[i]) != 0) return true;
      }
    }
  }
  return false;
}

bool any_overlap(const std::vector<ThreadAccesses>& accesses) {
  for (auto one = accesses.begin(); one != accesses.end(); ++one) {
    const auto meets = [&](const ThreadAccesses& other) { return other.overlaps(*one); };
    if (std::any_of(accesses.begin(), one, meets)) return true;
  }
  return false;
}

}  // namespace paws::exec
