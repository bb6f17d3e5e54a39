// SPDX-License-Identifier: MIT
#include "sim/sass/traced_program.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "sim/exec/functional_runner.h"
#include "sim/ir/disassemble.h"
#include "sim/tests/sass/support.h"

namespace paws::sass {
namespace {

/// A load of 8 bytes, an instruction that needs its second half, a loop of two rounds, a store.
std::string loop_trace() {
  return trace_of({"0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 0",
                   "0010 ffffffff 1 R2 LDG.E.64.SYS 1 R4 8 1 0x1000 8 0",
                   "0020 ffffffff 1 R6 IADD3 2 R1 R255 0 0", "0030 ffffffff 1 R6 FADD 2 R6 R3 0 0",
                   "0040 ffffffff 0 ISETP.GE.AND 1 R6 0 0", "0050 0000ffff 0 BRA 0 0 0",
                   "0030 0000ffff 1 R6 FADD 2 R6 R3 0 0", "0040 0000ffff 0 ISETP.GE.AND 1 R6 0 0",
                   "0050 00000000 0 BRA 0 0 0", "0060 ffffffff 0 STG.E.SYS 2 R8 R6 4 1 0x2000 4 0",
                   "0070 ffffffff 0 EXIT 0 0 0"});
}

ir::Kernel kernel_of(const TemporaryFolder& folder, const std::string& text) {
  return TracedProgram(folder.write("t.traceg", text), {}, {}).module().kernels.at(0);
}

TEST(TracedProgram, PutsTheCodeTogether) {
  const TemporaryFolder folder;
  const ir::Kernel kernel = kernel_of(folder, loop_trace());
  EXPECT_EQ(kernel.name, "k");
  ASSERT_EQ(kernel.code.size(), 8U);
  EXPECT_EQ(ir::disassemble(kernel, 1), "0010 LDG.E.64.SYS R2, R4");
  EXPECT_EQ(kernel.code[3].line, 25U);
  EXPECT_EQ(kernel.registers_per_thread, 8U);
  // The branch has gone back to the FADD, so there is a loop around four instructions.
  EXPECT_EQ(kernel.code[5].target, 3U);
  EXPECT_EQ(kernel.code[3].block, 1U);
  EXPECT_EQ(kernel.code[2].block, 0U);
  EXPECT_EQ(kernel.code[6].block, 2U);
  EXPECT_TRUE(kernel.code[1].long_op);
}

// By hand: the FADD reads R3, the upper half of the LDG.E.64, and starts the second phase. The
// latencies are 1 for a move, 1 for the load's issue, 4 for IADD3, 4 for FADD, 4 for ISETP, and 1
// each for BRA, STG, EXIT.
TEST(TracedProgram, FindsThePhasesByTheSameRules) {
  const TemporaryFolder folder;
  const ir::Kernel kernel = kernel_of(folder, loop_trace());
  ASSERT_EQ(kernel.phases.size(), 2U);
  EXPECT_EQ(kernel.phases[0].first, 0U);
  EXPECT_EQ(kernel.phases[0].last, 2U);
  EXPECT_EQ(kernel.phases[0].length, 6U);
  EXPECT_EQ(kernel.phases[1].first, 3U);
  EXPECT_EQ(kernel.phases[1].last, 7U);
  EXPECT_EQ(kernel.phases[1].length, 11U);
}

TEST(TracedProgram, RegistersOfWideOperandsAreAllThere) {
  const TemporaryFolder folder;
  const ir::Kernel kernel = kernel_of(
      folder, trace_of({"0000 ffffffff 1 R8 LDG.E.128.SYS 1 R2 16 1 0x1000 16 0",
                        "0010 ffffffff 1 R4 DFMA 3 R8 R10 R4 0 0",
                        "0020 ffffffff 1 R7 FADD 2 R11 R255 0 0", "0030 ffffffff 0 EXIT 0 0 0"}));
  const auto names = [&](std::uint32_t pc, bool destinations) {
    std::vector<std::string> list;
    const ir::Instruction& in = kernel.code[pc];
    for (const ir::RegId reg : in.dst) {
      if (destinations && reg != ir::kNoReg) list.push_back(kernel.registers[reg].name);
    }
    for (const ir::Operand& one : in.src) {
      if (!destinations && one.kind == ir::Operand::Kind::reg) {
        list.push_back(kernel.registers[one.reg].name);
      }
    }
    return list;
  };
  // R8 and R9 are always named together; R11 is read alone as well.
  EXPECT_EQ(names(0, true), (std::vector<std::string>{"R8", "R10", "R11"}));
  EXPECT_EQ(names(0, false), (std::vector<std::string>{"R2"}));
  EXPECT_EQ(names(1, false), (std::vector<std::string>{"R8", "R10", "R11", "R4"}));
  EXPECT_EQ(names(2, false), (std::vector<std::string>{"R11"}));
  EXPECT_EQ(kernel.registers[kernel.code[0].dst[0]].type, ir::Type::b64);
  EXPECT_EQ(kernel.registers[kernel.code[0].dst[0]].machine, 8U);
  EXPECT_EQ(kernel.phases.size(), 2U) << "the DFMA reads what the load writes";
}

// The MOVs name every register alone, so that none is a half of a value of 64 bits.
TEST(TracedProgram, ProductsAndCopiesHaveTheRegistersOfTheirOperands) {
  const TemporaryFolder folder;
  std::vector<std::string> lines{"1 R4 HMMA.16816.F32 3 R8 R12 R4 0 0",
                                 "1 R4 HMMA.1688.F16 3 R8 R12 R255 0 0",
                                 "1 R4 DMMA.884 3 R8 R12 R4 0 0",
                                 "1 R16 DMMA.16x8x8 3 R24 R32 R16 0 0",
                                 "1 R4 HMMA.884.F32.F32.STEP0 3 R8 R12 R4 0 0",
                                 "1 R4 LDSM.16.M88.2 1 R8 16 1 0x0 16 0",
                                 "0 LDGSTS.E.BYPASS.128 2 R4 R8 16 1 0x1000 16 0",
                                 "0 STSM.16.M88.4 2 R4 R8 16 1 0x0 16 0"};
  for (int reg = 0; reg < 40; ++reg) {
    std::ostringstream line;
    line << "1 R" << reg << " MOV 0 0 0";
    lines.push_back(line.str());
  }
  lines.emplace_back("0 EXIT 0 0 0");
  std::ostringstream text;
  text << header_with() << "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = " << lines.size()
       << "\n";
  for (std::size_t i = 0; i < lines.size(); ++i) {
    text << std::hex << 16 * i << " ffffffff " << lines[i] << "\n";
  }
  const ir::Kernel kernel = kernel_of(folder, text.str() + "#END_TB\n");
  EXPECT_EQ(registers_at(kernel, 0), "R4 R5 R6 R7 <- R8 R9 R10 R11 R12 R13 R4 R5 R6 R7");
  EXPECT_EQ(registers_at(kernel, 1), "R4 R5 <- R8 R9 R12");
  EXPECT_EQ(registers_at(kernel, 2), "R4 R5 R6 R7 <- R8 R9 R12 R13 R4 R5 R6 R7");
  // Too many: the upper halves are left out.
  EXPECT_EQ(registers_at(kernel, 3), "R16 R18 R20 R22 <- R24 R26 R28 R30 R32 R34 R16 R18 R20 R22");
  EXPECT_EQ(registers_at(kernel, 4), "R4 R5 <- R8 R9 R12 R13 R4 R5");
  EXPECT_EQ(registers_at(kernel, 5), "R4 R5 <- R8");
  EXPECT_EQ(registers_at(kernel, 6), "<- R4 R8 R9");
  EXPECT_EQ(registers_at(kernel, 7), "<- R4 R8 R9 R10 R11");
}

// Without an immediate, as in traces of version 3, it waits for all groups. Without groups it waits
// for something that no trace holds.
TEST(TracedProgram, AWaitForCopiesLeavesAsManyGroupsAsTheImmediateSays) {
  const TemporaryFolder folder;
  const auto wait = [&](const char* line, bool copies) {
    const ir::Kernel kernel = kernel_of(
        folder, trace_of({copies ? "0000 ffffffff 0 LDGDEPBAR 0 0" : "0000 ffffffff 0 NOP 0 0",
                          line, "0020 ffffffff 0 EXIT 0 0 0"}));
    EXPECT_EQ(kernel.phases.size(), copies ? 2U : 1U);
    return kernel.code[1];
  };
  EXPECT_EQ(wait("0010 ffffffff 0 DEPBAR.LE 0 0 2", true).op, ir::Op::copy_wait);
  EXPECT_EQ(wait("0010 ffffffff 0 DEPBAR.LE 0 0 2", true).groups, 2U);
  EXPECT_EQ(wait("0010 ffffffff 0 DEPBAR.LE 0 0 2 0", true).groups, 2U);
  EXPECT_EQ(wait("0010 ffffffff 0 DEPBAR.LE 0 0", true).groups, 0U);
  EXPECT_EQ(wait("0010 ffffffff 0 DEPBAR.LE 0 0 2", false).op, ir::Op::nop);
}

TEST(TracedProgram, ResolvesGenericAddressesByTheWindows) {
  const Windows windows{0x7f00'0100'0000, 0x7f00'0300'0000};
  std::array<std::uint64_t, ir::kWarpSize> addresses{};
  const auto resolved = [&](ir::Space space, std::uint64_t first, std::uint64_t second) {
    addresses[0] = first;
    addresses[5] = second;
    return resolve(space, windows, 0x21, addresses);
  };
  EXPECT_EQ(resolved(ir::Space::generic, 0x1000, 0x7f00'0500'0000), ir::Space::global);
  EXPECT_EQ(resolved(ir::Space::generic, 0x7f00'0100'0040, 0x7f00'0100'0000), ir::Space::shared);
  EXPECT_EQ(addresses[0], 0x40U);
  EXPECT_EQ(addresses[5], 0U);
  EXPECT_EQ(resolved(ir::Space::generic, 0x7f00'0300'0008, 0x7f00'03ff'ffff), ir::Space::local);
  EXPECT_EQ(addresses[5], 0xff'ffffU);
  EXPECT_EQ(resolved(ir::Space::generic, 0x7f00'0100'0000, 0x1000), ir::Space::generic);
  EXPECT_EQ(addresses[0], 0x7f00'0100'0000U) << "unchanged";
  EXPECT_EQ(resolved(ir::Space::shared, 0x20, 0x7f00'0100'0020), ir::Space::shared);
  EXPECT_EQ(addresses[0], 0x20U);
  EXPECT_EQ(addresses[5], 0x20U);
}

TEST(TracedProgram, LocalMemoryBeginsAtTheLowestAddress) {
  const TemporaryFolder folder;
  const ir::Kernel kernel = kernel_of(
      folder,
      trace_of({"0000 ffffffff 0 STL.64 2 R1 R2 8 1 0xfffc88 0 0",
                "0010 ffffffff 1 R4 LDL 1 R1 4 1 0xfffcb0 0 0", "0020 ffffffff 0 EXIT 0 0 0"}));
  EXPECT_EQ(kernel.local_bytes, 0xfffcb4U - 0xfffc88U);
}

// Two launches of one kernel: what the first never executes, the second shows.
TEST(TracedProgram, LaunchesOfOneNameAreOfOneKernel) {
  const TemporaryFolder folder;
  folder.write("kernel-1.traceg",
               trace_of({"0000 ffffffff 1 R1 MOV 0 0 0", "0020 ffffffff 0 EXIT 0 0 0"}));
  folder.write("kernel-2.traceg",
               trace_of({"0000 ffffffff 1 R1 MOV 0 0 0", "0010 ffffffff 1 R1 FADD 1 R1 0 0",
                         "0020 ffffffff 0 EXIT 0 0 0"},
                        "-nregs = 20"));
  folder.write("kernel-3.traceg", trace_of({"0000 ffffffff 0 EXIT 0 0 0"}, "-kernel name = other"));
  const TracedProgram program(folder.write("kernelslist.g",
                                           "MemcpyHtoD,0x00007f0000000000,4096\n\nkernel-1.traceg\n"
                                           "kernel-2.traceg\nkernel-3.traceg\nkernel-1.traceg\n"
                                           "MemcpyDtoH,0x00007f0000000000,4096\n"),
                              {}, {});
  EXPECT_EQ(program.launches(), 4U);
  ASSERT_EQ(program.module().kernels.size(), 2U);
  EXPECT_EQ(program.module().kernels[0].code.size(), 3U);
  EXPECT_EQ(program.module().kernels[0].registers_per_thread, 20U);
  EXPECT_EQ(program.module().kernels[1].name, "other");
}

// A list often keeps the names from before the traces were compressed.
TEST(TracedProgram, FindsCompressedTraces) {
  const TemporaryFolder folder;
  const std::string list = folder.write("kernelslist.g", "kernel-1.traceg\n").string();
  folder.write("kernel-1.traceg.xz", compressed(loop_trace()));
  EXPECT_EQ(TracedProgram(list, {}, {}).module().kernels.at(0).code.size(), 8U);
  const auto alone = folder.path() / "kernel-1.traceg.xz";
  EXPECT_EQ(TracedProgram(alone, {}, {}).launches(), 1U);
  EXPECT_EQ(TracedProgram(alone, {}, {}).name(), "kernel-1");
}

/// Hands the first block slot of a launch to a test.
class BlockRunner : public KernelRunner {
 public:
  void run(const KernelLaunch& launch, DeviceMemory& /*memory*/) override {
    const std::unique_ptr<exec::ResidentBlock> block = launch.source->make_block();
    act(*block);
    ran = true;
  }
  std::function<void(exec::ResidentBlock& block)> act;
  bool ran = false;
};

/// Does `act` with a block of the trace.
void with_block(const std::string& trace,
                const std::function<void(exec::ResidentBlock& block)>& act) {
  const TemporaryFolder folder;
  const TracedProgram program(folder.write("t.traceg", trace), {}, {});
  BlockRunner runner;
  runner.act = act;
  program.run(program.module(), runner);
  EXPECT_TRUE(runner.ran);
}

void go_through(exec::ResidentBlock& block) {
  exec::Outcome outcome;
  for (int round = 0; round < 2; ++round) {
    block.start(0);
    EXPECT_EQ(block.pc(0), 0U);
    block.execute(0, 0, outcome, nullptr);
    EXPECT_EQ(outcome.active, 0xfU);
    EXPECT_TRUE(outcome.memory);
    EXPECT_FALSE(outcome.store);
    EXPECT_EQ(outcome.space, ir::Space::shared);
    EXPECT_EQ(outcome.bytes, 4U);
    EXPECT_EQ(outcome.addresses[0], 0x40U);
    EXPECT_EQ(outcome.addresses[2], 0x4cU);
    EXPECT_EQ(outcome.addresses[3], 0x48U);
    EXPECT_EQ(outcome.pc, 1U);
    block.execute(0, 0, outcome, nullptr);
    EXPECT_TRUE(outcome.barrier);
    EXPECT_TRUE(outcome.at_barrier);
    EXPECT_EQ(outcome.released, 0U);
    EXPECT_EQ(outcome.pc, 2U);
    block.execute(1, 0, outcome, nullptr);
    block.execute(1, 0, outcome, nullptr);
    EXPECT_EQ(outcome.released, 3U) << "both warps go on";
    EXPECT_FALSE(block.at_barrier(0));
    block.execute(1, 0, outcome, nullptr);
    EXPECT_EQ(outcome.active, 0U);
    EXPECT_FALSE(outcome.memory);
    EXPECT_TRUE(block.next_ends_warp(1));
    EXPECT_FALSE(block.next_ends_warp(0));
    block.execute(1, 0, outcome, nullptr);
    EXPECT_TRUE(outcome.done);
    EXPECT_TRUE(block.done(1));
    EXPECT_EQ(block.executed(), 6U);
  }
}

TEST(TracedBlock, GoesThroughTheTrace) {
  std::string text = header_with("-block dim = (64,1,1)");
  text += "#BEGIN_TB\nthread block = 0,0,0\n";
  for (int warp = 0; warp < 2; ++warp) {
    text += "warp = " + std::to_string(warp) + "\ninsts = 4\n";
    text += "0000 0000000f 1 R2 LDS 1 R4 4 2 0x40 4 8 -4 0\n";
    text += "0010 ffffffff 0 BAR.SYNC 0 0 0\n";
    text += "0020 00000000 0 STG.E 2 R2 R4 4 1 0x0 0 0\n";
    text += "0030 ffffffff 0 EXIT 0 0 0\n";
  }
  text += "#END_TB\n";
  with_block(text, [](exec::ResidentBlock& traced) { go_through(traced); });
}

// A warp whose guard keeps it from a barrier does not come to it; its end lets the others go on.
TEST(TracedBlock, ABarrierWaitsForTheWarpsThatComeToIt) {
  std::string text = header_with("-block dim = (64,1,1)") + "#BEGIN_TB\nthread block = 0,0,0\n";
  text += "warp = 0\ninsts = 2\n0000 ffffffff 0 BAR.SYNC 0 0 0\n0010 ffffffff 0 EXIT 0 0 0\n";
  text += "warp = 1\ninsts = 2\n0000 00000000 0 BAR.SYNC 0 0 0\n0010 ffffffff 0 EXIT 0 0 0\n";
  text += "#END_TB\n";
  with_block(text, [](exec::ResidentBlock& block) {
    exec::Outcome outcome;
    block.start(0);
    block.execute(0, 0, outcome, nullptr);
    EXPECT_TRUE(outcome.at_barrier);
    block.execute(1, 0, outcome, nullptr);
    EXPECT_FALSE(outcome.barrier);
    EXPECT_FALSE(outcome.at_barrier);
    block.execute(1, 0, outcome, nullptr);
    EXPECT_TRUE(outcome.done);
    EXPECT_EQ(outcome.released, 1U);
    EXPECT_FALSE(block.at_barrier(0));
  });
}

// Accel-Sim's tracer writes an LDGSTS twice, our own traces have it once. In other lanes it is
// another path of the warp.
TEST(TracedBlock, AnAsynchronousCopyReadsGlobalMemory) {
  with_block(trace_of({"0000 0000ffff 0 LDGSTS.E 2 R4 R8 4 1 0x40 4 0",
                       "0000 0000ffff 0 LDGSTS.E 2 R4 R8 4 2 0x1000 4 4 4 4 4 4 "
                       "4 4 4 4 4 4 4 4 -4152 8 0",
                       "0000 ffff0000 0 LDGSTS.E 2 R4 R8 4 1 0x80 4 0",
                       "0000 ffff0000 0 LDGSTS.E 2 R4 R8 4 1 0x2000 4 0",
                       "0010 ffffffff 0 LDGSTS.E.128 2 R4 R8 16 1 0x3000 16 0",
                       "0020 ffffffff 0 EXIT 0 0 0"}),
             [](exec::ResidentBlock& block) {
               exec::Outcome outcome;
               block.start(0);
               block.execute(0, 0, outcome, nullptr);
               EXPECT_EQ(outcome.space, ir::Space::global);
               EXPECT_FALSE(outcome.store);
               EXPECT_EQ(outcome.bytes, 4U);
               EXPECT_EQ(outcome.addresses[1], 0x1004U);
               EXPECT_EQ(outcome.addresses[15], 0U);
               EXPECT_EQ(outcome.reads_nothing, 1U << 15) << "nothing is at address 0";
               block.execute(0, 0, outcome, nullptr);
               EXPECT_EQ(outcome.active, 0xffff'0000U);
               EXPECT_EQ(outcome.addresses[17], 0x2004U);
               EXPECT_EQ(outcome.reads_nothing, 0U);
               block.execute(0, 0, outcome, nullptr);
               EXPECT_EQ(outcome.bytes, 16U);
               EXPECT_EQ(outcome.addresses[2], 0x3020U);
               block.execute(0, 0, outcome, nullptr);
               EXPECT_TRUE(outcome.done);
               EXPECT_EQ(block.executed(), 4U);
             });
}

// Lanes beyond the rows of an LDSM have addresses of no meaning.
TEST(TracedBlock, RowsOfMatricesAreWhereTheFirstLanesSay) {
  with_block(trace_of({"0000 ffffffff 1 R4 LDSM.16.M88.2 1 R8 16 1 0x100 16 0",
                       "0010 ffffffff 0 STSM.16.M88 2 R8 R4 16 1 0x100 16 0",
                       "0020 ffffffff 0 EXIT 0 0 0"}),
             [](exec::ResidentBlock& block) {
               exec::Outcome outcome;
               block.start(0);
               block.execute(0, 0, outcome, nullptr);
               EXPECT_EQ(outcome.space, ir::Space::shared);
               EXPECT_FALSE(outcome.store);
               EXPECT_EQ(outcome.bytes, 16U);
               EXPECT_EQ(outcome.addresses[15], 0x1f0U);
               EXPECT_EQ(outcome.addresses[16], 0x100U);
               EXPECT_EQ(outcome.addresses[31], 0x1f0U);
               block.execute(0, 0, outcome, nullptr);
               EXPECT_TRUE(outcome.store);
               EXPECT_EQ(outcome.addresses[31], 0x170U);
             });
}

TEST(TracedBlock, LocalAddressesAreOffsets) {
  with_block(
      trace_of({"0000 ffffffff 0 STL.64 2 R1 R2 8 1 0xfffc88 0 0",
                "0010 ffffffff 1 R4 LDL 1 R1 4 1 0xfffcb0 0 0", "0020 ffffffff 0 EXIT 0 0 0"}),
      [](exec::ResidentBlock& block) {
        exec::Outcome outcome;
        block.start(0);
        block.execute(0, 0, outcome, nullptr);
        EXPECT_EQ(outcome.space, ir::Space::local);
        EXPECT_TRUE(outcome.store);
        EXPECT_EQ(outcome.bytes, 8U);
        EXPECT_EQ(outcome.addresses[31], 0U);
        block.execute(0, 0, outcome, nullptr);
        EXPECT_EQ(outcome.addresses[0], 0x28U);
      });
}

TEST(TracedProgram, SaysWhatDoesNotFitTogether) {
  const TemporaryFolder folder;
  const auto failure = [&](std::initializer_list<const char*> lines,
                           const std::string& replaced = "") {
    return failure_in(folder, [&] {
      TracedProgram(folder.write("t.traceg", trace_of(lines, replaced)), {}, {});
    });
  };
  EXPECT_EQ(failure({"0000 ffffffff 1 R1 MOV 0 0 0", "0000 ffffffff 1 R2 MOV 0 0 0",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:23: pc 0000 is '1 R2 MOV 0' here and another instruction in t.traceg:22");
  EXPECT_EQ(failure({"0000 ffffffff 0 FROB 0 0 0"}), "t.traceg:22: opcode 'FROB' is not known");
  EXPECT_EQ(failure({"0000 ffffffff 1 R1 MOV 0 0 0"}),
            "t.traceg:22: warp 0 ends with lanes that have not executed EXIT");
  EXPECT_EQ(failure({"0000 0000ffff 0 EXIT 0 0 0", "0010 00010000 0 EXIT 0 0 0"}),
            "t.traceg:23: warp 0 ends with lanes that have not executed EXIT");
  EXPECT_EQ(failure({"0000 0000ffff 0 EXIT 0 0 0", "0010 ffff8000 0 EXIT 0 0 0"}),
            "t.traceg:23: lanes that the warp does not have or that have ended execute an "
            "instruction");
  EXPECT_EQ(failure({"0000 ffffffff 0 EXIT 0 0 0"}, "-block dim = (20,1,1)"),
            "t.traceg:22: lanes that the warp does not have or that have ended execute an "
            "instruction");
  EXPECT_EQ(failure({"0000 ffffffff 1 R1 LDG.E 1 R2 0 0", "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: LDG.E without addresses");
  EXPECT_EQ(failure({"0000 ffffffff 0 BAR.SYNC 0 0 128", "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: BAR with 128 for its number: the trace does not say which barrier it is");
  EXPECT_EQ(failure({"0000 ffffffff 0 BAR.SYNC 0 0 0", "0000 ffffffff 0 BAR.SYNC 0 0 1",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:23: pc 0000 is another barrier than in t.traceg:22");
  EXPECT_EQ(failure({"0000 ffffffff 0 BAR.SYNC 0 0 0 48 NoVal", "0010 ffffffff 0 EXIT 0 0 0"},
                    "-accelsim tracer version = 6"),
            "t.traceg:22: BAR for 48 threads; whole warps are possible");
  EXPECT_EQ(failure({"0000 ffffffff 0 LDGSTS.E 2 R4 R8 0 0", "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: LDGSTS.E without addresses");
  EXPECT_EQ(failure({"0000 ffffffff 0 DEPBAR.LE 0 0 256", "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: DEPBAR for all but 256 groups of copies; 0 to 255 are possible");
  EXPECT_EQ(failure({"0000 ffffffff 0 DEPBAR.LE 0 0 0", "0000 ffffffff 0 DEPBAR.LE 0 0 1",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:23: pc 0000 is another wait than in t.traceg:22");
  EXPECT_EQ(
      failure({"0000 ffffffff 1 R4 HMMA.16.F32 3 R8 R12 R4 0 0", "0010 ffffffff 0 EXIT 0 0 0"}),
      "t.traceg:22: opcode HMMA.16.F32 has a shape that is not modelled for its types");
  // Tracers write addresses of bulk copies in forms of their own (3 with a count, 4 with a base, a
  // count and differences), and a flag before the width of HGMMA.
  EXPECT_EQ(failure({"0000 00000001 0 UBLKCP.S.G 1 UR4 16 4 0x1000 2 64 0",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: opcode UBLKCP is a bulk copy, whose barrier object no trace holds");
  EXPECT_EQ(failure({"0000 00000001 0 UTMALDG.2D 2 UR4 UR8 16 3 2 0x1000 0x2000 0",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: opcode UTMALDG is a bulk copy, whose barrier object no trace holds");
  EXPECT_EQ(failure({"0000 ffffffff 1 R24 HGMMA.64x64x16.F32 2 UR4 R24 1 0 0",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: opcode HGMMA is a tensor instruction of later machines, which is not "
            "modelled");
  EXPECT_EQ(failure({"0000 ffffffff 5 R1 R3 R5 R7 R9 MOV 0 0 0", "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: MOV: 5 destinations; an instruction has 4 at most");
  EXPECT_EQ(failure({"0000 ffffffff 0 MOV 11 R1 R3 R5 R7 R9 R11 R13 R15 R17 R19 R21 0 0",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: MOV: 11 sources; an instruction has 10 at most");
  EXPECT_EQ(failure({"0000 ffffffff 0 STL 2 R1 R2 4 1 0x10 0 0",
                     "0000 ffffffff 0 STL 2 R1 R2 4 1 0xfffffc 0 0", "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg: kernel 'k': local addresses 16777200 bytes apart; a thread has 524288 at "
            "most");
  EXPECT_EQ(failure({"0000 ffffffff 1 R252 LDG.E.128 1 R2 16 1 0x1000 16 0",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg:22: LDG.E.128: an operand of 4 registers begins at R252");
  EXPECT_EQ(failure({"0000 00000001 0 STL 2 R1 R2 4 1 0x10 0 0",
                     "0000 00000001 0 STL 2 R1 R2 4 1 0xfffffffffffffffc 0 0",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "t.traceg: kernel 'k': local addresses 18446744073709551599 bytes apart; a thread has "
            "524288 at most");
  // The same words in other spacing are the same instruction.
  EXPECT_EQ(failure({"0000 ffffffff 1 R1  MOV 0 0 0", "0000 ffffffff 1 R1 MOV 0 0 0",
                     "0010 ffffffff 0 EXIT 0 0 0"}),
            "");
}

TEST(TracedProgram, SaysWhatIsWrongWithAList) {
  const TemporaryFolder folder;
  folder.write("kernel-1.traceg", trace_of({"0000 ffffffff 0 EXIT 0 0 0"}));
  folder.write("kernel-2.traceg",
               trace_of({"0000 ffffffff 1 R1 MOV 0 0 0", "0010 ffffffff 0 EXIT 0 0 0"}));
  const auto failure = [&](const std::string& text) {
    return failure_in(folder, [&] { TracedProgram(folder.write("kernelslist.g", text), {}, {}); });
  };
  EXPECT_EQ(failure("kernel-1.traceg\n"), "");
  EXPECT_EQ(failure(""), "kernelslist.g: the list names no kernel");
  EXPECT_EQ(failure("MemcpyHtoD,0x10,4\n"), "kernelslist.g: the list names no kernel");
  EXPECT_EQ(failure("kernel-1.traceg\nkernel-9.traceg\n"),
            "kernelslist.g:2: the trace kernel-9.traceg is not there");
  EXPECT_EQ(failure("MemcpyHtoD,0x10\n"),
            "kernelslist.g:1: 'Memcpy...,address,bytes' should stand here");
  EXPECT_EQ(failure("MemcpyHtoD,here,4\n"),
            "kernelslist.g:1: 'Memcpy...,address,bytes' should stand here");
  EXPECT_EQ(failure("name = \"saxpy\"\n"),
            "kernelslist.g:1: 'name = \"saxpy\"' is neither a copy nor a kernel: not a list of "
            "traces");
  EXPECT_EQ(failure("kernel-1.traceg\nkernel-2.traceg\n"),
            "kernel-2.traceg:22: pc 0000 is '1 R1 MOV 0' here and another instruction in "
            "kernel-1.traceg:22");
  EXPECT_EQ(failure_in(folder, [&] { TracedProgram(folder.path() / "none.g", {}, {}); }),
            "none.g: no such file");
}

TEST(TracedProgram, SaysWhatIsWrongWithWholeCode) {
  const TemporaryFolder folder;
  const auto failure = [&](const std::string& own, const char* instruction) {
    std::string text = trace_of({instruction, "0020 ffffffff 0 EXIT 0 0 0"});
    text.insert(text.find("\n#traces"), own);
    return failure_in(folder, [&] { TracedProgram(folder.write("t", text), {}, {}); });
  };
  const std::string code = "-paws code = 0000 1 R1 MOV 0 0 0\n-paws code = 0020 0 EXIT 0 0 0\n";
  const char* const move = "0000 ffffffff 1 R1 MOV 0 0 0";
  EXPECT_EQ(failure(code, move), "");
  EXPECT_EQ(failure(code, "0010 ffffffff 1 R1 MOV 0 0 0"), "t:24: no '-paws code' for pc 0010");
  EXPECT_EQ(failure(code, "0000 ffffffff 1 R2 S2R 0 0 0"),
            "t:24: pc 0000 is '1 R2 S2R 0' here and another instruction in t:14");
  EXPECT_EQ(failure(code + "-paws code = 0000 1 R1 MOV 0 0 0\n", move),
            "t:16: pc 0000 a second time");
  EXPECT_EQ(failure(code + "-paws targets = 0000 0020\n", move),
            "t:16: targets that are not those of a branch");
  EXPECT_EQ(failure(code + "-paws targets = 0000 0030\n", move),
            "t:16: targets that are not those of a branch");
  EXPECT_EQ(failure(code + "-paws targets = 0030 0000\n", move), "t:16: no code at pc 0030");
  EXPECT_EQ(failure(code + "-paws blocks = 0030\n", move), "t: no code at pc 0030");
  EXPECT_EQ(failure("-paws code = 0000 1 R16776960 MOV 0 0 0\n", move),
            "t:14: 'R16776960' is not a register: R0 to R16776959");
  EXPECT_EQ(failure("-paws code = 0000 1 R1 WHAT 0 0 0\n", move),
            "t:14: opcode 'WHAT' is not known");
}

// Bytes of a trace are changed at random, always in the same way. It is read, or refused with a
// message; nothing else may happen.
TEST(TracedProgram, TakesOrRefusesAnyText) {
  const TemporaryFolder folder;
  std::string good = loop_trace();
  good.insert(good.find("\n#traces"), "-paws local bytes = 24\n");
  std::uint64_t state = 1;
  const auto random = [&state](std::uint64_t below) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return (state >> 33) % below;
  };
  unsigned refused = 0;
  const std::string alphabet = "0123456789abcdefRP .=-#\nEXITLDG";
  for (int i = 0; i < 400; ++i) {
    std::string text = good;
    for (std::uint64_t n = random(3) + 1; n > 0; --n) {
      const std::size_t at = random(text.size());
      switch (random(4)) {
        case 0:
          text.erase(at, random(8) + 1);
          break;
        case 1:
          text.insert(at, text.substr(random(text.size()), random(40)));
          break;
        default:
          text[at] = alphabet[random(alphabet.size())];
          break;
      }
    }
    const auto file = folder.write("t.traceg", text);
    const std::string message = failure_in(folder, [&] {
      const TracedProgram program(file, {}, {});
      exec::FunctionalRunner runner;
      program.run(program.module(), runner);
    });
    // A trace that is read has no values, which is the runner's message.
    if (message.find("has no values to execute for") == std::string::npos) ++refused;
    EXPECT_EQ(message.substr(0, 8), "t.traceg") << message;
  }
  EXPECT_GT(refused, 100U);
  EXPECT_LT(refused, 400U) << "some changes leave a trace";
}

TEST(TracedProgram, HasNoValuesToExecuteFor) {
  const TemporaryFolder folder;
  const TracedProgram program(folder.write("t.traceg", trace_of({"0000 ffffffff 0 EXIT 0 0 0"})),
                              {}, {});
  exec::FunctionalRunner runner;
  EXPECT_EQ(failure_in(folder, [&] { program.run(program.module(), runner); }),
            "t.traceg: kernel 'k' is a trace, which has no values to execute for");
}

TEST(TracedProgram, IsKnownByItsName) {
  EXPECT_TRUE(is_trace("a/kernelslist.g"));
  EXPECT_TRUE(is_trace("kernel-1.traceg"));
  EXPECT_TRUE(is_trace("kernel-1-ctx_0x10.traceg.xz"));
  EXPECT_FALSE(is_trace("vectoradd"));
  EXPECT_FALSE(is_trace("saxpy.toml"));
  EXPECT_EQ(name_of_trace("traces/backprop/kernelslist.g"), "backprop");
  EXPECT_EQ(name_of_trace("traces/kernel-1.traceg.xz"), "kernel-1");
}

}  // namespace
}  // namespace paws::sass
