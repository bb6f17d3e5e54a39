// SPDX-License-Identifier: MIT
// Kernels whose lanes end at different places, under every scheduler: the results are right, and
// the schedulers hear of a warp's end exactly when its last lanes end.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cctype>

#include "engine/lockstep/lockstep.h"
#include "sim/tests/gpu/port_recording.h"

namespace paws {
namespace {

constexpr unsigned kThreads = 112;  // three and a half warps
constexpr unsigned kBlocks = 20;    // more than fit the core at a time: slots are used again

struct Kernel {
  const char* name;
  /// %rd1 is the address of the thread's own word, %r3 its lane, %r4 its warp in the block; without
  /// a store the word stays 0.
  const char* body;
  unsigned (*expected)(unsigned thread);  ///< by the thread's number in its block
};

unsigned lane_of(unsigned thread) { return thread % 32; }
unsigned warp_of(unsigned thread) { return thread / 32; }

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> list{
      {"the first lanes return",
       R"(setp.lt.u32 %p1, %r3, 16;
          st.global.u32 [%rd1], 1;
          @%p1 ret;
          st.global.u32 [%rd1], 2;
          ret;)",
       [](unsigned thread) { return lane_of(thread) < 16 ? 1U : 2U; }},
      {"the last lanes return",
       R"(setp.ge.u32 %p1, %r3, 5;
          st.global.u32 [%rd1], 1;
          @%p1 ret;
          st.global.u32 [%rd1], 2;
          ret;)",
       [](unsigned thread) { return lane_of(thread) >= 5 ? 1U : 2U; }},
      {"exit without a guard on one side of a branch",
       R"(setp.eq.u32 %p1, %r3, 3;
          @%p1 bra REST;
          st.global.u32 [%rd1], 1;
          exit;
       REST:
          st.global.u32 [%rd1], 2;
          exit;)",
       [](unsigned thread) { return lane_of(thread) == 3 ? 2U : 1U; }},
      {"exit where the guard does not hold",
       R"(and.b32 %r5, %r3, 1;
          setp.eq.u32 %p1, %r5, 0;
          @!%p1 exit;
          st.global.u32 [%rd1], %r3;
          @%p1 exit;
          st.global.u32 [%rd1], 99;
          ret;)",
       [](unsigned thread) { return lane_of(thread) % 2 == 0 ? lane_of(thread) : 0U; }},
      {"a guard that holds in no lane of one warp and in all of another",
       R"(setp.eq.u32 %p1, %r4, 1;
          @%p1 ret;
          st.global.u32 [%rd1], 7;
          ret;)",
       [](unsigned thread) { return warp_of(thread) == 1 ? 0U : 7U; }},
      {"return inside a loop, each lane after other turns",
       R"(rem.u32 %r5, %r0, 7;
       TURN:
          add.u32 %r6, %r6, 1;
          setp.gt.u32 %p1, %r6, %r5;
          @%p1 st.global.u32 [%rd1], %r6;
          @%p1 ret;
          bra TURN;)",
       [](unsigned thread) { return thread % 7 + 1; }},
      {"return inside a loop, with a load that the others wait for",
       R"(rem.u32 %r5, %r0, 3;
       TURN:
          ld.volatile.global.u32 %r7, [%rd1];
          add.u32 %r6, %r6, 1;
          setp.gt.u32 %p1, %r6, %r5;
          @%p1 ret;
          add.u32 %r8, %r7, 1;
          st.volatile.global.u32 [%rd1], %r8;
          bra TURN;)",
       [](unsigned thread) { return thread % 3; }},
      {"nested divergence, a return on every level",
       R"(setp.lt.u32 %p1, %r3, 24;
          @!%p1 bra OUTER;
          setp.lt.u32 %p2, %r3, 8;
          @!%p2 bra INNER;
          st.global.u32 [%rd1], 1;
          ret;
       INNER:
          setp.lt.u32 %p3, %r3, 16;
          @%p3 ret;
          st.global.u32 [%rd1], 2;
       OUTER:
          ld.global.u32 %r5, [%rd1];
          add.u32 %r5, %r5, 10;
          st.global.u32 [%rd1], %r5;
          ret;)",
       [](unsigned thread) {
         const unsigned lane = lane_of(thread);
         if (lane < 8) return 1U;
         if (lane < 16) return 0U;
         return lane < 24 ? 12U : 10U;
       }},
      {"whole warps return before a barrier",
       R"(and.b32 %r5, %r4, 1;
          setp.eq.u32 %p1, %r5, 1;
          @%p1 ret;
          mov.u32 %r6, shared_words;
          mad.lo.u32 %r7, %r0, 4, %r6;
          st.shared.u32 [%r7], %r0;
          bar.sync 0;
          mad.lo.u32 %r8, %r3, 4, %r6;
          ld.shared.u32 %r9, [%r8+256];
          st.global.u32 [%rd1], %r9;
          ret;)",
       [](unsigned thread) { return warp_of(thread) % 2 == 1 ? 0U : 64 + lane_of(thread); }},
      {"the first half returns before a barrier",
       R"(setp.lt.u32 %p1, %r3, 16;
          @%p1 ret;
          mov.u32 %r6, shared_words;
          mad.lo.u32 %r7, %r0, 4, %r6;
          st.shared.u32 [%r7], %r0;
          bar.sync 0;
          mad.lo.u32 %r8, %r3, 4, %r6;
          ld.shared.u32 %r9, [%r8+128];
          st.global.u32 [%rd1], %r9;
          ret;)",
       [](unsigned thread) { return lane_of(thread) < 16 ? 0U : 32 + lane_of(thread); }},
  };
  return list;
}

/// Runs `kernel` and checks its results; the levels too, if `recording`.
void run_and_check(GpuRun run, const Kernel& kernel, bool recording) {
  run.shape.grid = {kBlocks, 1, 1};
  run.shape.block = {kThreads, 1, 1};
  run.buffer_bytes = std::uint64_t{kBlocks} * kThreads * 4;
  const std::string body = fmt::format(
      "mov.u32 %r1, %ctaid.x;\nmad.lo.u32 %r2, %r1, {}, %r0;\nmul.wide.u32 %rd1, %r2, 4;\n"
      "add.u64 %rd1, %rd0, %rd1;\nand.b32 %r3, %r0, 31;\nshr.u32 %r4, %r0, 5;\nmov.u32 %r6, 0;\n{}",
      kThreads, kernel.body);
  if (recording) {
    unsigned ends = 0;
    for (const Issue& issue : record(run, body).issues) {
      EXPECT_EQ(issue.exits, issue.ended) << "cycle " << issue.cycle << ", warp " << issue.warp;
      ends += issue.ended ? 1 : 0;
    }
    EXPECT_EQ(ends, kBlocks * ((kThreads + 31) / 32));
  } else {
    run.run(body);
  }
  EXPECT_EQ(run.statistics.cores.blocks, kBlocks);
  for (unsigned i = 0; i < kBlocks * kThreads; ++i) {
    ASSERT_EQ(run.words[i], kernel.expected(i % kThreads)) << "thread " << i;
  }
}

std::string test_name(const testing::TestParamInfo<std::string>& scheduler) {
  std::string name = scheduler.param;
  for (char& c : name) c = std::isalnum(static_cast<unsigned char>(c)) != 0 ? c : '_';
  return name;
}

class DivergentExit : public testing::TestWithParam<std::string> {};

TEST_P(DivergentExit, EndsTheWarpWithItsLastLanes) {
  GpuRun run;
  run.scheduler = GetParam();
  for (const Kernel& kernel : kernels()) {
    SCOPED_TRACE(kernel.name);
    run_and_check(run, kernel, true);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, DivergentExit, testing::ValuesIn(scheduler_names()),
                         test_name);

class DivergentExitInRtl : public testing::TestWithParam<std::string> {};

TEST_P(DivergentExitInRtl, IsAsInTheModel) {
  GpuRun run;
  run.scheduler = GetParam();
  run.factory = [](const SchedulerConfig& config) { return make_lockstep(config, "none"); };
  for (const Kernel& kernel : kernels()) {
    SCOPED_TRACE(kernel.name);
    run_and_check(run, kernel, false);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, DivergentExitInRtl, testing::ValuesIn(rtl_scheduler_names()),
                         test_name);

}  // namespace
}  // namespace paws
