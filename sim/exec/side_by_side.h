// SPDX-License-Identifier: MIT
// Blocks of one launch on several host threads, where the values do not depend on their order.
//
// Every thread executes blocks in their order, so only what passes from one thread to another can
// depend on time. Nothing does if no allocation that a thread stores to is loaded from by another
// one, and no two threads store to the same place. Both are watched; if one of them happens, memory
// is put back, and the launch is executed block after block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

#include "sim/exec/device_memory.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

/// Thrown where blocks side by side might give other values, or would cost too much.
struct OrderMatters {};

/// Whether a kernel has nothing but loads, stores and atomics in shared memory by which blocks
/// could learn of each other.
bool may_run_side_by_side(const ir::Kernel& kernel);

/// What the threads do to allocations of global memory.
class SharedAccesses {
 public:
  static constexpr unsigned kMostThreads = 64;

  /// Room for what allocations hold, which one launch leaves to the next.
  using Room = std::vector<std::vector<std::byte>>;

  /// Of allocations that are stored to, together at most `most_bytes`; `room` outlives it.
  SharedAccesses(std::uint64_t most_bytes, Room& room) : bytes_left_(most_bytes), room_(room) {}

  /// The thread is going to load from it, or to store to it for the first time. Both throw
  /// OrderMatters.
  void loads(const DeviceMemory::Allocation& allocation, unsigned thread);
  void stores(const DeviceMemory::Allocation& allocation, unsigned thread);

  /// All allocations have what they had before the threads stored to them; none of them runs.
  void put_back() const;

 private:
  struct Entry {
    const DeviceMemory::Allocation* allocation;
    std::uint64_t loaders = 0, storers = 0;  ///< a bit for each thread
    std::size_t before = 0;                  ///< in room_, if there are storers
  };
  Entry& entry(const DeviceMemory::Allocation& allocation);

  std::mutex mutex_;
  std::vector<Entry> entries_;
  std::uint64_t bytes_left_;
  std::size_t saved_ = 0;  ///< used of room_
  Room& room_;
};

/// What one thread has done to global memory.
class ThreadAccesses {
 public:
  ThreadAccesses(SharedAccesses& shared, unsigned thread) : shared_(shared), thread_(thread) {}

  /// An access of `bytes` at `place` of the allocation. Throws OrderMatters, also for what is
  /// neither a load nor a store.
  void access(ir::Op op, const DeviceMemory::Allocation& allocation, std::uint64_t place,
              std::uint64_t bytes);
  void store(const DeviceMemory::Allocation& allocation, std::uint64_t place, std::uint64_t bytes);

  /// Whether both have stored to one place, or to one word of four bytes.
  [[nodiscard]] bool overlaps(const ThreadAccesses& other) const;

 private:
  struct Stored {
    const DeviceMemory::Allocation* allocation;
    std::vector<std::uint64_t> words;  ///< a bit for each word of four bytes
  };
  Stored& stored(const DeviceMemory::Allocation& allocation);

  SharedAccesses& shared_;
  unsigned thread_;
  std::vector<const DeviceMemory::Allocation*> loaded_;
  std::vector<Stored> stored_;
  std::size_t last_ = 0;  ///< in stored_, of the last store
};

/// Whether any two threads have.
bool any_overlap(const std::vector<ThreadAccesses>& accesses);

}  // namespace paws::exec
