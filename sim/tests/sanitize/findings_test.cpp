// SPDX-License-Identifier: MIT
// One kernel per kind of finding, and one beside it that is right.
#include <algorithm>

#include "sim/ir/source_lines.h"
#include "sim/tests/sanitize/support.h"

namespace paws::sanitize {
namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(UninitialisedRead, NamesThreadAddressAndCount) {
  const Finding finding =
      expect_one(Kind::uninitialised_shared_read, 4,
                 "mov.u32 %r2, s;\nadd.u32 %r3, %r2, %r1;\nsetp.lt.u32 %p0, %r0, 20;\n"
                 "@%p0 st.shared.u32 [%r3], %r0;\nld.shared.u32 %r5, [%r3];\nret;\n");
  EXPECT_EQ(finding.count, 44u);
  EXPECT_EQ(finding.thread.x, 20u);
  EXPECT_EQ(finding.address, 80u);
  EXPECT_EQ(to_string(finding),
            "test.ptx:17: kernel 'test', block (0,0,0), thread (20,0,0): "
            "uninitialised-shared-read: 4-byte load from shared address 0x50, which no thread of "
            "the block has written (44 times)");
}

TEST(UninitialisedRead, NoneWhenAllIsWritten) {
  expect_clean(
      "mov.u32 %r2, s;\nadd.u32 %r3, %r2, %r1;\nst.shared.u32 [%r3], %r0;\n"
      "ld.shared.u32 %r5, [%r3];\nret;\n");
}

TEST(UninitialisedRead, OneByteOfAWordIsEnough) {
  expect_one(Kind::uninitialised_shared_read, 4,
             "mov.u32 %r2, s;\nadd.u32 %r3, %r2, %r1;\nst.shared.u16 [%r3], %r0;\n"
             "st.shared.u8 [%r3+2], %r0;\nld.shared.u32 %r5, [%r3];\nret;\n");
}

TEST(UninitialisedRead, AnAtomicReadsToo) {
  expect_one(Kind::uninitialised_shared_read, 1,
             "mov.u32 %r2, s;\nred.shared.add.u32 [%r2], 1;\nret;\n", {{1, 1, 1}, {1, 1, 1}, 0});
}

TEST(UninitialisedRead, ABulkCopyReadsToo) {
  const Finding finding =
      expect_one(Kind::uninitialised_shared_read, 2,
                 "ld.param.u64 %rd1, [buffer];\nsetp.eq.u32 %p0, %r0, 0;\n"
                 "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [s], 64;\nret;\n");
  EXPECT_EQ(finding.cause,
            "64-byte bulk copy from shared address 0x0, which no thread of the block has written");
}

TEST(UninitialisedRead, DynamicSharedMemoryCounts) {
  // The word behind the 256 static bytes.
  const Finding finding = expect_one(Kind::uninitialised_shared_read, 1,
                                     "mov.u32 %r2, s;\nld.shared.u32 %r5, [%r2+256];\nret;\n",
                                     {{1, 1, 1}, {1, 1, 1}, 16});
  EXPECT_EQ(finding.address, 256u);
}

TEST(UninitialisedRead, NoBlockSeesWhatABlockBeforeItInItsSlotHasWritten) {
  // The first half of the grid writes all words before it reads them, the rest only reads. More
  // blocks than slots, on one core: every slot is used several times.
  const std::string body =
      "mov.u32 %r2, s;\nadd.u32 %r3, %r2, %r1;\nmov.u32 %r4, %ctaid.x;\n"
      "setp.lt.u32 %p0, %r4, 50;\n@%p0 st.shared.u32 [%r3], %r0;\n"
      "ld.shared.u32 %r5, [%r3];\nret;\n";
  const Finding finding =
      expect_one(Kind::uninitialised_shared_read, 5, body, {{100, 1, 1}, {64, 1, 1}, 0});
  EXPECT_EQ(finding.count, 50u * 64);
  EXPECT_EQ(finding.block.x, 50u);
  EXPECT_EQ(finding.thread.x, 0u);
}

TEST(Shuffle, ReadsOfLanesThatDoNotExecuteIt) {
  const Finding finding = expect_one(Kind::undefined_shuffle, 2,
                                     "setp.ge.u32 %p0, %r0, 8;\n@%p0 bra end;\n"
                                     "shfl.sync.down.b32 %r2, %r0, 4, 31, 0xff;\nend:\n"
                                     "st.shared.u32 [s], 1;\nret;\n",
                                     {{1, 1, 1}, {32, 1, 1}, 0});
  EXPECT_EQ(finding.count, 4u);
  EXPECT_EQ(finding.thread.x, 4u);
  EXPECT_EQ(finding.cause, "lane 4 reads lane 8, which does not execute this shuffle");
}

TEST(Shuffle, ReadsOfEndedLanesAndBeyondTheBlock) {
  Finding finding = expect_one(Kind::undefined_shuffle, 2,
                               "setp.ge.u32 %p0, %r0, 8;\n@%p0 exit;\n"
                               "shfl.sync.bfly.b32 %r2, %r0, 8, 31, 0xffffffff;\nret;\n",
                               {{1, 1, 1}, {32, 1, 1}, 0});
  EXPECT_EQ(finding.cause, "lane 0 reads lane 8, which has ended");
  finding = expect_one(Kind::undefined_shuffle, 0,
                       "shfl.sync.idx.b32 %r2, %r0, 9, 31, 0xffffffff;\nret;\n",
                       {{1, 1, 1}, {40, 1, 1}, 0});
  EXPECT_EQ(finding.count, 8u);
  EXPECT_EQ(finding.thread.x, 32u);
  EXPECT_EQ(finding.cause, "lane 0 reads lane 9, which is beyond the block");
}

TEST(Shuffle, MemberMasksThatAreWrong) {
  const exec::LaunchShape warp{{1, 1, 1}, {32, 1, 1}, 0};
  // Lanes 24 to 31 read out of their segment and so themselves, but are no members.
  Finding finding = expect_one(Kind::undefined_shuffle, 0,
                               "shfl.sync.down.b32 %r2, %r0, 8, 31, 0x00ffffff;\nret;\n", warp);
  EXPECT_EQ(finding.count, 16u);
  EXPECT_EQ(finding.cause, "lane 16 reads lane 24, which the member mask 0xffffff does not name");
  finding = expect_one(Kind::undefined_shuffle, 0,
                       "shfl.sync.idx.b32 %r2, %r0, 1, 31, 0xfffffffe;\nret;\n", warp);
  EXPECT_EQ(finding.count, 1u);
  EXPECT_EQ(finding.cause, "lane 0 executes it, and its member mask 0xfffffffe does not name it");
  finding = expect_one(Kind::undefined_shuffle, 2,
                       "setp.ge.u32 %p0, %r0, 8;\n@%p0 bra end;\n"
                       "shfl.sync.idx.b32 %r2, %r0, 0, 31, 0x1ff;\nend:\n"
                       "st.shared.u32 [s], 1;\nret;\n",
                       warp);
  EXPECT_EQ(finding.count, 8u);
  EXPECT_EQ(finding.cause,
            "the member mask 0x1ff of lane 0 names lane 8, which does not execute this shuffle");
}

TEST(Shuffle, NoneAmongMembersThatExecuteIt) {
  // Out of the segment a lane reads itself; lanes on another path are no members.
  expect_clean(
      "shfl.sync.down.b32 %r2, %r0, 16, 31, 0xffffffff;\n"
      "shfl.sync.up.b32 %r2, %r0, 1, 0x1800, 0xffffffff;\n"
      "setp.ge.u32 %p0, %r0, 8;\n@%p0 bra end;\n"
      "shfl.sync.bfly.b32 %r2, %r0, 1, 31, 0xff;\nend:\nret;\n",
      {{1, 1, 1}, {32, 1, 1}, 0});
  // A member that has ended need not execute it.
  expect_clean(
      "setp.ge.u32 %p0, %r0, 8;\n@%p0 exit;\nshfl.sync.bfly.b32 %r2, %r0, 1, 31, "
      "0xffffffff;\nret;\n",
      {{1, 1, 1}, {32, 1, 1}, 0});
}

TEST(Barrier, PartOfAWarp) {
  const Finding finding =
      expect_one(Kind::divergent_barrier, 1, "setp.lt.u32 %p0, %r0, 48;\n@%p0 bar.sync 0;\nret;\n");
  EXPECT_EQ(finding.count, 1u);
  EXPECT_EQ(finding.thread.x, 32u);
  EXPECT_TRUE(has(finding.cause, "thread (48,0,0) and 15 more")) << finding.cause;
}

TEST(Barrier, WarpsAtDifferentBarriers) {
  const Finding finding =
      expect_one(Kind::divergent_barrier, 5,
                 "setp.lt.u32 %p0, %r0, 32;\n@%p0 bra other;\nbar.sync 0;\nret;\n"
                 "other:\nbar.sync 0;\nret;\n");
  EXPECT_EQ(finding.cause, "the warp of thread (32,0,0) meets it at line 15");
}

TEST(Barrier, NoneWhenAllThreadsMeet) {
  expect_clean("bar.sync 0;\nbar.red.popc.u32 %r2, 0, %p0;\nbarrier.sync 3;\nret;\n");
  // Threads that have ended do not count: some of a warp, or all of it. A whole warp may go around
  // by itself.
  expect_clean("setp.ge.u32 %p0, %r0, 40;\n@%p0 exit;\nbar.sync 0;\nret;\n");
  expect_clean("setp.ge.u32 %p0, %r0, 32;\n@%p0 exit;\nbar.sync 0;\nret;\n");
  expect_clean("setp.lt.u32 %p0, %r0, 32;\n@%p0 bra end;\nbar.sync 1, 32;\nend:\nret;\n");
}

TEST(Barrier, ThreadsThatOnlyEndDoNotCount) {
  // Compilers make `if (i >= n) return;` a branch to the last ret, where the threads wait.
  const std::string early = "setp.ge.u32 %p0, %r0, 40;\n@%p0 bra end;\n";
  expect_clean(early + "bar.sync 0;\nend:\nret;\n");
  expect_clean(early + "setp.lt.u32 %p1, %r0, 36;\n@%p1 bra end;\nbar.sync 0;\nend:\nret;\n");
  expect_clean(early + "bar.sync 0;\nbra last;\nend:\nbra last;\nlast:\n@%p0 exit;\nret;\n");
  expect_clean(early + "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\nend:\nret;\n");
  // What stands between them and the end, they have to do.
  const std::string store = "st.shared.u32 [s], 1;\n";
  const Finding finding =
      expect_one(Kind::divergent_barrier, 2, early + "bar.sync 0;\nend:\n" + store + "ret;\n");
  EXPECT_TRUE(has(finding.cause, "thread (40,0,0) and 23 more")) << finding.cause;
  expect_one(Kind::divergent_barrier, 2,
             early + "bar.sync 0;\nend:\n@!%p0 bra last;\n" + store + "last:\nret;\n");
  expect_one(Kind::undefined_shuffle, 2,
             early + "shfl.sync.bfly.b32 %r2, %r1, 1, 31, -1;\nend:\n" + store + "ret;\n");
}

TEST(Barrier, AWarpWhoseOtherThreadsOnlyEndHasEnded) {
  // Warp 1 writes and ends in two parts, the first while the other waits at the same ret. A race
  // would be its store and the load of warp 0 behind the barrier.
  expect_clean(
      "setp.lt.u32 %p0, %r0, 32;\n@%p0 bra reads;\nsetp.ge.u32 %p1, %r0, 40;\n@%p1 bra end;\n"
      "st.shared.u32 [s], 1;\nbra end;\nreads:\nbar.sync 0;\nld.shared.u32 %r2, [s];\n"
      "ld.param.u64 %rd1, [buffer];\nst.global.u32 [%rd1], %r2;\nend:\nret;\n");
}

/// %rd1 is the address of the thread's own eight bytes.
const std::string kOwn = "ld.param.u64 %rd1, [buffer];\nmad.wide.u32 %rd1, %r0, 8, %rd1;\n";

TEST(Division, ByZero) {
  const Finding finding = expect_one(Kind::division_by_zero, 1,
                                     "and.b32 %r2, %r0, 3;\ndiv.u32 %r3, %r0, %r2;\n" + kOwn +
                                         "st.global.u32 [%rd1], %r3;\nret;\n");
  EXPECT_EQ(finding.count, 16u);
  EXPECT_EQ(finding.cause, "div.u32 by 0");
  EXPECT_FALSE(finding.address.has_value());
  expect_one(Kind::division_by_zero, 2,
             "cvt.s64.s32 %rd2, %r0;\nmov.u64 %rd3, 0;\nrem.s64 %rd3, %rd2, %rd3;\n" + kOwn +
                 "st.global.u64 [%rd1], %rd3;\nret;\n");
  // 65,536 in 16 bits.
  expect_one(Kind::division_by_zero, 2,
             "mov.u32 %r2, 65536;\ncvt.u16.u32 %h1, %r2;\ndiv.s16 %h2, 7, %h1;\n" + kOwn +
                 "st.global.u16 [%rd1], %h2;\nret;\n");
}

TEST(Division, NoneOfGuardedOnes) {
  expect_clean(
      "and.b32 %r2, %r0, 3;\nsetp.ne.u32 %p0, %r2, 0;\n@%p0 div.u32 %r3, %r0, %r2;\n"
      "div.u32 %r4, %r0, 7;\nmov.b32 %r5, 0;\ndiv.rn.f32 %r6, %r0, %r5;\n"
      "add.u32 %r3, %r3, %r4;\nadd.u32 %r3, %r3, %r6;\n" +
      kOwn + "st.global.u32 [%rd1], %r3;\nret;\n");
}

TEST(Findings, AreCountedOverLaunchesAndKeepTheFirst) {
  CheckedRun run{.shape = {{3, 1, 1}, {64, 1, 1}, 0}, .launches = 2};
  const std::string body = "mov.u32 %r2, s;\nld.shared.u32 %r5, [%r2];\nret;\n";
  for (const Report& report : {run.functional(body), run.timed(body)}) {
    ASSERT_EQ(report.findings.size(), 1u);
    EXPECT_EQ(report.findings[0].count, 2u * 3 * 64);
    EXPECT_EQ(report.findings[0].launch, 1u);
    EXPECT_EQ(report.findings[0].block.x, 0u);
  }
  EXPECT_EQ(summary(run.functional(body)), "1 finding: 1 uninitialised-shared-read");
  EXPECT_EQ(summary({}), "no findings");
}

TEST(Findings, AreTheSameForEveryNumberOfHostThreads) {
  const std::string body =
      "mov.u32 %r2, s;\nadd.u32 %r3, %r2, %r1;\nmov.u32 %r4, %ctaid.x;\n"
      "ld.shared.u32 %r5, [%r3];\nxor.b32 %r6, %r1, 128;\nadd.u32 %r6, %r2, %r6;\n"
      "st.shared.u32 [%r6], %r4;\nshfl.sync.down.b32 %r7, %r0, 1, 31, 1;\nret;\n";
  std::vector<std::string> one;
  for (const unsigned threads : {1u, 3u}) {
    CheckedRun run{.shape = {{40, 1, 1}, {64, 1, 1}, 0}, .cores = 4, .threads = threads};
    std::vector<std::string> lines;
    for (const Finding& finding : run.timed(body).findings) lines.push_back(to_string(finding));
    EXPECT_GE(lines.size(), 3u);
    if (one.empty()) one = lines;
    EXPECT_EQ(lines, one);
  }
}

TEST(Findings, NameTheLowestBlockWhateverCoreItRanOn) {
  // Core i of four starts with block i, so that core 0 comes to a wrong block after core 1 does.
  CheckedRun run{.shape = {{40, 1, 1}, {64, 1, 1}, 0}, .cores = 4};
  const Report report = run.timed(
      "mov.u32 %r2, s;\nmov.u32 %r4, %ctaid.x;\nsetp.ge.u32 %p0, %r4, 5;\n"
      "@%p0 ld.shared.u32 %r5, [%r2];\nret;\n");
  ASSERT_EQ(report.findings.size(), 1u);
  EXPECT_EQ(report.findings[0].block.x, 5u);
  EXPECT_EQ(report.findings[0].count, 35u * 64);
}

TEST(Findings, AreKeptWhenTheKernelFails) {
  const std::string body =
      "mov.u32 %r2, s;\nld.shared.u32 %r5, [%r2];\nld.shared.u32 %r6, [%r2+1024];\nret;\n";
  CheckedRun functional;
  EXPECT_EQ(outline(functional.functional(body)).size(), 1u);
  EXPECT_TRUE(has(functional.error, "test.ptx:15")) << functional.error;
  CheckedRun timed;
  EXPECT_EQ(outline(timed.timed(body)).size(), 1u);
  EXPECT_TRUE(has(timed.error, "test.ptx:15")) << timed.error;
}

TEST(Findings, NameTheSourceLine) {
  const std::string body =
      ".file 1 \"soft max.cu\"\n.loc 1 7 3\nmov.u32 %r2, s;\n"
      ".loc 1 9 5, function_name $L1, inlined_at 1 20 3\nld.shared.u32 %r5, [%r2];\nret;\n";
  const Finding finding = expect_one(Kind::uninitialised_shared_read, 4, body);
  EXPECT_EQ(finding.place.source_file, "soft max.cu");
  EXPECT_EQ(finding.place.source_line, 9u);
  EXPECT_TRUE(has(to_string(finding), "test.ptx:17 (soft max.cu:9): kernel"));
}

TEST(SourceLines, HoldUntilTheNextLocOfTheFunction) {
  ir::SourceLines lines;
  lines.name_file(2, "a.cu");
  lines.start(10, 2, 5);
  lines.start(12, 2, 6);
  lines.start(14, 3, 7);
  lines.forget(20);
  EXPECT_EQ(lines.at(9).line, 0u);
  EXPECT_EQ(lines.at(11).line, 5u);
  EXPECT_EQ(lines.at(13).line, 6u);
  EXPECT_EQ(lines.at(13).file, "a.cu");
  EXPECT_EQ(lines.at(15).line, 0u) << "file 3 has no name";
  EXPECT_EQ(lines.at(25).line, 0u);
}

}  // namespace
}  // namespace paws::sanitize
