// SPDX-License-Identifier: MIT
#include "sim/exec/device_memory.h"

#include <gtest/gtest.h>

#include "sim/support/error.h"

namespace paws {
namespace {

TEST(DeviceMemory, AllocationsAreAlignedApartAndZero) {
  DeviceMemory memory;
  const std::uint64_t a = memory.allocate("a", 100);
  const std::uint64_t b = memory.allocate("b", 5000);
  EXPECT_EQ(a % 256, 0u);
  EXPECT_EQ(b % 256, 0u);
  EXPECT_GE(b, a + 100 + 4096);
  for (int i = 0; i < 100; ++i) EXPECT_EQ(memory.at(a, 100)[i], std::byte{0});
}

TEST(DeviceMemory, AddressesDependOnOrderAndSizesOnly) {
  DeviceMemory one;
  DeviceMemory other;
  for (DeviceMemory* memory : {&one, &other}) {
    memory->allocate("a", 100);
    memory->allocate("b", 200);
  }
  EXPECT_EQ(one.allocate("c", 1), other.allocate("different", 1));
}

TEST(DeviceMemory, FindsWholeAccessesOnly) {
  DeviceMemory memory;
  const std::uint64_t a = memory.allocate("a", 100);
  EXPECT_NE(memory.at(a + 96, 4), nullptr);
  EXPECT_EQ(memory.at(a + 97, 4), nullptr);
  EXPECT_EQ(memory.at(a - 1, 1), nullptr);
  EXPECT_EQ(memory.at(~std::uint64_t{0}, 4), nullptr);
  EXPECT_EQ(memory.nearest(a + 5000)->name, "a");
  EXPECT_EQ(memory.nearest(a - 1), nullptr);
}

TEST(DeviceMemory, RefusesWhatTheAddressSpaceCannotHold) {
  DeviceMemory memory;
  EXPECT_THROW(memory.allocate("huge", std::uint64_t{1} << 48), InputError);
}

TEST(DeviceMemory, LoadsVariablesBeforeAllocations) {
  ir::Module module;
  module.global_bytes = 64;
  module.constant_bytes = 8;
  module.variables.push_back({"g", ir::Space::global, ir::kGlobalBase + 32, 4, {}});
  module.variables.push_back({"c", ir::Space::constant, 4, 2, {std::byte{7}, std::byte{8}}});
  DeviceMemory memory;
  memory.load(module);
  EXPECT_NE(memory.at(ir::kGlobalBase + 32, 4), nullptr);
  EXPECT_EQ(memory.at(ir::kGlobalBase, 4), nullptr);
  EXPECT_EQ(memory.constant(4, 2)[1], std::byte{8});
  EXPECT_EQ(memory.constant(7, 2), nullptr);
  EXPECT_GE(memory.allocate("a", 4), ir::kGlobalBase + 64 + 4096);
}

TEST(DeviceMemory, LoadsModulesSideBySide) {
  ir::Module first;
  first.global_bytes = 4;
  first.constant_bytes = 2;
  first.variables.push_back({"g", ir::Space::global, ir::kGlobalBase, 4, {}});
  first.variables.push_back({"c", ir::Space::constant, 0, 2, {std::byte{7}, std::byte{8}}});
  ir::Module second;
  second.global_bytes = 8196;
  second.constant_bytes = 258;
  second.variables.push_back({"g", ir::Space::global, ir::kGlobalBase + 8192, 4, {}});
  second.variables.push_back({"c", ir::Space::constant, 256, 2, {std::byte{9}, std::byte{10}}});
  DeviceMemory memory;
  memory.load(first);
  memory.load(second);
  EXPECT_NE(memory.at(ir::kGlobalBase, 4), nullptr);
  EXPECT_NE(memory.at(ir::kGlobalBase + 8192, 4), nullptr);
  EXPECT_EQ(memory.constant(0, 2)[1], std::byte{8});
  EXPECT_EQ(memory.constant(256, 2)[1], std::byte{10});
  EXPECT_GE(memory.allocate("a", 4), ir::kGlobalBase + 8196 + 4096);
}

TEST(DeviceMemory, AllocatesWhereItIsTold) {
  DeviceMemory memory;
  const std::uint64_t a = memory.allocate("a", 100);
  EXPECT_TRUE(memory.allocate_at(a + 4096, "b", 50));
  EXPECT_EQ(memory.find(a + 4096 + 49, 1)->name, "b");
  EXPECT_GE(memory.allocate("c", 1), a + 4096 + 50 + 4096);
  EXPECT_TRUE(memory.allocate_at(0x1000, "low", 16));
  // Over another one, in a window, at null, beyond the end.
  EXPECT_FALSE(memory.allocate_at(a + 99, "x", 1));
  EXPECT_FALSE(memory.allocate_at(a - 10, "x", 11));
  EXPECT_FALSE(memory.allocate_at(ir::kSharedWindow + 8, "x", 8));
  EXPECT_FALSE(memory.allocate_at(ir::kSharedWindow - 8, "x", 9));
  EXPECT_FALSE(memory.allocate_at(0, "x", 8));
  EXPECT_FALSE(memory.allocate_at(~std::uint64_t{0} - 100, "x", 8));
}

TEST(DeviceMemory, KnowsWhatHasBeenReleased) {
  DeviceMemory memory;
  std::byte bytes[64] = {};
  const std::uint64_t a = memory.reserve("a", 64);
  memory.adopt({"a", a, 64, bytes});
  EXPECT_EQ(memory.at(a + 63, 1), bytes + 63);
  EXPECT_EQ(memory.released(a), nullptr);
  memory.release(a);
  EXPECT_EQ(memory.at(a, 1), nullptr);
  EXPECT_EQ(memory.released(a + 63)->name, "a");
  EXPECT_EQ(memory.released(a + 64), nullptr);
  memory.adopt({"again", a, 64, bytes});
  EXPECT_EQ(memory.released(a), nullptr);
  EXPECT_GT(memory.reserve("b", 1), a + 64);
}

TEST(DeviceMemory, HasAHeapForKernels) {
  DeviceMemory memory;
  memory.heap() = DeviceHeap(1024);
  const std::uint64_t a = memory.allocate_in_kernel(100);
  const std::uint64_t b = memory.allocate_in_kernel(1);
  EXPECT_EQ(a % 16, 0u);
  EXPECT_EQ(b, a + 112 + 16) << "something lies between two blocks";
  EXPECT_EQ(memory.find(a + 99, 1)->name, "malloc number 1");
  EXPECT_EQ(memory.at(a + 100, 1), nullptr);
  EXPECT_EQ(memory.allocate_in_kernel(1024 - 112 - 16 - 32), 0u) << "its own 16 bytes are missing";
  const std::uint64_t c = memory.allocate_in_kernel(1024 - 112 - 16 - 32 - 16);
  EXPECT_EQ(c, b + 16 + 16);
  EXPECT_EQ(memory.allocate_in_kernel(0), 0u);
  // A warp may remember the block that it accessed last.
  const DeviceMemory::Allocation* const kept = memory.find(b, 1);
  EXPECT_FALSE(memory.free_in_kernel(b + 1));
  EXPECT_TRUE(memory.free_in_kernel(b));
  EXPECT_FALSE(memory.free_in_kernel(b));
  EXPECT_EQ(kept->bytes, 0u);
  EXPECT_EQ(memory.at(b, 1), nullptr);
  EXPECT_EQ(memory.released(b)->bytes, 1u);
  EXPECT_EQ(memory.allocate_in_kernel(17), 0u);
  // Free neighbours are one place.
  EXPECT_TRUE(memory.free_in_kernel(a));
  const std::uint64_t d = memory.allocate_in_kernel(112 + 16 + 16);
  EXPECT_EQ(d, a);
  EXPECT_NE(memory.at(b, 1), nullptr) << "of the block that is there now";
  EXPECT_EQ(memory.released(b), nullptr);
  EXPECT_TRUE(memory.free_in_kernel(c));
  EXPECT_TRUE(memory.free_in_kernel(d));
  EXPECT_EQ(memory.allocate_in_kernel(1024 - 16), a);
  memory.clear_heap();
  EXPECT_EQ(memory.at(a, 1), nullptr);
  EXPECT_EQ(memory.heap().bytes(), DeviceHeap::kDefaultBytes);
}

}  // namespace
}  // namespace paws
