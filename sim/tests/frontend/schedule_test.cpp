// SPDX-License-Identifier: MIT
#include "sim/frontend/schedule.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "sim/frontend/liveness.h"
#include "sim/tests/frontend/support.h"

namespace paws::frontend {
namespace {

std::vector<std::uint32_t> lines(const ir::Kernel& kernel) {
  std::vector<std::uint32_t> result;
  for (const ir::Instruction& instruction : kernel.code) result.push_back(instruction.line);
  return result;
}

FrontendOptions scheduled() {
  FrontendOptions options = as_written();
  options.schedule = true;
  return options;
}

/// Where the instruction of `line` is issued.
std::size_t place(const ir::Kernel& kernel, std::uint32_t line) {
  const auto all = lines(kernel);
  const auto hit = std::find(all.begin(), all.end(), line);
  EXPECT_NE(hit, all.end()) << "line " << line;
  return static_cast<std::size_t>(hit - all.begin());
}

TEST(Schedule, IssuesIndependentLoadsBeforeTheirReaders) {
  const ir::Kernel kernel = compile_kernel(
      "ld.global.f32 %f1, [%rd1];\n"  // line 8
      "add.f32 %f2, %f1, %f1;\n"
      "ld.global.f32 %f3, [%rd2];\n"
      "add.f32 %f4, %f3, %f2;\n"
      "st.global.f32 [%rd3], %f4;",
      scheduled());
  EXPECT_EQ(lines(kernel), (std::vector<std::uint32_t>{8, 10, 9, 11, 12, 12}));
}

TEST(Schedule, TextureFetchesAreEarlyAndSurfaceAccessesInOrder) {
  const ir::Kernel kernel = compile_kernel(
      "tex.1d.v4.f32.f32 {%f1,_,_,_}, [%rd1, {%f9}];\n"  // line 8
      "add.f32 %f2, %f1, %f1;\n"
      "sust.b.1d.b32.trap [%rd2, {%r1}], {%f2};\n"
      "suld.b.1d.b32.trap {%f4}, [%rd2, {%r2}];\n"       // may be the same place
      "tex.1d.v4.f32.f32 {%f3,_,_,_}, [%rd1, {%f8}];\n"  // nobody writes textures
      "add.f32 %f5, %f3, %f4;\n"
      "st.global.f32 [%rd3], %f5;",
      scheduled());
  EXPECT_LT(place(kernel, 12), place(kernel, 9));
  EXPECT_LT(place(kernel, 10), place(kernel, 11));
}

TEST(Schedule, LoadsDoNotPassStoresThatMayAlias) {
  const ir::Kernel kernel = compile_kernel(
      "mul.lo.s32 %r1, %r2, %r3;\n"  // line 8
      "st.global.u32 [%rd1], %r1;\n"
      "ld.global.u32 %r4, [%rd2];\n"     // may be the same address
      "ld.global.u32 %r5, [%rd1+4];\n"   // is another one
      "ld.shared.u32 %r6, [%rd1];\n"     // is another memory
      "ld.global.nc.u32 %r7, [%rd3];\n"  // no thread writes there
      "st.global.v4.u32 [%rd4], {%r4, %r5, %r6, %r7};",
      scheduled());
  EXPECT_LT(place(kernel, 9), place(kernel, 10));
  EXPECT_LT(place(kernel, 11), place(kernel, 9));
  EXPECT_LT(place(kernel, 12), place(kernel, 9));
  EXPECT_LT(place(kernel, 13), place(kernel, 9));
}

/// A lane's row has 16 bytes, and other lanes read it.
TEST(Schedule, MatrixLoadsDoNotPassStoresToTheirRows) {
  const ir::Kernel kernel = compile_kernel(
      "mul.lo.s32 %r1, %r2, %r3;\n"  // line 8
      "st.shared.u32 [%r4+12], %r1;\n"
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r5}, [%r4];\n"
      "st.global.u32 [%rd4], %r5;",
      scheduled());
  EXPECT_LT(place(kernel, 9), place(kernel, 10));
}

TEST(Schedule, AnAddressThatChangedInBetweenIsAnotherAddress) {
  const ir::Kernel kernel = compile_kernel(
      "mul.lo.s32 %r1, %r2, %r3;\n"  // line 8
      "st.global.u32 [%rd1], %r1;\n"
      "add.u64 %rd1, %rd1, -4;\n"
      "ld.global.u32 %r5, [%rd1+4];\n"  // the address of the store
      "st.global.u32 [%rd4], %r5;",
      scheduled());
  EXPECT_LT(place(kernel, 9), place(kernel, 11));
}

TEST(Schedule, NothingPassesBarriersFencesVolatileAccessesAndClocks) {
  for (const char* fence : {"bar.sync 0;", "membar.gl;", "fence.acq_rel.gpu;", "bar.warp.sync -1;",
                            "ld.volatile.global.u32 %r9, [%rd9];", "mov.u32 %r9, %clock;",
                            "ld.acquire.gpu.global.u32 %r9, [%rd9];", "nanosleep.u32 5;",
                            "atom.acq_rel.gpu.global.add.u32 %r9, [%rd9], 1;"}) {
    const ir::Kernel kernel =
        compile_kernel(std::string("mul.lo.s32 %r1, %r2, %r3;\n") +
                           "mul.lo.s32 %r1, %r1, %r1;\n"
                           "st.global.u32 [%rd1], %r1;\n" +
                           fence + "\nld.shared.u32 %r4, [%r8];\nst.global.u32 [%rd1+8], %r4;",
                       scheduled());
    EXPECT_LT(place(kernel, 10), place(kernel, 11)) << fence;
    EXPECT_LT(place(kernel, 11), place(kernel, 12)) << fence;
  }
}

TEST(Schedule, SavesRegistersBeyondTheLimit) {
  std::string body;
  for (int i = 0; i < 32; ++i) {
    const std::string n = std::to_string(i);
    body += "ld.global.u32 %r" + n + ", [%rd1+" + std::to_string(4 * i) + "];\n";
    body += "st.shared.u32 [%r98+" + std::to_string(4 * i) + "], %r" + n + ";\n";
  }
  FrontendOptions options = scheduled();
  options.pressure_limit = 1000;
  const unsigned free = compile_kernel(body, options).registers_per_thread;
  options.pressure_limit = 8;
  const unsigned limited = compile_kernel(body, options).registers_per_thread;
  EXPECT_GE(free, 32u);
  EXPECT_LE(limited, 10u);
}

class RandomSchedule : public testing::TestWithParam<unsigned> {};

TEST_P(RandomSchedule, ComputesTheSame) {
  const std::uint64_t seed = seed_or(1000 + GetParam());
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed));
  RandomProgram random(seed);
  const Program before = random.straight_line(60);
  Program after = before;
  ScheduleOptions options;
  options.pressure_limit = random.pick(2) == 0 ? 4 : 64;
  schedule(after, options);
  ASSERT_EQ(after.blocks[0].code.size(), before.blocks[0].code.size());
  for (std::uint64_t data = 0; data < 20; ++data) {
    Interpreter expected(before, data), actual(after, data);
    for (std::size_t r = 0; r < expected.registers().size(); ++r) {
      // Few addresses, so that accesses often meet.
      expected.registers()[r] = actual.registers()[r] = 4 * random.pick(6) + random.pick(2);
    }
    ASSERT_EQ(actual.run(1), expected.run(1));
    ASSERT_EQ(actual.registers(), expected.registers());
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomSchedule, testing::Range(0u, 200u));

TEST(RandomSchedules, ReorderAtAll) {
  unsigned changed = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    Program program = RandomProgram(seed).straight_line(60);
    schedule(program, {});
    const auto& code = program.blocks[0].code;
    changed += !std::is_sorted(code.begin(), code.end(),
                               [](const auto& a, const auto& b) { return a.line < b.line; });
  }
  EXPECT_EQ(changed, 20u);
}

TEST(Registers, EstimateIsTheLargestNumberLiveAtOnce) {
  // Before the last add: %rd1 (2), %r1, %r2, %r3, %fd1 (2); predicates take none.
  const ir::Kernel kernel = compile_kernel(
      "ld.param.u64 %rd1, [a];\n"
      "mov.u32 %r1, %tid.x;\nmov.u32 %r2, %tid.y;\nmov.u32 %r3, %tid.z;\n"
      "mov.f64 %fd1, 0d3FF0000000000000;\n"
      "setp.eq.s32 %p1, %r1, %r2;\n"
      "@%p1 add.s32 %r1, %r2, %r3;\n"
      "st.global.u32 [%rd1], %r1;\n st.global.f64 [%rd1+8], %fd1;");
  EXPECT_EQ(kernel.registers_per_thread, 7u);
}

TEST(Registers, CanBeOverriddenAndHonourMaxnreg) {
  FrontendOptions options;
  EXPECT_EQ(compile_kernel("exit;", options).registers_per_thread, options.reserved_registers);
  options.registers_per_thread = 40;
  EXPECT_EQ(compile_kernel("exit;", options).registers_per_thread, 40u);
  const std::string text =
      ".version 7.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 a) .maxnreg 3\n{\n"
      ".reg .b64 %rd<9>;\nld.param.u64 %rd1, [a];\nld.global.u64 %rd2, [%rd1];\n"
      "ld.global.u64 %rd3, [%rd1+8];\nst.global.u64 [%rd2], %rd3;\nst.global.u64 [%rd1], %rd3;\n}";
  EXPECT_EQ(compile_text(text, "t.ptx").kernels.at(0).registers_per_thread, 3u);
}

/// A kernel that keeps `values` 32-bit registers alive, compiled under PTX directives.
ir::Kernel with_directives(const std::string& directives, unsigned values,
                           const FrontendOptions& options = {}) {
  std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n.entry k(.param .u64 a) " +
                     directives +
                     "\n{\n.reg .b64 %rd<2>;\n.reg .b32 %r<99>;\nld.param.u64 %rd1, [a];\n";
  for (unsigned i = 0; i < values; ++i) {
    text += "ld.volatile.global.u32 %r" + std::to_string(i) + ", [%rd1];\n";
  }
  for (unsigned i = 0; i < values; ++i) {
    text += "st.volatile.global.u32 [%rd1], %r" + std::to_string(i) + ";\n";
  }
  return compile_text(text + "}", "t.ptx", options).kernels.at(0);
}

TEST(Registers, AreCappedSoThatOneBlockFits) {
  struct Case {
    const char* directives;
    unsigned launched;  ///< threads of a launch's block; 0: not known
    unsigned registers;
    const char* bound;
  };
  // 1,024 threads are 32 warps with 1,024 registers each, so 32 per thread. 30 values, an address
  // and 2 reserved registers take 34.
  for (const auto& [directives, launched, registers, bound] :
       {Case{"", 0, 34, ""}, Case{"", 1024, 32, "block size"}, Case{"", 993, 32, "block size"},
        Case{"", 512, 34, ""}, Case{".maxntid 1024", 0, 32, "block size"},
        Case{".reqntid 32, 32", 0, 32, "block size"},
        Case{".maxntid 512", 1024, 34, ""},                          // such a launch is refused
        Case{".maxntid 1024 .minnctapersm 2", 0, 32, "block size"},  // 2,048 threads fit no core
        Case{".maxntid 512 .minnctapersm 3", 0, 20, ".minnctapersm"},
        Case{".maxnreg 16", 1024, 16, ".maxnreg"}, Case{".maxnreg 33", 1024, 32, "block size"}}) {
    FrontendOptions options;
    options.launched_threads = [threads = launched](const std::string& kernel) {
      EXPECT_EQ(kernel, "k");
      return threads;
    };
    const ir::Kernel kernel = with_directives(directives, 30, options);
    EXPECT_EQ(kernel.registers_per_thread, registers) << directives << " " << launched;
    EXPECT_EQ(kernel.registers_per_thread + kernel.spilled_registers, 34U) << directives;
    EXPECT_EQ(kernel.register_bound, bound) << directives << " " << launched;
  }
}

TEST(Registers, OfALargeBlockAreSavedBeforeAnyIsSpilled) {
  // Loads first, to hide their latency, holds 40 values at once; load by load holds one.
  std::string body = "ld.param.u64 %rd1, [a];\n";
  for (unsigned i = 0; i < 40; ++i) {
    body += fmt::format("ld.global.u32 %r{0}, [%rd1+{1}];\nadd.u32 %r{0}, %r{0}, 1;\n", i, 4 * i);
    body += fmt::format("st.shared.u32 [{}], %r{};\n", 4 * i, i);
  }
  FrontendOptions options;
  options.pressure_limit = 60;
  const unsigned hurried = compile_kernel(body, options).registers_per_thread;
  EXPECT_GT(hurried, 32U);
  options.launched_threads = [](const std::string&) { return 1024U; };
  const ir::Kernel saving = compile_kernel(body, options);
  EXPECT_LE(saving.registers_per_thread, 32U);
  EXPECT_EQ(saving.spilled_registers, 0U);
}

TEST(Registers, AreCappedSoThatTheBlocksAskedForFit) {
  struct Case {
    const char* directives;
    unsigned registers;
  };
  // 32,768 registers in units of 64 per warp: 8 warps x 6 blocks leave 682, so 640, so 20 each.
  for (const auto& [directives, registers] :
       {Case{"", 34}, Case{".maxntid 256, 1, 1 .minnctapersm 6", 20},
        Case{".reqntid 16, 16, 1 .minnctapersm 5", 24}, Case{".maxntid 192 .minnctapersm 6", 28},
        Case{".maxntid 256 .minnctapersm 3", 34},  // 42 would fit: no need to save
        Case{".minnctapersm 6", 34},               // without the size of a block: ignored
        Case{".maxntid 256 .minnctapersm 7", 34},  // 1,792 threads fit no core: ignored
        Case{".maxntid 256 .minnctapersm 6 .maxnreg 16", 16}}) {
    const ir::Kernel kernel = with_directives(directives, 30);  // and an address, and 2 reserved
    EXPECT_EQ(kernel.registers_per_thread, registers) << directives;
    EXPECT_EQ(kernel.registers_per_thread + kernel.spilled_registers, 34U) << directives;
  }
}

TEST(Registers, EndAtWhatAnInstructionCanName) {
  const ir::Kernel kernel = with_directives("", 80);
  EXPECT_EQ(kernel.registers_per_thread, 63U);
  EXPECT_EQ(kernel.spilled_registers, 21U);
  EXPECT_EQ(kernel.register_bound, "core.thread_registers");
}

}  // namespace
}  // namespace paws::frontend
