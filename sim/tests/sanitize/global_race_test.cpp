// SPDX-License-Identifier: MIT
// Races on global memory, between blocks and between warps of a block: what is one, and what is
// none. All are warnings.
#include <fmt/format.h>

#include "sim/tests/sanitize/support.h"

namespace paws::sanitize {
namespace {

const exec::LaunchShape kTwoBlocks{{2, 1, 1}, {32, 1, 1}, 0};
const exec::LaunchShape kManyBlocks{{12, 1, 1}, {64, 1, 1}, 0};

/// %rd1 is the buffer, %r2 the number of the block, %rd2 the address of the block's word, %rd3 that
/// of the other block's, of two, %p0 thread 0. Seven lines.
const std::string kWords =
    "ld.param.u64 %rd1, [buffer];\nmov.u32 %r2, %ctaid.x;\nmad.wide.u32 %rd2, %r2, 4, %rd1;\n"
    "xor.b32 %r3, %r2, 1;\nmad.wide.u32 %rd3, %r3, 4, %rd1;\nsetp.eq.u32 %p0, %r0, 0;\n"
    "add.u32 %r4, %r2, 1;\n";

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Both ways of running find races on global memory, and nothing else.
void expect_global_races(const std::string& body, const exec::LaunchShape& shape = kTwoBlocks) {
  CheckedRun run{.shape = shape};
  for (const Report& report : {run.functional(body), run.timed(body)}) {
    EXPECT_FALSE(report.findings.empty());
    for (const Finding& finding : report.findings) {
      EXPECT_EQ(finding.kind, Kind::global_race) << to_string(finding);
    }
  }
}

TEST(GlobalRace, ABlockReadsWhatAnotherWrites) {
  const std::string body =
      kWords + "st.global.u32 [%rd2], %r4;\nld.global.u32 %r5, [%rd3];\nret;\n";
  const Finding finding = expect_one(Kind::global_race, 8, body, kTwoBlocks);
  ASSERT_TRUE(finding.other.has_value());
  EXPECT_EQ(finding.other->place.line, kFirstLine + 7);
  ASSERT_TRUE(finding.other->block.has_value());
  EXPECT_EQ(finding.other->block->x, 1u);
  // Block 0 reads before block 1 writes, and block 1 what block 0 has written: twice.
  EXPECT_EQ(to_string(finding),
            "test.ptx:21: kernel 'test', block (0,0,0), thread (0,0,0): warning: global-race: "
            "4-byte load of 'buffer' + 0x4, which block (1,0,0), thread (0,0,0) writes at line 20 "
            "in no order (2 times)");
  CheckedRun run{.shape = kTwoBlocks};
  const Report report = run.functional(body);
  EXPECT_TRUE(report.clean()) << "a warning";
  EXPECT_EQ(summary(report), "1 finding: 1 global-race");
}

TEST(GlobalRace, WhicheverComesFirstTheReadIsTold) {
  // Block 0 reads before block 1 writes.
  const std::string body =
      kWords + "ld.global.u32 %r5, [%rd3];\nst.global.u32 [%rd2], %r4;\nret;\n";
  const Finding finding = expect_one(Kind::global_race, 7, body, kTwoBlocks);
  EXPECT_EQ(finding.other->place.line, kFirstLine + 8);
}

TEST(GlobalRace, OfOneValueIsNoneUnlessItIsRead) {
  const std::string one = "mov.u32 %r5, 1;\nst.global.u32 [%rd1], %r5;\n";
  expect_clean(kWords + one + "ret;\n", kManyBlocks);
  expect_one(Kind::global_race, 7, kWords + "st.global.u32 [%rd1], %r4;\nret;\n", kTwoBlocks);
  expect_global_races(kWords + "ld.global.u32 %r6, [%rd1];\n" + one + "ret;\n");
}

TEST(GlobalRace, ALoadThatOnlyDecidesBranchesIsNone) {
  const std::string test =
      "ld.global.u32 %r5, [%rd3];\nsetp.eq.u32 %p1, %r5, 9;\n@%p1 bra end;\n"
      "st.global.u32 [%rd2], %r4;\nend:\n";
  expect_clean(kWords + test + "ret;\n", kTwoBlocks);
  for (const char* more : {"selp.u32 %r6, 1, 2, %p1;\n", "add.u32 %r6, %r5, 1;\n",
                           "@%p1 mov.u32 %r6, 1;\n", "setp.eq.and.u32 %p2, %r4, 1, %p1;\n"}) {
    expect_global_races(kWords + test + more + "ret;\n");
  }
}

TEST(GlobalRace, OwnWordsAndOwnBytesAreNone) {
  const std::string thread =
      "mad.lo.u32 %r5, %r2, 64, %r0;\nmul.wide.u32 %rd4, %r5, {};\nadd.u64 %rd4, %rd1, %rd4;\n";
  const std::string add =
      "ld.global.u{0} %r6, [%rd4];\nadd.u32 %r6, %r6, 1;\nst.global.u{0} [%rd4], %r6;\nret;\n";
  expect_clean(kWords + fmt::format(fmt::runtime(thread), 4) + fmt::format(fmt::runtime(add), 32),
               kManyBlocks);
  expect_clean(kWords + fmt::format(fmt::runtime(thread), 1) + fmt::format(fmt::runtime(add), 8),
               kManyBlocks);
  // A block's byte in the word of another, which has been accessed as a word first.
  expect_global_races(kWords +
                      "setp.eq.u32 %p1, %r2, 0;\n@%p1 st.global.u32 [%rd1], %r0;\n"
                      "@!%p1 st.global.u8 [%rd1+3], %r4;\nret;\n");
  expect_clean(kWords +
                   "setp.eq.u32 %p1, %r2, 0;\n@%p1 ld.global.u32 %r5, [%rd1+8];\n"
                   "@%p1 st.global.u8 [%rd1+1], %r4;\n@!%p1 st.global.u8 [%rd1+3], %r4;\nret;\n",
               kTwoBlocks);
}

TEST(GlobalRace, AtomicAndVolatileAccessesAreNoneAmongThemselves) {
  expect_clean(kWords +
                   "red.global.add.u32 [%rd1], 1;\natom.global.max.u32 %r5, [%rd1], %r2;\n"
                   "ld.volatile.global.u32 %r5, [%rd1];\nst.relaxed.gpu.global.u32 [%rd1], %r2;\n"
                   "ret;\n",
               kManyBlocks);
  expect_clean(kWords + "ld.global.cg.u32 %r5, [%rd3];\nst.global.cg.u32 [%rd2], %r5;\nret;\n",
               kTwoBlocks);
  // The load only says what the swap is to find.
  expect_clean(kWords +
                   "ld.global.u32 %r5, [%rd1];\nadd.u32 %r6, %r5, 1;\n"
                   "atom.global.cas.b32 %r7, [%rd1], %r5, %r6;\nret;\n",
               kManyBlocks);
  expect_global_races(kWords + "red.global.add.u32 [%rd1], 1;\nld.global.u32 %r5, [%rd1];\nret;\n",
                      kManyBlocks);
  expect_global_races(kWords + "red.global.add.u32 [%rd1], 1;\nst.global.u32 [%rd1], %r4;\nret;\n");
}

/// Thread 0 of each block stores to the block's word, and counts itself; that of the last block
/// reads all words and takes the count back. `fence`: between store and count; `before`: the store.
std::string last_block(const std::string& fence, const std::string& count,
                       const std::string& before = "") {
  return kWords + "@!%p0 ret;\n" + before + "st.global.u32 [%rd2], %r4;\n" + fence + count +
         "mov.u32 %r6, %nctaid.x;\nsub.u32 %r6, %r6, 1;\nsetp.ne.u32 %p1, %r5, %r6;\n@%p1 ret;\n"
         "again:\nld.global.u32 %r7, [%rd1];\nadd.u64 %rd1, %rd1, 4;\nsub.u32 %r6, %r6, 1;\n"
         "setp.ne.u32 %p1, %r6, 0;\n@%p1 bra again;\nmov.u32 %r7, 0;\n"
         "ld.param.u64 %rd1, [buffer];\nst.global.u32 [%rd1+1024], %r7;\nret;\n";
}

TEST(GlobalRace, WhatIsPublishedBehindAFenceAndAcquiredIsNone) {
  const std::string count = "atom.global.add.u32 %r5, [%rd1+1024], 1;\n";
  expect_clean(last_block("membar.gl;\n", count), kManyBlocks);
  expect_clean(last_block("", "atom.acq_rel.gpu.global.add.u32 %r5, [%rd1+1024], 1;\n"),
               kManyBlocks);
  expect_global_races(last_block("", count), kManyBlocks);
  expect_global_races(last_block("", count + "membar.gl;\n"), kManyBlocks);
  expect_global_races(last_block("", count, "membar.gl;\n"), kManyBlocks);
}

/// Thread 0 adds to a word of all under a lock. Of one core, since its blocks wait for each other.
std::string locked(const std::string& fence) {
  return kWords + "@!%p0 ret;\nagain:\natom.global.cas.b32 %r5, [%rd1+1024], 0, 1;\n" +
         "setp.ne.u32 %p1, %r5, 0;\n@%p1 bra again;\n" +
         "ld.global.u32 %r6, [%rd1];\nadd.u32 %r6, %r6, 1;\nst.global.u32 [%rd1], %r6;\n" + fence +
         "atom.global.exch.b32 %r5, [%rd1+1024], 0;\nret;\n";
}

TEST(GlobalRace, UnderALockIsNone) {
  expect_clean(locked("membar.gl;\n"), kManyBlocks);
  expect_global_races(locked(""), kManyBlocks);
}

TEST(GlobalRace, BehindABarrierOfTheWholeGridIsNone) {
  // Block 0 waits for the others with a volatile load, and they for it.
  const auto barrier = [](unsigned place, const std::string& wait) {
    return fmt::format(
        "bar.sync 0;\nmembar.gl;\n@%p0 red.global.add.u32 [%rd1+{0}], 1;\nwait{0}:\n"
        "ld.volatile.global.u32 %r5, [%rd1+{0}];\nsetp.lt.u32 %p1, %r5, 2;\n@%p1 bra {1}{0};\n"
        "bar.sync 0;\n",
        place, wait);
  };
  const std::string store = kWords + "st.global.u32 [%rd2], %r4;\n";
  const std::string load = "ld.global.u32 %r6, [%rd3];\n";
  const std::string change = "st.global.u32 [%rd3], %r0;\nret;\n";
  CheckedRun run{.shape = kTwoBlocks};
  Report report = run.timed(store + barrier(1024, "wait") + load + barrier(1028, "wait") + change);
  EXPECT_EQ(run.error, "");
  for (const Finding& finding : report.findings) ADD_FAILURE() << to_string(finding);
  report = run.timed(store + load + barrier(1028, "wait") + change);
  EXPECT_EQ(report.findings.size(), 1u) << "the load before the barrier, not that behind it";
}

TEST(GlobalRace, WarpsOfABlockNeedABarrier) {
  // The block's warps add to the same words, as when only threadIdx.x chooses the element.
  const exec::LaunchShape shape{{1, 1, 1}, {64, 1, 1}, 0};
  const std::string word =
      "ld.param.u64 %rd1, [buffer];\nand.b32 %r2, %r0, 31;\nmad.wide.u32 %rd2, %r2, 4, %rd1;\n";
  const std::string add =
      "ld.global.u32 %r5, [%rd2];\nadd.u32 %r5, %r5, %r0;\nst.global.u32 [%rd2], %r5;\n";
  CheckedRun run{.shape = shape};
  const Report report = run.functional(word + add + "ret;\n");
  EXPECT_EQ(outline(report), (std::vector<std::string>{"16 global-race", "18 global-race"}));
  EXPECT_TRUE(contains(report.findings.at(0).cause,
                       "which thread (0,0,0) writes at line 18 with no "
                       "barrier between"))
      << report.findings.at(0).cause;
  expect_global_races(word + add + "ret;\n", shape);
  // The second warp adds behind a barrier.
  const auto if_second = [](const std::string& guard) {
    return guard + " ld.global.u32 %r5, [%rd2];\nadd.u32 %r5, %r5, %r0;\n" + guard +
           " st.global.u32 [%rd2], %r5;\n";
  };
  const std::string turns = "setp.ge.u32 %p0, %r0, 32;\n" + if_second("@!%p0") + "bar.sync 0;\n" +
                            if_second("@%p0") + "ret;\n";
  expect_clean(word + turns, shape);
}

TEST(GlobalRace, AReaderIsNotForgottenForThoseThatABarrierOrders) {
  // A warp of block 0 reads, then both of block 1, one of which writes behind a barrier.
  CheckedRun run{.shape = {{2, 1, 1}, {64, 1, 1}, 0}};
  const Report report = run.functional(
      kWords +
      "setp.lt.u32 %p1, %r0, 32;\nsetp.eq.or.u32 %p1, %r2, 1, %p1;\n"
      "@%p1 ld.global.u32 %r5, [%rd1];\nbar.sync 0;\nsetp.eq.and.u32 %p1, %r2, 1, %p0;\n"
      "@%p1 st.global.u32 [%rd1], %r4;\nret;\n");
  ASSERT_EQ(outline(report), std::vector<std::string>{"22 global-race"});
  EXPECT_EQ(report.findings.front().block.x, 0u);
  EXPECT_EQ(report.findings.front().other->block->x, 1u);
}

TEST(GlobalRace, IsToldOncePerPairOfSourceLinesAndCountedOverLaunches) {
  const std::string body = kWords +
                           ".file 1 \"k.cu\"\n.loc 1 3 1\nst.global.u32 [%rd2], %r4;\n"
                           "st.global.u32 [%rd2+8], %r4;\n.loc 1 4 1\n"
                           "ld.global.u32 %r5, [%rd3];\nld.global.u32 %r5, [%rd3+8];\nret;\n";
  CheckedRun run{.shape = kTwoBlocks, .launches = 3};
  const Report report = run.functional(body);
  ASSERT_EQ(outline(report), std::vector<std::string>{"25 global-race"});
  const Finding& finding = report.findings.front();
  EXPECT_EQ(finding.place.source_line, 4u);
  EXPECT_EQ(finding.other->place.source_line, 3u);
  EXPECT_EQ(finding.launch, 1u);
  EXPECT_EQ(finding.count, 3u * 4) << "each of two words by both blocks";
}

TEST(GlobalRace, IsTheSameWithAnyNumberOfHostThreads) {
  const std::string body = kWords +
                           "st.global.u32 [%rd2], %r4;\nld.global.u32 %r5, [%rd3];\n"
                           "st.global.u32 [%rd1], %r4;\nret;\n";
  std::vector<std::vector<std::string>> told;
  for (const unsigned threads : {1u, 4u}) {
    CheckedRun run{.shape = kManyBlocks, .cores = 4, .threads = threads};
    std::vector<std::string>& lines = told.emplace_back();
    for (const Finding& finding : run.timed(body).findings) lines.push_back(to_string(finding));
  }
  EXPECT_FALSE(told[0].empty());
  EXPECT_EQ(told[0], told[1]);
}

}  // namespace
}  // namespace paws::sanitize
