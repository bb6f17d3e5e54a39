// SPDX-License-Identifier: MIT
// Barrel cores whose warps are formed anew: what merging gains and what it does not, what may not
// change the outcome, and what is refused.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <random>
#include <string>

#include "sim/tests/gpu/races.h"
#include "sim/tests/gpu/random_kernel.h"

namespace paws {
namespace {

unsigned seed() {
  const char* const given = std::getenv("PAWS_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : 1;
}

/// One core of Narasiman et al., with code that is always in the instruction cache and that stays
/// as it is written.
GpuRun formed(Divergence divergence) {
  GpuRun run;
  run.config = load_gpu("lwm2011");
  run.config.core.divergence = static_cast<unsigned>(divergence);
  run.config.icache.bytes = 0;
  run.config.frontend.schedule = false;
  run.config.frontend.remove_dead_code = false;
  run.scheduler = "single:rr";
  return run;
}

/// Several cores of the same kind, with the memory system of the m2090, whose L1s write through.
GpuRun formed_on_m2090(Divergence divergence, unsigned cores) {
  GpuRun run = formed(divergence);
  const GpuConfig m2090 = small_gpu(cores);
  run.config.cores = cores;
  run.config.icache = m2090.icache;
  run.config.l1 = m2090.l1;
  run.config.l1.array_bytes = 98304;
  run.config.l2 = m2090.l2;
  run.config.interconnect = m2090.interconnect;
  run.config.dram = m2090.dram;
  run.config.core.local_private = false;
  return run;
}

std::string adds(unsigned count) {
  return repeat(count, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; });
}

/// `condition` sets %p1 from the thread's number %r0. Then `count` additions by those for which it
/// holds, as many by the others, and as many by all.
std::string if_else(const std::string& condition, unsigned count) {
  return condition + "\n@%p1 bra TAKEN;\n" + adds(count) + "bra MEET;\nTAKEN:\n" + adds(count) +
         "MEET:\n" + adds(count) +
         "mul.wide.u32 %rd1, %r0, 4;\nadd.u64 %rd1, %rd0, %rd1;\n"
         "st.global.u32 [%rd1], %r1;\nret;";
}

/// In every second row even lanes take the branch, in the others odd ones.
const char* const kCheckerboard =
    "shr.u32 %r2, %r0, 5;\nxor.b32 %r2, %r2, %r0;\nand.b32 %r2, %r2, 1;\nsetp.eq.u32 %p1, %r2, 1;";
/// Even lanes take it in every row.
const char* const kColumns = "and.b32 %r2, %r0, 1;\nsetp.eq.u32 %p1, %r2, 1;";

class FormedWarps : public testing::TestWithParam<Divergence> {
 protected:
  static constexpr unsigned kAdds = 200;
  static GpuRun run(const std::string& condition, Divergence divergence) {
    GpuRun run = formed(divergence);
    run.shape.block = {512, 1, 1};
    run.shape.grid = {1, 1, 1};
    run.run(if_else(condition, kAdds));
    return run;
  }
  /// Sub-warps that went to the back end for each row and addition.
  static double sub_warps(const GpuRun& run) {
    return static_cast<double>(run.statistics.cores.barrel.sub_warps[0]) / (16 * kAdds);
  }
};

TEST_P(FormedWarps, MergeThreadsOfDifferentLanes) {
  const GpuRun stack = run(kCheckerboard, Divergence::stack);
  const GpuRun merged = run(kCheckerboard, GetParam());
  EXPECT_EQ(merged.words, stack.words);
  EXPECT_NEAR(sub_warps(stack), 3, 0.1) << "both ways one after the other";
  EXPECT_NEAR(sub_warps(merged), 2, 0.1) << "full warps on both ways";
  EXPECT_EQ(merged.statistics.cores.barrel.threads, stack.statistics.cores.barrel.threads);
  EXPECT_EQ(merged.statistics.cores.thread_instructions(),
            stack.statistics.cores.thread_instructions());
}

TEST_P(FormedWarps, GainNothingFromDivergenceAlongColumns) {
  const GpuRun stack = run(kColumns, Divergence::stack);
  const GpuRun merged = run(kColumns, GetParam());
  EXPECT_EQ(merged.words, stack.words);
  EXPECT_GE(sub_warps(merged), sub_warps(stack) - 0.01);
}

// A warp alone is selected every seventh cycle, more share the cycles.
TEST_P(FormedWarps, TakeThePipelinesCycles) {
  for (const unsigned warps : {1U, 5U, 7U, 12U}) {
    const auto cycles = [&](unsigned count) {
      GpuRun run = formed(GetParam());
      run.shape.block = {32 * warps, 1, 1};
      run.run(adds(count) + "st.global.u32 [%rd0], %r1;\nret;");
      return run.statistics.cycles;
    };
    EXPECT_EQ(cycles(600) - cycles(200), 400 * std::max(7U, warps)) << warps;
  }
}

TEST_P(FormedWarps, WaitForMemoryAndForEachOtherAtBarriers) {
  GpuRun run = formed(GetParam());
  run.shape.block = {96, 1, 1};
  run.shape.grid = {30, 1, 1};
  run.buffer_bytes = 16384 + 64;
  // Each thread reads what its neighbour of the mirrored row has written, three times.
  run.run(R"(
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r4, shared_words;
  shl.b32 %r5, %r0, 2;
  add.u32 %r6, %r4, %r5;
  sub.u32 %r7, 95, %r0;
  shl.b32 %r7, %r7, 2;
  add.u32 %r7, %r7, %r4;
  mad.lo.u32 %r2, %r1, 96, %r0;
  mov.u32 %r8, %r2;
LOOP:
  and.b32 %r9, %r8, 1;
  setp.eq.u32 %p1, %r9, 0;
  @%p1 bra EVEN;
  mad.lo.u32 %r8, %r8, 3, 1;
EVEN:
  st.shared.u32 [%r6], %r8;
  bar.sync 0;
  ld.shared.u32 %r10, [%r7];
  bar.sync 1;
  mad.lo.u32 %r8, %r8, 5, %r10;
  add.u32 %r11, %r11, 1;
  setp.lt.u32 %p2, %r11, 3;
  @%p2 bra LOOP;
  mul.wide.u32 %rd1, %r2, 4;
  add.u64 %rd1, %rd0, %rd1;
  st.global.u32 [%rd1], %r8;
  ret;)");
  std::vector<std::uint32_t> expected(run.words.size());
  for (unsigned block = 0; block < 30; ++block) {
    std::vector<std::uint32_t> values(96);
    for (unsigned i = 0; i < 96; ++i) values[i] = block * 96 + i;
    for (unsigned round = 0; round < 3; ++round) {
      for (std::uint32_t& value : values) value = value % 2 == 0 ? value : value * 3 + 1;
      const std::vector<std::uint32_t> shared = values;
      for (unsigned i = 0; i < 96; ++i) values[i] = values[i] * 5 + shared[95 - i];
    }
    std::copy(values.begin(), values.end(), expected.begin() + block * 96);
  }
  EXPECT_EQ(run.words, expected);
}

TEST_P(FormedWarps, SkippingIdleCyclesChangesNothing) {
  for (GpuRun skip : {formed(GetParam()), formed_on_m2090(GetParam(), 2)}) {
    skip.shape.block = {64, 1, 1};
    skip.shape.grid = {40, 1, 1};
    skip.buffer_bytes = 16384 + 64;
    skip.launches = 2;
    GpuRun step = skip;
    skip.run(kBusyKernel);
    step.options.skip_idle_cycles = false;
    step.run(kBusyKernel);
    expect_same(step, skip, "every cycle");
  }
}

TEST_P(FormedWarps, WindowsAndHostThreadsChangeNothing) {
  for (GpuRun run : {formed(GetParam()), formed_on_m2090(GetParam(), 3)}) {
    run.shape.block = {96, 1, 1};
    run.shape.grid = {20, 1, 1};
    run.buffer_bytes = 16384 + 64;
    run.launches = 2;
    expect_no_difference(run, kRacyKernel, "races");
  }
}

TEST_P(FormedWarps, RunRandomKernelsWhateverTheWindows) {
  std::mt19937 random(seed());
  for (unsigned n = 0; n < 6; ++n) {
    const std::string kernel = random_kernel(random);
    GpuRun run = n % 2 == 0 ? formed(GetParam()) : formed_on_m2090(GetParam(), 2);
    run.shape.grid = {12, 1, 1};
    run.shape.block = {94, 1, 1};
    run.buffer_bytes = 16384 + 64;
    expect_no_difference(run, kernel,
                         fmt::format("PAWS_SEED={}, kernel {}:\n{}", seed(), n, kernel));
  }
}

// A fence waits for the stores, which go out to memory.
TEST_P(FormedWarps, FencesWaitForStores) {
  const auto cycles = [](const char* fence) {
    GpuRun run = formed_on_m2090(GetParam(), 1);
    run.run(
        fmt::format("st.global.u32 [%rd0], %r0;\n{}\nst.global.u32 [%rd0+4], %r0;\nret;", fence));
    return run.statistics.cycles;
  };
  EXPECT_GT(cycles("membar.gl;"), cycles("add.u32 %r1, %r1, 1;") + 100);
}

// Two blocks of half a warp each fill a warp. In shared memory each has words of its own, so that
// all lanes of a pass are in different banks, or the other's half is a second pass.
TEST_P(FormedWarps, KeepSharedMemoriesOfBlocksApart) {
  const auto conflicts = [](unsigned shift) {
    GpuRun run = formed(GetParam());
    run.shape.block = {32, 1, 1};
    run.shape.grid = {2, 1, 1};
    // Threads of the first block with a low lane and of the second with a high one go on; they meet
    // when the line that both wait for comes.
    run.run(fmt::format(R"(
  mov.u32 %r1, %ctaid.x;
  shr.u32 %r2, %r0, 4;
  setp.ne.u32 %p1, %r1, %r2;
  @%p1 exit;
  ld.global.u32 %r3, [%rd0];
  mov.u32 %r4, shared_words;
  and.b32 %r5, %r0, {};
  shl.b32 %r5, %r5, 2;
  add.u32 %r4, %r4, %r5;
  ld.shared.u32 %r6, [%r4];
  st.global.u32 [%rd0], %r6;
  ret;)",
                        shift));
    return run.statistics.cores.shared_conflict_cycles;
  };
  EXPECT_EQ(conflicts(31), 0U);
  EXPECT_EQ(conflicts(0), 1U) << "one word of each block, in one bank";
}

std::string refused(GpuRun run, const std::string& body = "ret;") {
  return error_of([&] { run.run(body); });
}

TEST_P(FormedWarps, RefuseOperationsOfWarps) {
  const std::string message =
      refused(formed(GetParam()), "vote.sync.any.pred %p1, %p2, 0xffffffff;\nret;");
  EXPECT_NE(message.find("test.ptx:"), std::string::npos) << message;
  EXPECT_NE(message.find("vote speaks of the lanes of a warp"), std::string::npos) << message;
}

TEST_P(FormedWarps, ChooseForThemselves) {
  const unsigned code = static_cast<unsigned>(GetParam());
  GpuRun other = formed(GetParam());
  other.scheduler = "single:gto";
  EXPECT_EQ(refused(other),
            fmt::format("core.divergence is {}: the former of warps selects them, not single:gto; "
                        "say single:rr",
                        code));
  GpuRun large = formed(GetParam());
  large.config.core.warp_rows = 8;
  EXPECT_EQ(refused(large), fmt::format("core.divergence is {}: warps are formed anew of 32 "
                                        "threads, so there are no large ones: core.warp_rows is 8",
                                        code));
  GpuRun watched = formed(GetParam());
  watched.options.observe = [](std::uint32_t) { return nullptr; };
  EXPECT_EQ(refused(watched), fmt::format("core.divergence is {}: formed warps do not last, so "
                                          "they cannot be recorded or sampled",
                                          code));
  GpuRun no_barrel;
  no_barrel.config.core.divergence = code;
  EXPECT_EQ(refused(no_barrel), "core.divergence needs a barrel core (core.pipeline_stages)");
}

TEST_P(FormedWarps, SayWhoWaitsWhenTheyDoNotEnd) {
  GpuRun run = formed(GetParam());
  run.shape.block = {64, 1, 1};
  run.options.max_cycles = 20000;
  const std::string message = refused(run, R"(
  SPIN:
    ld.volatile.global.u32 %r1, [%rd0];
    setp.eq.u32 %p1, %r1, 0;
    @%p1 bra SPIN;
    ret;)");
  EXPECT_NE(message.find("test.ptx:"), std::string::npos) << message;
  EXPECT_NE(message.find("kernel 'test', block (0,0,0)"), std::string::npos) << message;
  EXPECT_NE(message.find("of a formed warp"), std::string::npos) << message;
  EXPECT_NE(message.find("not finished after 20000 cycles"), std::string::npos) << message;
}

TEST_P(FormedWarps, SayThatABarrierCannotComplete) {
  GpuRun run = formed(GetParam());
  run.shape.block = {64, 1, 1};
  const std::string message =
      refused(run,
              "setp.lt.u32 %p1, %r0, 7;\n@%p1 bra OTHER;\nbar.sync 0, 64;\nbra END;\nOTHER:\n"
              "bar.sync 1, 64;\nEND:\nret;");
  EXPECT_NE(message.find("barrier"), std::string::npos) << message;
  EXPECT_NE(message.find("block (0,0,0)"), std::string::npos) << message;
}

INSTANTIATE_TEST_SUITE_P(Priorities, FormedWarps,
                         testing::Values(Divergence::dwf_majority, Divergence::dwf_pdom),
                         [](const auto& given) {
                           return given.param == Divergence::dwf_pdom ? "pdom" : "majority";
                         });

}  // namespace
}  // namespace paws
