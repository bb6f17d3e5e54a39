// SPDX-License-Identifier: MIT
// Blocks on several host threads: the values are those of the blocks one after the other.
#include "sim/exec/side_by_side.h"

#include <array>
#include <atomic>
#include <cstring>

#include "sim/frontend/frontend.h"
#include "sim/support/error.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr std::uint32_t kBlocks = 64;
constexpr std::uint32_t kThreads = kBlocks * 32;

/// A kernel k(in, out) of 64 blocks of 32 threads with `body`, in which %rd0 is the address of the
/// thread's element of `in`, %rd1 that of `out`, %r0 the thread's number in the grid, %r1 the
/// block's, and %r2 to %r9, %rd2 to %rd5, %p0 are free.
class SideBySideTest : public ::testing::Test {
 protected:
  std::string run(const std::string& body, bool in_place = false, unsigned threads = 3) {
    const std::string text = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry k(.param .u64 in, .param .u64 out) {
  .reg .pred %p<2>; .reg .u32 %r<10>; .reg .u64 %rd<9>; .reg .u16 %h<3>;
  .shared .u32 sum;
  ld.param.u64 %rd6, [in];
  ld.param.u64 %rd7, [out];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %tid.x;
  mad.lo.u32 %r0, %r1, 32, %r2;
  mul.wide.u32 %rd8, %r0, 4;
  add.u64 %rd0, %rd6, %rd8;
  add.u64 %rd1, %rd7, %rd8;
)" + body + "\n  exit;\n}\n";
    module_ = frontend::compile_text(text, "test.ptx", {});
    const std::uint64_t in = memory_.allocate("in", bytes_);
    const std::uint64_t out = in_place ? in : memory_.allocate("out", bytes_);
    for (std::uint32_t i = 0; i < kThreads; ++i) at(in, i) = i;
    out_ = out;
    in_ = in;
    runner_.use_threads(threads, 0);
    return launch(module_.kernels.front());
  }
  std::string launch(const ir::Kernel& kernel) {
    KernelLaunch launch;
    launch.module = &module_;
    launch.kernel = &kernel;
    launch.shape = {.grid = {kBlocks, 1, 1}, .block = {32, 1, 1}};
    launch.params.resize(16);
    std::memcpy(launch.params.data(), &in_, 8);
    std::memcpy(launch.params.data() + 8, &out_, 8);
    try {
      runner_.run(launch, memory_);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }
  std::uint32_t& at(std::uint64_t buffer, std::uint32_t i) {
    return *reinterpret_cast<std::uint32_t*>(memory_.at(buffer + 4 * std::uint64_t{i}, 4));
  }
  std::uint32_t result(std::uint32_t i) { return at(out_, i); }

  std::uint64_t bytes_ = 8 * kThreads;
  FunctionalRunner runner_{1'000'000};
  DeviceMemory memory_;
  ir::Module module_;
  std::uint64_t in_ = 0, out_ = 0;
};

/// Of kernels whose blocks access one place. What their threads do is put back, but it is a race,
/// so that scripts/check threads leaves these out.
class SideBySideRaceTest : public SideBySideTest {};

TEST(SharedAccesses, WhatOneStoresNoOtherLoads) {
  for (const bool load_first : {true, false}) {
    std::array<std::byte, 8> bytes{};
    const DeviceMemory::Allocation one{"one", 4096, bytes.size(), bytes.data()};
    SharedAccesses::Room room;
    SharedAccesses shared(bytes.size(), room);
    shared.loads(one, 0);
    if (load_first) {
      EXPECT_THROW(shared.stores(one, 1), OrderMatters);
    } else {
      shared.stores(one, 0);  // the same thread may do both
      EXPECT_THROW(shared.loads(one, 1), OrderMatters);
    }
  }
}

TEST(SharedAccesses, PutsBackWhatWasThereBeforeTheFirstStore) {
  std::array<std::byte, 2> bytes{std::byte{1}, std::byte{2}};
  const DeviceMemory::Allocation one{"one", 4096, bytes.size(), bytes.data()};
  SharedAccesses::Room room;
  SharedAccesses shared(bytes.size(), room);
  shared.stores(one, 0);
  bytes[0] = std::byte{5};
  shared.stores(one, 1);
  bytes[1] = std::byte{6};
  shared.put_back();
  EXPECT_EQ(bytes, (std::array{std::byte{1}, std::byte{2}}));
  EXPECT_THROW(shared.stores({"two", 8192, bytes.size(), bytes.data()}, 0), OrderMatters);
}

TEST_F(SideBySideTest, AChangedCopyOfAKernelIsAnotherKernel) {
  ASSERT_EQ(run("add.u32 %r3, %r0, 7; st.global.u32 [%rd1], %r3;"), "");
  ASSERT_EQ(result(2), 9u);
  ir::Kernel copy = module_.kernels.front();
  for (ir::Instruction& in : copy.code) {
    if (in.op == ir::Op::add && in.type == ir::Type::u32) in.op = ir::Op::sub;
  }
  ASSERT_EQ(launch(copy), "");
  EXPECT_EQ(result(9), 2u);
  ASSERT_EQ(launch(module_.kernels.front()), "");
  EXPECT_EQ(result(9), 16u);
}

TEST_F(SideBySideTest, ManyKernels) {
  for (std::uint32_t i = 0; i < 300; ++i) {
    ASSERT_EQ(run("add.u32 %r3, %r0, " + std::to_string(i) + "; st.global.u32 [%rd1], %r3;"), "");
    ASSERT_EQ(result(3), i + 3);
  }
}

TEST_F(SideBySideTest, FromOneBufferToAnother) {
  EXPECT_EQ(run("ld.global.u32 %r3, [%rd0]; add.u32 %r3, %r3, 7; st.global.u32 [%rd1], %r3;"), "");
  EXPECT_EQ(runner_.side_by_side(), 1u);
  EXPECT_EQ(runner_.warp_instructions(), 12u * kBlocks);
  EXPECT_EQ(runner_.thread_instructions(), 12u * kThreads);
  for (std::uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(result(i), i + 7);
}

TEST_F(SideBySideTest, OneThreadIsNotBesideAnother) {
  EXPECT_EQ(run("st.global.u32 [%rd1], %r0;", false, 1), "");
  EXPECT_EQ(runner_.side_by_side(), 0u);
}

TEST_F(SideBySideRaceTest, ABlockMayReadWhatAnotherStores) {
  // Each element becomes one more than what that of the block before has become.
  EXPECT_EQ(run("setp.lt.u32 %p0, %r0, 32; @%p0 exit; ld.global.u32 %r3, [%rd0-128];"
                "add.u32 %r3, %r3, 1; st.global.u32 [%rd0], %r3;",
                true),
            "");
  EXPECT_EQ(runner_.side_by_side(), 0u);
  for (std::uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(result(i), i % 32 + i / 32);
}

TEST_F(SideBySideRaceTest, TheLastBlockThatStoresToAPlaceWins) {
  EXPECT_EQ(run("ld.param.u64 %rd2, [out]; mul.wide.u32 %rd3, %r2, 4; add.u64 %rd2, %rd2, %rd3;"
                "st.global.u32 [%rd2], %r1;"),
            "");
  EXPECT_EQ(runner_.side_by_side(), 0u);
  for (std::uint32_t i = 0; i < 32; ++i) EXPECT_EQ(result(i), kBlocks - 1);
}

TEST_F(SideBySideRaceTest, BothHalvesOfAWarpStore) {
  // The first, or the last, 16 threads of every second block store to the same places.
  for (const char* half : {"lt", "ge"}) {
    EXPECT_EQ(run(std::string("setp.") + half +
                  ".u32 %p0, %r2, 16; and.b32 %r5, %r1, 1; setp.ne.and.u32 %p0, %r5, 0, %p0;"
                  "and.b32 %r3, %r2, 15; add.u32 %r4, %r0, 32; selp.u32 %r3, %r2, %r4, %p0;"
                  "ld.param.u64 %rd2, [out]; mul.wide.u32 %rd3, %r3, 4; add.u64 %rd2, %rd2, %rd3;"
                  "st.global.u32 [%rd2], %r1;"),
              "");
    EXPECT_EQ(runner_.side_by_side(), 0u) << half;
    runner_ = FunctionalRunner();
  }
}

TEST_F(SideBySideTest, PlacesThatAreScattered) {
  EXPECT_EQ(run("xor.b32 %r3, %r0, 1365; ld.param.u64 %rd2, [out]; mul.wide.u32 %rd3, %r3, 4;"
                "add.u64 %rd2, %rd2, %rd3; st.global.u32 [%rd2], %r0;"),
            "");
  EXPECT_EQ(runner_.side_by_side(), 1u);
  for (std::uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(result(i), i ^ 1365u);
}

TEST_F(SideBySideRaceTest, BytesOfOneWordCountAsOnePlace) {
  EXPECT_EQ(run("setp.ne.u32 %p0, %r2, 0; @%p0 exit; ld.param.u64 %rd2, [out];"
                "cvt.u64.u32 %rd3, %r1; add.u64 %rd2, %rd2, %rd3; cvt.u16.u32 %h0, %r1;"
                "st.global.u8 [%rd2], %h0;"),
            "");
  EXPECT_EQ(runner_.side_by_side(), 0u);
  for (std::uint32_t i = 0; i < kBlocks; ++i) EXPECT_EQ(result(i / 4) >> (8 * (i % 4)) & 0xff, i);
}

TEST_F(SideBySideTest, AtomicsInSharedMemoryAreOfTheBlock) {
  EXPECT_EQ(run("mov.u32 %r3, 0; st.shared.u32 [sum], %r3; bar.sync 0;"
                "atom.shared.add.u32 %r4, [sum], %r2; bar.sync 0; ld.shared.u32 %r3, [sum];"
                "st.global.u32 [%rd1], %r3;"),
            "");
  EXPECT_EQ(runner_.side_by_side(), 1u);
  for (std::uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(result(i), 31u * 16);
}

TEST_F(SideBySideTest, AtomicsInGlobalMemoryComeInOrder) {
  EXPECT_EQ(run("ld.param.u64 %rd2, [in]; atom.global.exch.b32 %r3, [%rd2], %r0;"
                "st.global.u32 [%rd1], %r3;"),
            "");
  EXPECT_EQ(runner_.side_by_side(), 0u);
  for (std::uint32_t i = 1; i < kThreads; ++i) EXPECT_EQ(result(i), i - 1);
}

TEST_F(SideBySideTest, AKernelThatWaitsForAnotherBlockIsNotOne) {
  for (const char* load : {"ld.volatile.global.u32", "ld.global.cg.u32", "ld.acquire.gpu.u32"}) {
    EXPECT_EQ(run(std::string(load) + " %r3, [%rd0]; st.global.u32 [%rd1], %r3;"), "");
    EXPECT_EQ(runner_.side_by_side(), 0u) << load;
  }
}

TEST_F(SideBySideTest, TheFirstErrorIsThatOfTheFirstBlock) {
  const std::string error =
      run("st.global.u32 [%rd1], %r0; setp.lt.u32 %p0, %r1, 40; @%p0 exit;"
          "mov.u64 %rd2, 8; st.global.u32 [%rd2], %r0;");
  EXPECT_NE(error.find("block (40,0,0)"), std::string::npos) << error;
  EXPECT_EQ(runner_.side_by_side(), 0u);
  for (std::uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(result(i), i < 41 * 32 ? i : 0) << i;
}

TEST_F(SideBySideTest, TheLimitIsThatOfAllBlocks) {
  // 63 blocks of 11 instructions, and one of more than all of them.
  const std::string body =
      "st.global.u32 [%rd1], %r0; setp.lt.u32 %p0, %r1, 63; @%p0 exit; mov.u32 %r3, 0;"
      "L: add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 300000; @%p0 bra L;";
  const std::string error = run(body);
  EXPECT_EQ(error, "");
  EXPECT_EQ(runner_.side_by_side(), 1u);
  runner_ = FunctionalRunner(900'000);
  EXPECT_NE(run(body).find("block (63,0,0)"), std::string::npos);
}

TEST_F(SideBySideRaceTest, ABlockThatWaitsIsStopped) {
  // All blocks wait for what the first one stores after a while, which fails since they have looked
  // for it. Each asks once a turn whether it is to end; this one gives up after so many turns.
  std::atomic<unsigned> turns = 0;
  runner_ = FunctionalRunner(std::uint64_t{1} << 40, [&] { return ++turns > 100'000; });
  EXPECT_EQ(run("ld.param.u64 %rd2, [in]; setp.ne.u32 %p0, %r1, 0; @%p0 bra WAIT; mov.u32 %r3, 1;"
                "LATER: add.u32 %r3, %r3, 1; setp.lt.u32 %p0, %r3, 1000000; @%p0 bra LATER;"
                "st.global.u32 [%rd2], %r3; exit; WAIT: ld.global.u32 %r3, [%rd2];"
                "setp.eq.u32 %p0, %r3, 0; @%p0 bra WAIT; st.global.u32 [%rd1], %r3;"),
            "");
  EXPECT_EQ(runner_.side_by_side(), 0u);
  for (std::uint32_t i = 32; i < kThreads; ++i) EXPECT_EQ(result(i), 1'000'000u);
}

TEST_F(SideBySideTest, WhatIsTooLargeToBePutBackIsLeft) {
  bytes_ = 4u << 20;
  EXPECT_EQ(run("st.global.u32 [%rd1], %r0;"), "");
  EXPECT_EQ(runner_.side_by_side(), 0u);
  for (std::uint32_t i = 0; i < kThreads; ++i) EXPECT_EQ(result(i), i);
}

TEST_F(SideBySideTest, AnInterruptEndsAllThreads) {
  runner_ = FunctionalRunner(1'000'000, [] { return true; });
  EXPECT_THROW(run("st.global.u32 [%rd1], %r0;"), Interrupted);
}

}  // namespace
}  // namespace paws::exec
