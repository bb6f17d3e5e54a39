// SPDX-License-Identifier: MIT
// Kernels that cannot end well end with a message.

#include <gtest/gtest.h>

#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

TEST(Failure, OutOfBoundsNamesEverything) {
  GpuRun run;
  run.shape.block = {64, 1, 1};
  run.buffer_bytes = 128;
  const std::string message = error_of([&] {
    run.run(
        "mul.wide.u32 %rd1, %r0, 4;\nadd.u64 %rd2, %rd0, %rd1;\nst.global.u32 [%rd2], %r0;\nret;");
  });
  EXPECT_EQ(message.find("test.ptx:15: "), 0U) << message;
  for (const char* part : {"test", "block", "warp 1", "buffer"}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is missing in: " << message;
  }
}

TEST(Failure, ADeadlockNamesTheWarpThatWaits) {
  GpuRun run;
  run.shape.block = {64, 1, 1};
  // Each warp waits for the other, at another barrier.
  const std::string message = error_of([&] {
    run.run("setp.lt.u32 %p1, %r0, 32;\n@%p1 bar.sync 1, 64;\n@!%p1 bar.sync 2, 64;\nret;");
  });
  EXPECT_EQ(message,
            "test.ptx:14: kernel 'test', block (0,0,0), warp 0 stands at a barrier: no warp can "
            "ever issue again");
}

TEST(Failure, ASpinIsBounded) {
  GpuRun run;
  run.options.max_cycles = 20000;
  const std::string message = error_of([&] {
    run.run(
        "SPIN:\nld.volatile.global.u32 %r1, [%rd0];\nsetp.eq.u32 %p1, %r1, 0;\n"
        "@%p1 bra SPIN;\nret;");
  });
  EXPECT_NE(
      message.find("kernel 'test', block (0,0,0), warp 0 is still running: not finished after "
                   "20000 cycles (--max-cycles)"),
      std::string::npos)
      << message;
}

TEST(Failure, ABlockThatFitsNoCore) {
  GpuRun run;
  run.shape.block = {256, 1, 1};
  run.shape.dynamic_shared = 49152;
  const std::string message =
      error_of([&] { run.run("mov.u32 %r1, shared_words;\nst.shared.u32 [%r1], %r0;\nret;"); });
  EXPECT_NE(message.find("kernel 'test' does not fit on a core: a block of 256 threads needs "),
            std::string::npos)
      << message;
  EXPECT_NE(message.find("bytes of shared memory"), std::string::npos) << message;
  EXPECT_EQ(message.find("test.ptx:"), 0U) << message;
}

}  // namespace
}  // namespace paws
