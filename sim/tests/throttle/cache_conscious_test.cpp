// SPDX-License-Identifier: MIT
#include "sim/throttle/cache_conscious.h"

#include <gtest/gtest.h>

#include "sim/tests/gpu/support.h"
#include "sim/throttle/throttles.h"

namespace paws {
namespace {

/// Every warp reads four lines of its own again and again.
const char* const kRereads = R"(
  mov.u32 %r1, %ctaid.x;
  mul.wide.u32 %rd1, %r1, 512;
  add.u64 %rd2, %rd0, %rd1;
  mul.wide.u32 %rd3, %r0, 4;
  add.u64 %rd2, %rd2, %rd3;
LOOP:
  ld.global.u32 %r2, [%rd2];
  add.u32 %r10, %r10, %r2;
  ld.global.u32 %r3, [%rd2+128];
  add.u32 %r10, %r10, %r3;
  ld.global.u32 %r4, [%rd2+256];
  add.u32 %r10, %r10, %r4;
  ld.global.u32 %r5, [%rd2+384];
  add.u32 %r10, %r10, %r5;
  add.u32 %r20, %r20, 1;
  setp.lt.u32 %p1, %r20, 32;
  @%p1 bra LOOP;
  st.global.u32 [%rd2], %r10;
  ret;
)";

/// Blocks of one warp on one core, whose L1 holds `lines` lines.
GpuRun run_with(const std::string& throttle, unsigned lines, unsigned blocks) {
  GpuRun run;
  run.config.l1.ways = 4;
  run.config.l1.bytes = lines * memory::kLineBytes;
  run.scheduler = "single:gto";
  run.shape = {{blocks, 1, 1}, {32, 1, 1}};
  run.buffer_bytes = 512 * blocks;
  run.options.filter = throttle_factory(throttle, run.config);
  run.run(kRereads);
  return run;
}

TEST(CacheConscious, WarpsThatLoseTheirLinesKeepOthersFromLoading) {
  const GpuRun free = run_with(kNoThrottle, 16, 8);
  const GpuRun run = run_with("ccws", 16, 8);
  EXPECT_EQ(run.words, free.words);
  EXPECT_LT(run.statistics.cores.l1_misses, free.statistics.cores.l1_misses)
      << "eight warps need 32 lines, 16 are there";
}

TEST(CacheConscious, WithoutLostLinesNothingIsHeldBack) {
  const GpuRun free = run_with(kNoThrottle, 64, 8);
  const GpuRun run = run_with("ccws", 64, 8);
  EXPECT_EQ(run.statistics.cycles, free.statistics.cycles);
  EXPECT_EQ(run.statistics.cores, free.statistics.cores);
}

}  // namespace
}  // namespace paws
