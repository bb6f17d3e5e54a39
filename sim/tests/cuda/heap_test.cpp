// SPDX-License-Identifier: MIT
#include "sim/cuda/heap.h"

#include <gtest/gtest.h>

#include "sim/ir/kernel.h"

namespace paws::cuda {
namespace {

constexpr std::uint64_t kBytes = std::uint64_t{6} << 30;

TEST(Heap, AddressesDependOnTheCallsAlone) {
  DeviceMemory memory;
  Heap heap(memory, kBytes);
  const std::uint64_t first = heap.allocate(MemoryKind::device, 1000, "cudaMalloc");
  EXPECT_EQ(first, ir::kGlobalBase);
  const std::uint64_t second = heap.allocate(MemoryKind::device, 10, "cudaMalloc");
  EXPECT_EQ(second % 256, 0U);
  EXPECT_GE(second, first + 1000 + 4096);
  const std::uint64_t pinned = heap.allocate(MemoryKind::pinned, 5000, "cudaMallocHost");
  EXPECT_EQ(pinned, 0x2000'0000'0000U);

  // Host and device use the same bytes.
  *reinterpret_cast<int*>(pinned) = 42;
  EXPECT_EQ(*reinterpret_cast<int*>(memory.at(pinned, 4)), 42);

  EXPECT_TRUE(heap.release(first));
  EXPECT_FALSE(heap.release(first));
  EXPECT_FALSE(heap.release(second + 1));
  EXPECT_EQ(memory.find(first, 1), nullptr);
  ASSERT_NE(memory.released(first + 999), nullptr);
  EXPECT_EQ(memory.released(first + 999)->name, "cudaMalloc number 1");
  EXPECT_EQ(memory.released(first + 1000), nullptr);
  // An address is not used again.
  EXPECT_GT(heap.allocate(MemoryKind::device, 8, "cudaMalloc"), second);
  heap.clear();
  EXPECT_EQ(heap.free(), heap.total());
}

TEST(Heap, VariablesOfAnySizeAreOnTheDevice) {
  DeviceMemory memory;
  const Heap heap(memory, kBytes);
  EXPECT_FALSE(heap.on_device(ir::kGlobalBase));
  // Longer than the addresses that the heap keeps free from the beginning.
  constexpr std::uint64_t kLong = std::uint64_t{3} << 30;
  const std::uint64_t variable = memory.reserve("variable", kLong);
  EXPECT_TRUE(heap.on_device(variable));
  EXPECT_TRUE(heap.on_device(variable + kLong - 1));
  EXPECT_FALSE(heap.on_device(variable - 1));
  EXPECT_FALSE(heap.on_device(memory.next()));
  EXPECT_FALSE(heap.on_device(reinterpret_cast<std::uint64_t>(&memory)));
}

TEST(Heap, ArraysTakeNoAddressesOfTheHost) {
  DeviceMemory memory;
  Heap heap(memory, kBytes);
  const std::uint64_t pinned = heap.allocate(MemoryKind::pinned, 8, "cudaMallocHost");
  const std::uint64_t array = heap.allocate(MemoryKind::array, 100000, "cudaMallocArray");
  EXPECT_EQ(array, ir::kGlobalBase);
  EXPECT_FALSE(heap.gives(pinned + 2 * 4096));
  EXPECT_EQ(heap.allocate(MemoryKind::pinned, 8, "cudaMallocHost"), pinned + 2 * 4096);
  heap.clear();
}

TEST(Heap, MemoryHasAnEnd) {
  DeviceMemory memory;
  Heap heap(memory, kBytes);
  EXPECT_EQ(heap.allocate(MemoryKind::device, heap.total() + 1, "cudaMalloc"), 0U);
  EXPECT_NE(heap.allocate(MemoryKind::managed, heap.total(), "cudaMallocManaged"), 0U);
  EXPECT_EQ(heap.allocate(MemoryKind::device, 1, "cudaMalloc"), 0U);
  EXPECT_NE(heap.allocate(MemoryKind::pinned, 1, "cudaMallocHost"), 0U);
  heap.clear();
}

TEST(Heap, AddressesAreUsedAgainWhenThereAreNoOthers) {
  DeviceMemory memory;
  Heap heap(memory, kBytes);
  constexpr std::uint64_t kLarge = std::uint64_t{4} << 30;
  const std::uint64_t first = heap.allocate(MemoryKind::device, 100, "cudaMalloc");
  std::uint64_t before = first;
  int again = 0;
  // More than the addresses below the process's own memory: 4 GiB each time.
  for (int i = 0; i < 400; ++i) {
    const std::uint64_t address = heap.allocate(MemoryKind::device, kLarge, "cudaMalloc");
    ASSERT_NE(address, 0U) << i;
    EXPECT_EQ(address % 256, 0U);
    EXPECT_GE(address, first + 100 + 4096);
    EXPECT_NE(memory.at(address, kLarge), nullptr);
    if (address <= before) ++again;
    before = address;
    EXPECT_TRUE(heap.release(address));
  }
  EXPECT_GT(again, 0);
  // Between blocks that are there, the lowest that is large enough.
  const std::uint64_t low = heap.allocate(MemoryKind::device, kLarge, "cudaMalloc");
  const std::uint64_t next =
      heap.allocate(MemoryKind::device, std::uint64_t{1} << 30, "cudaMalloc");
  EXPECT_GE(next, low + kLarge + 4096);
  EXPECT_NE(memory.at(next, 1), nullptr);
  heap.clear();
}

TEST(Heap, AFailureUsesNoAddressUp) {
  DeviceMemory memory;
  Heap heap(memory, kBytes);
  EXPECT_EQ(heap.allocate(MemoryKind::pinned, std::uint64_t{1} << 50, "cudaMallocHost"), 0U);
  EXPECT_EQ(heap.allocate(MemoryKind::pinned, 8, "cudaMallocHost"), 0x2000'0000'0000U);
  heap.clear();
}

TEST(Heap, HostMemoryIsTakenOnce) {
  DeviceMemory memory;
  Heap heap(memory, kBytes);
  int own[100] = {};
  EXPECT_TRUE(heap.take(MemoryKind::registered, own, sizeof(own), "cudaHostRegister"));
  EXPECT_FALSE(heap.take(MemoryKind::registered, own + 5, 8, "cudaHostRegister"));
  EXPECT_EQ(memory.at(reinterpret_cast<std::uint64_t>(own + 3), 4),
            reinterpret_cast<std::byte*>(own + 3));
  EXPECT_TRUE(heap.release(reinterpret_cast<std::uint64_t>(own)));
}

}  // namespace
}  // namespace paws::cuda
