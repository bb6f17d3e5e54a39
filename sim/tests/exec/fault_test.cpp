// SPDX-License-Identifier: MIT
// What a wrong kernel is told.
#include <functional>

#include "sim/exec/access_errors.h"
#include "sim/exec/testing/kernel_builder.h"
#include "sim/support/error.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {
namespace {

constexpr LaunchShape kWarp{{1, 1, 1}, {32, 1, 1}, 0};

/// Line 5 of the text is the first of the body.
std::string entry(const std::string& body) {
  return ".visible .entry k(.param .u64 p) { .reg .b32 %r<8>; .reg .b64 %l<8>; .reg .pred %p<4>; "
         ".shared .align 16 .b8 s[64]; .local .align 4 .b8 loc[8];\n"
         "mov.u32 %r0, %tid.x; ld.param.u64 %l0, [p]; mov.u64 %l1, s; mov.u64 %l2, loc;\n" +
         body + "\nst.shared.u32 [%l1], %r1; st.local.u32 [%l2], %r1; ret;\n}\n";
}

std::string error_of(const std::string& body, std::uint64_t bytes = 4096,
                     const LaunchShape& shape = kWarp) {
  PtxRun ptx(entry(body));
  ptx.buffer("a", 256);
  return ptx.run_error(shape, {ptx.buffer("b", bytes)});
}

TEST(Fault, GlobalPastTheEnd) {
  EXPECT_EQ(
      error_of("mad.wide.u32 %l3, %r0, 160, %l0; ld.global.u32 %r1, [%l3];", 4096),
      "test.ptx:6: kernel 'k', block (0,0,0), warp 0, lane 26, thread (26,0,0): 4-byte load at "
      "global address 0x7f0000003140: 64 bytes past the end of 'b' (4096 bytes)");
}

TEST(Fault, NamesBlockWarpAndThread) {
  const std::string message =
      error_of("mov.u32 %r2, %tid.y; setp.eq.u32 %p0, %r2, 3; @%p0 st.global.u32 [%l0+4096], %r0;",
               4096, {{2, 2, 1}, {16, 4, 1}, 0});
  EXPECT_NE(message.find("block (0,0,0), warp 1, lane 16, thread (0,3,0): 4-byte store"),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("0 bytes past the end of 'b' (4096 bytes)"), std::string::npos) << message;
}

TEST(Fault, EveryKind) {
  const auto contains = [](const std::string& body, const std::string& part) {
    const std::string message = error_of(body);
    EXPECT_NE(message.find(part), std::string::npos) << body << "\n" << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
    EXPECT_EQ(message.rfind("test.ptx:6: kernel 'k', block (0,0,0), warp 0", 0), 0u) << message;
  };
  contains("ld.global.u32 %r1, [%l0+2];", "not a multiple of 4");
  contains("ld.global.v4.u32 {%r1,%r2,%r3,%r4}, [%l0+8];", "not a multiple of 16");
  contains("ld.global.v2.u32 {%r1,%r2}, [%l0+4096];", "8-byte load");
  contains("ld.global.u64 %l2, [%l0+4092];", "not a multiple of 8");
  contains("mov.u64 %l3, 16; ld.global.u32 %r1, [%l3];", "below every allocation");
  contains("mov.u64 %l3, 16; ld.u32 %r1, [%l3];", "below every allocation");
  contains("ld.shared.u32 %r1, [%l1+64];", "the block has 64 bytes of shared memory");
  contains("ld.shared.u32 %r1, [%l1+-4];", "shared address 0xfffffffffffffffc");
  contains("ld.shared.u32 %r1, [%l1+2];", "not a multiple of 4");
  contains("setp.lt.u32 %p0, %r0, 9; @%p0 ld.shared.u32 %r1, [%l1+2];", "not a multiple of 4");
  contains("ld.local.u32 %r1, [%l2+8];", "a thread has 8 bytes of local memory");
  contains("cvta.shared.u64 %l3, %l1; st.u32 [%l3+64], %r0;", "shared address 0x40");
  contains("atom.global.add.u32 %r1, [%l0+4096], 1;", "4-byte atomic");
  contains("red.shared.add.u32 [%l1+128], 1;", "4-byte reduction");
  contains("mov.u64 %l3, 0x30000000000; st.u32 [%l3], %r0;", "constant memory is read-only");
  contains("mov.u64 %l3, 0x30000000000; ld.u32 %r1, [%l3];",
           "there are 0 bytes of constant memory");
  contains("mov.u64 %l3, 0x40000000000; st.u32 [%l3], %r0;", "parameter memory is read-only");
  contains("trap;", "trap");
  contains("mov.u32 %r1, 16; bar.sync %r1;", "barrier 16, a block has 0 to 15");
  contains("bar.sync 0, 64;", "a barrier of 64 threads");
  contains("bar.sync 0, 7;", "a barrier of 7 threads");
}

TEST(Fault, AccessesOutsideMayBeTolerated) {
  PtxRun ptx(
      entry("mad.wide.u32 %l3, %r0, 160, %l0; ld.global.u32 %r1, [%l3];\n"
            "st.global.u32 [%l0+4096], %r1; atom.global.add.u32 %r2, [%l3+4096], 1;\n"
            "ld.global.v2.u32 {%r3, %r4}, [%l0+4096]; ld.shared.u32 %r5, [%l1+4096];\n"
            "add.u32 %r2, %r2, %r3; add.u32 %r2, %r2, %r5; mad.wide.u32 %l4, %r0, 8, %l0;\n"
            "st.global.v2.u32 [%l4], {%r1, %r2};"));
  AccessErrors errors;
  ptx.memory().tolerate(&errors);
  const std::uint64_t b = ptx.buffer("b", 4096);
  for (std::uint32_t i = 0; i < 26; ++i) ptx.at<std::uint32_t>(b + 160 * i) = i + 1;
  ptx.run(kWarp, {b});
  for (std::uint32_t i = 0; i < 32; ++i) {
    EXPECT_EQ(ptx.at<std::uint32_t>(b + 8 * i), i < 26 ? i + 1 : 0) << i;
    EXPECT_EQ(ptx.at<std::uint32_t>(b + 8 * i + 4), 0u) << i;
  }
  // 6 and 64 accesses of a launch, which PtxRun executes three times.
  const std::vector<std::string> sentences = errors.sentences();
  ASSERT_EQ(sentences.size(), 3u);
  EXPECT_EQ(sentences[0],
            "test.ptx:6: warning: kernel 'k', block (0,0,0), warp 0, lane 26, thread (26,0,0): "
            "4-byte load at global address 0x7f0000002040: 64 bytes past the end of 'b' (4096 "
            "bytes); 18 accesses of this line were outside memory");
  EXPECT_NE(sentences[2].find("; 192 accesses of this line"), std::string::npos) << sentences[2];
  // Other mistakes stay errors.
  EXPECT_NE(ptx.run_error(kWarp, {b + 2}).find("not a multiple of 4"), std::string::npos);
}

TEST(Fault, InactiveLanesAreFree) {
  PtxRun ptx(entry(
      "setp.lt.u32 %p0, %r0, 4; mad.wide.u32 %l3, %r0, 4, %l0; @%p0 st.global.u32 [%l3], 9;"));
  const auto b = ptx.buffer("b", 16);
  ptx.run(kWarp, {b});
  EXPECT_EQ(ptx.at<std::uint32_t>(b + 12), 9u);
}

TEST(Fault, InstructionBound) {
  const std::string message =
      PtxRun(".visible .entry k() {\nloop: bra loop;\n}").run_error(kWarp, {}, 1000);
  EXPECT_NE(message.find("kernel 'k', block (0,0,0), warp 0, pc 0: not finished after 1000 "
                         "warp instructions (--max-instructions)"),
            std::string::npos)
      << message;
}

TEST(Fault, LaunchShape) {
  PtxRun ptx(entry(""));
  EXPECT_NE(
      ptx.run_error({{1, 1, 1}, {1025, 1, 1}, 0}, {0}).find("a block of 1025 threads; 1 to 1024"),
      std::string::npos);
  EXPECT_NE(ptx.run_error(kWarp, {}).find("takes 8 bytes of parameters, the launch gives 0"),
            std::string::npos);
}

TEST(Fault, RefusedAtDecode) {
  const auto refused =
      [](const std::function<void(testing::KernelBuilder&)>& build) -> std::string {
    testing::KernelBuilder b("bad");
    build(b);
    try {
      const Executable executable(b.build());
    } catch (const InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refused([](auto& b) {
              b.emit(ir::Op::sin, ir::Type::f64, {b.new_reg(ir::Type::f64)}, {testing::imm(0)});
              b.exit();
            }),
            "built.ptx:1: kernel 'bad': no execution for this combination of operation, types and "
            "modifiers");
  EXPECT_EQ(refused([](auto& b) {
              b.emit(ir::Op::add, ir::Type::u64, {b.new_reg(ir::Type::u32)},
                     {testing::imm(0), testing::imm(0)});
              b.exit();
            }),
            "built.ptx:1: kernel 'bad': register '%r0' does not fit the instruction's type");
  EXPECT_EQ(refused([](auto& b) { b.emit(ir::Op::nop, ir::Type::none); }),
            "built.ptx:1: kernel 'bad' runs over its last instruction");
  EXPECT_EQ(refused([](auto&) {}), "built.ptx: kernel 'bad' has no instructions");
  EXPECT_EQ(refused([](auto& b) {
              b.emit(ir::Op::add, ir::Type::u32, {b.new_reg(ir::Type::u32)}, {testing::imm(0)});
              b.exit();
            }),
            "built.ptx:1: kernel 'bad': source 1 is missing");
}

}  // namespace
}  // namespace paws::exec
