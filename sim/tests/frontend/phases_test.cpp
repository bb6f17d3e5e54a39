// SPDX-License-Identifier: MIT
#include "sim/frontend/phases.h"

#include <gtest/gtest.h>

#include "sim/frontend/report.h"
#include "sim/tests/frontend/support.h"

namespace paws::frontend {
namespace {

std::vector<std::uint32_t> phase_starts(const ir::Kernel& kernel) {
  std::vector<std::uint32_t> result;
  for (const ir::Phase& phase : kernel.phases) result.push_back(phase.first);
  return result;
}

using Starts = std::vector<std::uint32_t>;

FrontendOptions with(PhaseRule rule) {
  FrontendOptions options = as_written();
  options.phases = rule;
  return options;
}

TEST(Phases, VectorAdditionHasTwoAsInFigure4) {
  const ir::Module module = compile_file(PAWS_TEST_DATA "/vectoradd.ptx");
  const ir::Kernel& kernel = module.kernels.at(0);
  ASSERT_EQ(kernel.phases.size(), 2u);
  const ir::Instruction& first = kernel.code.at(kernel.phases[1].first);
  EXPECT_EQ(first.op, ir::Op::add) << "phase 2 starts at the addition of the loaded values";
  EXPECT_EQ(first.type, ir::Type::f32);
  EXPECT_GT(kernel.phases[0].length, kernel.phases[1].length);
}

// The rule by hand: latencies move 1, load 1, store 1, f32 4, bra 1, exit 1.
const char* const kWorked =
    "ld.global.f32 %f1, [%rd1];\n"   // 0
    "ld.global.f32 %f2, [%rd2];\n"   // 1
    "add.f32 %f3, %f8, %f8;\n"       // 2 reads nothing loaded
    "add.f32 %f4, %f1, %f3;\n"       // 3 reads f1: cut, the set is empty
    "add.f32 %f5, %f2, %f4;\n"       // 4 f2 left the set at the cut: no cut
    "ld.global.f32 %f6, [%rd3];\n"   // 5
    "ld.shared.f32 %f7, [%rd4];\n"   // 6 not long
    "add.f32 %f7, %f7, %f7;\n"       // 7
    "st.global.f32 [%rd3], %f6;\n";  // 8 reads f6: cut

TEST(Phases, AWaitForAsynchronousCopiesBeginsOne) {
  const ir::Kernel kernel = compile_kernel(
      "cp.async.ca.shared.global [%r1], [%rd1], 4;\n"  // 0
      "cp.async.commit_group;\n"                       // 1
      "add.f32 %f3, %f8, %f8;\n"                       // 2
      "cp.async.wait_group 0;\n"                       // 3
      "add.f32 %f4, %f3, %f3;\n");
  EXPECT_EQ(phase_starts(kernel), (Starts{0, 3}));
}

TEST(Phases, AFetchFromATextureIsALongOperation) {
  const ir::Kernel kernel = compile_kernel(
      "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd1, {%f5,%f6}];\n"  // 0
      "suld.b.1d.b32.trap {%r1}, [%rd2, {%r2}];\n"                 // 1
      "txq.width.b32 %r3, [%rd1];\n"                               // 2 not long
      "add.u32 %r4, %r3, 1;\n"                                     // 3
      "add.f32 %f7, %f1, %f1;\n");                                 // 4 reads f1: cut
  EXPECT_EQ(phase_starts(kernel), (Starts{0, 4}));
  EXPECT_TRUE(kernel.code[0].long_op && kernel.code[1].long_op);
  EXPECT_FALSE(kernel.code[2].long_op);
}

TEST(Phases, WorkedExample) {
  const ir::Kernel kernel = compile_kernel(kWorked);
  EXPECT_EQ(phase_starts(kernel), (Starts{0, 3, 8}));
  EXPECT_EQ(kernel.phases[0].last, 2u);
  EXPECT_EQ(kernel.phases[0].length, 1u + 1 + 4);
  EXPECT_EQ(kernel.phases[1].length, 4u + 4 + 1 + 1 + 4);
  EXPECT_EQ(kernel.phases[2].length, 1u + 1);
  EXPECT_EQ(kernel.code[1].distance, 5u);
  EXPECT_EQ(kernel.code[2].distance, 4u);
  EXPECT_EQ(kernel.code[3].distance, 14u);
  EXPECT_EQ(kernel.code[8].phase, 2u);
  EXPECT_TRUE(kernel.code[5].long_op);
  EXPECT_FALSE(kernel.code[6].long_op);
}

TEST(Phases, SharedLoadsAreASwitch) {
  EXPECT_EQ(phase_starts(compile_kernel(kWorked, with({.shared_loads_long = true}))),
            (Starts{0, 3, 7}));
}

TEST(Phases, GuardsAddressesAndMergedDestinationsAreReads) {
  EXPECT_EQ(phase_starts(compile_kernel("ld.global.u64 %rd2, [%rd1]; ld.global.u32 %r1, [%rd2];")),
            (Starts{0, 1}));
  EXPECT_EQ(phase_starts(compile_kernel("ld.global.u32 %r1, [%rd1]; st.shared.u32 [%r1], 0;")),
            (Starts{0, 1}));
  EXPECT_EQ(phase_starts(compile_kernel("ld.global.u32 %r1, [%rd1]; setp.eq.u32 %p1, %r1, 0;\n"
                                        "@%p1 bra L; L: exit;")),
            (Starts{0, 1}));
}

TEST(Phases, AGuardIsARead) {
  // No load writes predicates today, but the rule does not depend on it.
  ir::Kernel kernel = compile_kernel("ld.global.u32 %r1, [%rd1]; mov.u32 %r2, 0;");
  kernel.code[1].guard = kernel.code[0].dst[0];
  assign_phases(kernel, {}, {});
  EXPECT_EQ(phase_starts(kernel), (Starts{0, 1}));
}

TEST(Phases, AnInstructionMayEndAPhaseAndStartTheNextSet) {
  // Pointer chasing: each load reads what the one before it loads.
  EXPECT_EQ(phase_starts(compile_kernel("ld.global.u64 %rd1, [%rd1]; ld.global.u64 %rd1, [%rd1];\n"
                                        "ld.global.u64 %rd1, [%rd1]; add.u64 %rd2, %rd1, 1;")),
            (Starts{0, 1, 2, 3}));
}

TEST(Phases, AtomicsCountWhenTheyReturnAValue) {
  EXPECT_EQ(
      phase_starts(compile_kernel("atom.global.add.u32 %r1, [%rd1], 1; add.u32 %r2, %r1, 1;")),
      (Starts{0, 1}));
  EXPECT_EQ(phase_starts(compile_kernel("red.global.add.u32 [%rd1], 1; add.u32 %r2, %r1, 1;")),
            (Starts{0}));
  EXPECT_EQ(phase_starts(compile_kernel("ld.param.u32 %r1, [n]; add.u32 %r2, %r1, 1;")),
            (Starts{0}));
}

const char* const kBlocks =
    "@%p1 bra L;\n"       // 0
    "mov.u32 %r1, 0;\n"   // 1
    "L: bar.sync 0;\n"    // 2
    "mov.u32 %r2, 0;\n";  // 3, 4: exit

TEST(Phases, CutsAtBlocksBarriersAndBranchesAreSwitches) {
  EXPECT_EQ(phase_starts(compile_kernel(kBlocks)), (Starts{0}));
  EXPECT_EQ(phase_starts(compile_kernel(kBlocks, with({.cut_at_blocks = true}))),
            (Starts{0, 1, 2}));
  EXPECT_EQ(phase_starts(compile_kernel(kBlocks, with({.cut_at_barriers = true}))), (Starts{0, 3}));
  EXPECT_EQ(phase_starts(compile_kernel(kBlocks, with({.cut_at_branches = true}))), (Starts{0, 1}));
}

TEST(Phases, LatenciesComeFromTheTable) {
  FrontendOptions options = as_written();
  options.latencies.f32 = 40;
  options.latencies.special = 100;
  const ir::Kernel kernel = compile_kernel(
      "add.f32 %f1, %f2, %f3; ex2.approx.f32 %f1, %f2; add.s32 %r1, %r2, %r3;\n"
      "add.f64 %fd1, %fd2, %fd3; div.rn.f32 %f1, %f2, %f3; rcp.approx.f32 %f1, %f2;",
      options);
  EXPECT_EQ(kernel.code[0].latency, 40);
  EXPECT_EQ(kernel.code[1].latency, 100);
  EXPECT_EQ(kernel.code[2].latency, LatencyTable{}.integer);
  EXPECT_EQ(kernel.code[3].latency, LatencyTable{}.f64);
  EXPECT_EQ(kernel.code[4].latency, LatencyTable{}.f32_div);
  EXPECT_EQ(kernel.code[5].latency, 100);
}

TEST(PhaseReport, SaysWhatTheKernelHas) {
  const ir::Kernel kernel = compile_kernel(kWorked);
  const nlohmann::json report = phase_report(kernel);
  EXPECT_EQ(report["kernel"], "k");
  EXPECT_EQ(report["instructions"], 10);
  EXPECT_EQ(report["longest"], 14);
  EXPECT_EQ(report["shortest"], 2);
  ASSERT_EQ(report["phases"].size(), 3u);
  const nlohmann::json expected = {{"phase", 2},       {"first", 3},      {"last", 7},
                                   {"first_line", 11}, {"last_line", 15}, {"instructions", 5},
                                   {"length", 14}};
  EXPECT_EQ(report["phases"][1], expected);
}

TEST(PhaseReport, TableHasARowPerPhaseAndPerInstruction) {
  const ir::Kernel kernel = compile_kernel(kWorked);
  const std::string brief = phase_table(kernel, false);
  EXPECT_NE(brief.find("k: 10 instructions, 3 phases, longest 14, shortest 2 cycles"),
            std::string::npos)
      << brief;
  EXPECT_NE(brief.find("    2           3-7         11-15            5     14"), std::string::npos)
      << brief;
  const std::string verbose = phase_table(kernel, true);
  EXPECT_NE(verbose.find("*ld.global.f32 %f6, [%rd3]"), std::string::npos) << verbose;
  EXPECT_NE(verbose.find(" ld.shared.f32 %f7, [%rd4]"), std::string::npos) << verbose;
}

}  // namespace
}  // namespace paws::frontend
