// SPDX-License-Identifier: MIT
// A kernel whose threads race, and what may not change its outcome: windows and host threads.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "sim/tests/gpu/support.h"

namespace paws {

// Threads race for words that all blocks share, and branch on what they find there: values, paths
// and cycles depend on the order of every access. %r3 is this thread's place among 256, %rd2 its
// address; a load whose result the taken path never reads stands before registers that may reuse
// its slot; stored registers are overwritten at once.
inline const char* const kRacyKernel = R"(
  mov.u32 %r1, %ctaid.x;
  mad.lo.u32 %r2, %r1, 64, %r0;
  mad.lo.u32 %r2, %r2, 1664525, 1013904223;
LOOP:
  shr.u32 %r3, %r2, 9;
  and.b32 %r3, %r3, 255;
  mul.wide.u32 %rd1, %r3, 16;
  add.u64 %rd2, %rd0, %rd1;
  ld.volatile.global.u32 %r5, [%rd2];
  ld.global.v2.u32 {%r6, %r7}, [%rd2+8];
  and.b32 %r8, %r5, 3;
  ld.volatile.global.u32 %r30, [%rd2+4096];
  setp.eq.u32 %p1, %r8, 0;
  @%p1 bra EVEN;
  add.u32 %r9, %r5, %r6;
  st.global.u32 [%rd2], %r9;
  mov.u32 %r9, 77;
  add.u32 %r31, %r30, %r9;
  red.global.add.u32 [%rd0+8192], %r31;
  bra NEXT;
EVEN:
  add.u32 %r32, %r7, 5;
  xor.b32 %r33, %r32, %r2;
  st.global.v2.u32 [%rd2+8], {%r33, %r32};
  mov.u32 %r33, 3;
  mov.u32 %r32, 4;
  cvt.u64.u32 %rd4, %r5;
  add.u64 %rd5, %rd4, 1;
  atom.global.cas.b64 %rd6, [%rd2+8], %rd4, %rd5;
  cvt.u32.u64 %r10, %rd6;
  add.u32 %r2, %r2, %r10;
NEXT:
  setp.lt.u32 %p3, %r0, 40;
  @%p3 atom.global.add.u32 %r11, [%rd0+8200], 1;
  add.u32 %r2, %r2, %r11;
  mad.lo.u32 %r2, %r2, 1664525, 1013904223;
  add.u32 %r15, %r15, 1;
  setp.lt.u32 %p2, %r15, 3;
  @%p2 bra LOOP;
  and.b32 %r16, %r2, 1023;
  mul.wide.u32 %rd7, %r16, 4;
  add.u64 %rd8, %rd0, %rd7;
  st.global.u32 [%rd8+12288], %r2;
  ret;
)";

inline GpuRun racy(unsigned cores) {
  GpuRun run;
  run.config.cores = cores;
  run.shape.grid = {20, 1, 1};
  run.shape.block = {96, 1, 1};
  run.buffer_bytes = 16384 + 64;
  run.launches = 2;
  run.config.core.blocks = 2;
  return run;
}

inline void expect_same(const GpuRun& run, const GpuRun& reference, const std::string& what) {
  EXPECT_EQ(run.statistics.cycles, reference.statistics.cycles) << what;
  EXPECT_TRUE(run.statistics.cores == reference.statistics.cores) << what;
  EXPECT_TRUE(run.statistics.memory == reference.statistics.memory) << what;
  EXPECT_EQ(run.words, reference.words) << what;
}

/// Runs the kernel with several numbers of threads and lengths of windows.
inline void expect_no_difference(const GpuRun& as, const std::string& kernel,
                                 const std::string& what) {
  GpuRun reference = as;
  reference.options.longest_window = 1;
  reference.run(kernel);
  for (const auto& [threads, window] :
       {std::pair{1U, 0U}, std::pair{1U, 13U}, std::pair{2U, 0U}, std::pair{2U, 0U},
        std::pair{2U, 0U}, std::pair{3U, 5U}, std::pair{8U, 0U}}) {
    GpuRun run = as;
    run.options.threads = threads;
    run.options.longest_window = window;
    run.run(kernel);
    expect_same(run, reference, fmt::format("{}: {} threads, window {}", what, threads, window));
  }
}

}  // namespace paws
