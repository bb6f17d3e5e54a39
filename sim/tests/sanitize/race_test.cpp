// SPDX-License-Identifier: MIT
// Races between warps on shared memory: what is one, and what is none.
#include "sim/tests/sanitize/support.h"

namespace paws::sanitize {
namespace {

/// Each thread stores to its own word; %r3 is the address of its own, %r4 of one of the other warp.
const std::string kStore =
    "mov.u32 %r2, s;\nadd.u32 %r3, %r2, %r1;\nxor.b32 %r4, %r1, 128;\nadd.u32 %r4, %r2, %r4;\n"
    "st.shared.u32 [%r3], %r0;\n";

/// Both ways of running find races, and nothing else. Which side of a race comes second, and so
/// whose line it is, depends on timing.
void expect_races(const std::string& body) {
  CheckedRun run;
  for (const Report& report : {run.functional(body), run.timed(body)}) {
    EXPECT_FALSE(report.clean());
    for (const Finding& finding : report.findings) {
      EXPECT_EQ(finding.kind, Kind::shared_race) << to_string(finding);
    }
  }
}

TEST(Race, AMissingBarrierBetweenStoreAndLoad) {
  const std::string body = kStore + "ld.shared.u32 %r5, [%r4];\nret;\n";
  // The first warp runs to its end: it reads what no thread has written, and the second warp's
  // store meets its loads.
  CheckedRun run;
  EXPECT_EQ(outline(run.functional(body)),
            (std::vector<std::string>{"17 shared-race", "18 uninitialised-shared-read",
                                      "18 shared-race"}));
  EXPECT_FALSE(run.timed(body).clean());
}

TEST(Race, ABarrierBetweenMakesItRight) {
  expect_clean(kStore + "bar.sync 0;\nld.shared.u32 %r5, [%r4];\nret;\n");
  expect_clean(kStore +
               "barrier.sync 0;\nld.shared.u32 %r5, [%r4];\nbarrier.sync 0;\n"
               "st.shared.u32 [%r3], %r5;\nret;\n");
}

/// Each thread stores to its own byte; %r3 is the address of its own, %r4 of one of the other warp.
/// Behind the bytes is a barrier object of all threads; "behind" is what follows its making.
std::string with_object(const std::string& behind) {
  return "mov.u32 %r2, s;\nadd.u32 %r3, %r2, %r0;\nxor.b32 %r4, %r0, 32;\n"
         "add.u32 %r4, %r2, %r4;\nsetp.eq.u32 %p0, %r0, 0;\n"
         "@%p0 mbarrier.init.shared.b64 [%r2+128], 64;\n" +
         behind;
}
const std::string kArrive =
    "bar.sync 0;\nst.shared.u8 [%r3], %r0;\nmbarrier.arrive.shared.b64 %rd2, [%r2+128];\n";
const std::string kLoad = "ld.shared.u8 %r5, [%r4];\n";

TEST(Race, APhaseOfABarrierObjectOrdersWhatItWaitedFor) {
  const std::string wait =
      "wait:\nmbarrier.test_wait.shared.b64 %p1, [%r2+128], %rd2;\n@!%p1 bra wait;\n";
  const std::string parity =
      "wait:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r2+128], 0;\n@!%p1 bra wait;\n";
  expect_clean(with_object(kArrive + wait + kLoad + "ret;\n"));
  expect_clean(with_object(kArrive + parity + kLoad + "ret;\n"));
  expect_clean(with_object(kArrive + wait + kLoad +
                           "bar.sync 0;\n@%p0 mbarrier.inval.shared.b64 [%r2+128];\nret;\n"));
  // What a warp does behind its arrival is in no order.
  const std::string late =
      "bar.sync 0;\nmbarrier.arrive.shared.b64 %rd2, [%r2+128];\n"
      "st.shared.u8 [%r3], %r0;\n";
  EXPECT_FALSE(CheckedRun().functional(with_object(late + wait + kLoad + "ret;\n")).clean());
}

TEST(Race, ATestOfABarrierObjectThatFailsOrdersNothing) {
  const std::string once = "mbarrier.test_wait.shared.b64 %p1, [%r2+128], %rd2;\n";
  EXPECT_FALSE(CheckedRun().functional(with_object(kArrive + once + kLoad + "ret;\n")).clean());
  // The first warp arrives last, and ends the phase. It asks for the next one, which has not ended.
  const std::string next =
      "mbarrier.test_wait.parity.shared.b64 %p1, [%r2+128], 1;\nsetp.lt.u32 %p2, %r0, 32;\n@%p2 ";
  EXPECT_FALSE(CheckedRun().functional(with_object(kArrive + next + kLoad + "ret;\n")).clean());
}

TEST(Race, ABarrierObjectThatIsMadeOrEndsWithoutOrder) {
  const std::string arrive =
      "setp.ge.u32 %p1, %r0, 32;\n@%p1 mbarrier.arrive.shared.b64 %rd2, [%r2+128];\n";
  const Report made = CheckedRun().functional(with_object(arrive + "ret;\n"));
  ASSERT_EQ(outline(made), std::vector<std::string>{"20 shared-race"});
  EXPECT_EQ(made.findings.front().cause.rfind("8-byte barrier object at shared address 0x80", 0),
            0u)
      << made.findings.front().cause;
  const std::string end = "@%p0 mbarrier.inval.shared.b64 [%r2+128];\nret;\n";
  EXPECT_EQ(outline(CheckedRun().functional(with_object("bar.sync 0;\n" + arrive + end))),
            std::vector<std::string>{"22 shared-race"});
}

TEST(Race, AnArrivalOfCopiesIsOneOfTheCopiedData) {
  const std::string copies =
      "ld.param.u64 %rd1, [buffer];\nmul.wide.u32 %rd3, %r0, 4;\nadd.u64 %rd1, %rd1, %rd3;\n"
      "and.b32 %r6, %r1, 124;\nadd.u32 %r6, %r2, %r6;\nbar.sync 0;\n"
      "setp.lt.u32 %p2, %r0, 32;\n@%p2 cp.async.ca.shared.global [%r6], [%rd1], 4;\n";
  const std::string wait =
      "wait:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r2+128], 0;\n@!%p1 bra wait;\n"
      "ld.shared.u32 %r5, [%r6];\nret;\n";
  expect_clean(
      with_object(copies + "cp.async.mbarrier.arrive.noinc.shared.b64 [%r2+128];\n" + wait));
  // Either side of the race may come second.
  EXPECT_FALSE(
      CheckedRun().functional(with_object(copies + "ld.shared.u32 %r5, [%r6];\nret;\n")).clean());
}

/// One thread fetches for all, and later sends away what the others have changed.
TEST(Race, ABulkCopyIsOfTheThreadThatAskedForIt) {
  const std::string fetch =
      "ld.param.u64 %rd1, [buffer];\nadd.u32 %r6, %r2, %r0;\nbar.sync 0;\n"
      "@%p0 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r2], [%rd1], 64, "
      "[%r2+128];\n@%p0 mbarrier.arrive.expect_tx.shared::cta.b64 %rd2, [%r2+128], 64;\n"
      "setp.ne.u32 %p2, %r0, 0;\n@%p2 mbarrier.arrive.shared.b64 %rd2, [%r2+128];\n";
  const std::string wait =
      "wait:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r2+128], 0;\n@!%p1 bra wait;\n";
  const std::string load = "ld.shared.u8 %r5, [%r6];\n";
  const std::string send =
      "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd1+64], [%r2], 64;\nret;\n";
  const std::string store = "setp.ge.u32 %p3, %r0, 32;\n@%p3 st.shared.u8 [%r6], %r1;\n";
  expect_clean(with_object(fetch + wait + load + "ret;\n"));
  expect_clean(with_object(fetch + wait + store + "bar.sync 0;\n" + send));
  const Report unread = CheckedRun().functional(with_object(fetch + load + "ret;\n"));
  EXPECT_FALSE(unread.clean());
  const Report unsent = CheckedRun().functional(with_object(fetch + wait + store + send));
  ASSERT_FALSE(unsent.clean());
  EXPECT_NE(unsent.findings.front().cause.find("which thread (0,0,0) read at line"),
            std::string::npos)
      << unsent.findings.front().cause;
}

/// So a store that overwrites the source too early, behind a barrier, is not found.
TEST(Race, ABulkCopyCountsAtItsIssue) {
  const std::string send =
      "ld.param.u64 %rd1, [buffer];\nsetp.eq.u32 %p0, %r0, 0;\nbar.sync 0;\n"
      "@%p0 cp.async.bulk.global.shared::cta.bulk_group [%rd1], [%r2], 256;\n";
  const std::string overwrite = "st.shared.u32 [%r4], %r1;\nret;\n";
  expect_clean(kStore + send + "bar.sync 0;\n" + overwrite);
  expect_races(kStore + send + overwrite);
}

TEST(Race, AMissingBarrierBetweenLoadAndStore) {
  // As in a loop over tiles whose second barrier is missing.
  const std::string body =
      kStore + "bar.sync 0;\nld.shared.u32 %r5, [%r4];\nst.shared.u32 [%r3], %r5;\nret;\n";
  expect_races(body);
  CheckedRun run;
  const Report report = run.functional(body);
  ASSERT_EQ(outline(report), (std::vector<std::string>{"19 shared-race", "20 shared-race"}));
  const Finding& store = report.findings.back();
  EXPECT_NE(store.cause.find("read at line 19"), std::string::npos) << store.cause;
  ASSERT_TRUE(store.other.has_value());
  EXPECT_EQ(store.other->place.line, 19u);
  // The second warp completes the barrier and goes on; the first one stores behind it.
  EXPECT_EQ(store.thread.x, 0u);
  EXPECT_EQ(store.other->thread.x, 32u);
  EXPECT_EQ(store.address, 0u);
  EXPECT_EQ(store.count, 32u);
}

TEST(Race, TwoStoresOfDifferentValues) {
  const Finding finding =
      expect_one(Kind::shared_race, 2,
                 "mov.u32 %r2, s;\nshr.u32 %r3, %r0, 5;\nst.shared.u32 [%r2], %r3;\nret;\n");
  EXPECT_EQ(finding.address, 0u);
  EXPECT_EQ(finding.count, 1u) << "the second warp's other threads store behind its first one";
  EXPECT_NE(finding.cause.find("wrote at line 15"), std::string::npos) << finding.cause;
}

TEST(Race, TwoStoresOfOneValueAreNone) {
  expect_clean("mov.u32 %r2, s;\nmov.u32 %r3, 1;\nst.shared.u32 [%r2], %r3;\nret;\n");
}

TEST(Race, WithinAWarpAreNone) {
  expect_clean(
      "mov.u32 %r2, s;\nadd.u32 %r3, %r2, %r1;\nxor.b32 %r4, %r1, 4;\nadd.u32 %r4, %r2, %r4;\n"
      "st.shared.u32 [%r3], %r0;\nld.shared.u32 %r5, [%r4];\nst.shared.u32 [%r4], %r5;\nret;\n");
}

TEST(Race, AtomicsDoNotRaceWithEachOther) {
  const std::string clear =
      "mov.u32 %r2, s;\nmov.u32 %r3, 0;\nst.shared.u32 [%r2], %r3;\nbar.sync 0;\n";
  expect_clean(clear +
               "atom.shared.add.u32 %r5, [%r2], 1;\nred.shared.max.u32 [%r2], %r0;\nbar.sync 0;\n"
               "ld.shared.u32 %r5, [%r2];\nret;\n");
}

TEST(Race, AnAtomicAndALoadRace) {
  expect_races(
      "mov.u32 %r2, s;\nmov.u32 %r3, 0;\nst.shared.u32 [%r2], %r3;\nbar.sync 0;\n"
      "red.shared.add.u32 [%r2], 1;\nld.shared.u32 %r5, [%r2];\nret;\n");
}

TEST(Race, AnAtomicAndAStoreRace) {
  // The first warp adds, the second one stores.
  expect_races(
      "mov.u32 %r2, s;\nmov.u32 %r3, 0;\nst.shared.u32 [%r2], %r3;\nbar.sync 0;\n"
      "setp.lt.u32 %p0, %r0, 32;\n@%p0 red.shared.add.u32 [%r2], 1;\n"
      "@!%p0 st.shared.u32 [%r2], %r1;\nret;\n");
}

TEST(Race, NeighbouringBytesAreApart) {
  // Thread i of either warp stores to byte 2 i + warp.
  const std::string address =
      "mov.u32 %r2, s;\nand.b32 %r3, %r0, 31;\nshl.b32 %r3, %r3, 1;\nshr.u32 %r4, %r0, 5;\n"
      "add.u32 %r3, %r3, %r4;\nadd.u32 %r3, %r3, %r2;\n";
  expect_clean(address + "st.shared.u8 [%r3], %r0;\nret;\n");
  // Behind it, words that span both warps' bytes.
  CheckedRun run;
  const Report report = run.functional(address +
                                       "st.shared.u8 [%r3], %r0;\nand.b32 %r3, %r3, 60;\n"
                                       "add.u32 %r3, %r3, %r2;\nld.shared.u32 %r5, [%r3];\nret;\n");
  EXPECT_EQ(outline(report),
            (std::vector<std::string>{"19 shared-race", "22 uninitialised-shared-read",
                                      "22 shared-race"}));
}

TEST(Race, GenericAddressesAreSharedOnesToo) {
  expect_one(Kind::shared_race, 4,
             "mov.u64 %rd1, s;\ncvta.shared.u64 %rd1, %rd1;\nshr.u32 %r3, %r0, 5;\n"
             "add.u32 %r3, %r3, 1;\nst.u32 [%rd1], %r3;\nret;\n");
  // The same instruction on global memory.
  expect_clean("ld.param.u64 %rd1, [buffer];\nmov.u32 %r3, 1;\nst.u32 [%rd1], %r3;\nret;\n");
}

TEST(Race, AVectorIsCheckedElementByElement) {
  const Finding finding = expect_one(Kind::shared_race, 3,
                                     "mov.u32 %r2, s;\nshr.u32 %r3, %r0, 5;\nmov.u32 %r4, 7;\n"
                                     "st.shared.v4.u32 [%r2], {%r4, %r4, %r3, %r4};\nret;\n");
  EXPECT_EQ(finding.address, 0u);
}

TEST(Race, ProducersAndConsumersAtNamedBarriers) {
  // Warp 0 fills and arrives at barrier 1; warp 1 waits there and reads. Then the way back,
  // barrier 2.
  const std::string kernel =
      "mov.u32 %r2, s;\nand.b32 %r3, %r1, 127;\nadd.u32 %r3, %r3, %r2;\n"
      "setp.ge.u32 %p0, %r0, 32;\n@%p0 bra consume;\n"
      "st.shared.u32 [%r3], %r0;\nbar.arrive 1, 64;\n{}"
      "st.shared.u32 [%r3], %r1;\nret;\n"
      "consume:\nbar.sync 1, 64;\nld.shared.u32 %r5, [%r3];\nbar.arrive 2, 64;\nret;\n";
  const auto with = [&kernel](const std::string& wait) {
    std::string text = kernel;
    return text.replace(text.find("{}"), 2, wait);
  };
  expect_clean(with("bar.sync 2, 64;\n"));
  expect_races(with(""));
}

TEST(Race, WhatAnEndedWarpDidComesBeforeTheBarriersThatOpenWithoutIt) {
  const Report report = check(
      "mov.u32 %r2, s;\nsetp.ge.u32 %p0, %r0, 32;\n@%p0 bra stay;\nst.shared.u32 [%r2], "
      "%r0;\nret;\n"
      "stay:\nbar.sync 0;\nld.shared.u32 %r5, [%r2];\nret;\n");
  for (const Finding& finding : report.findings) EXPECT_NE(finding.kind, Kind::shared_race);
}

}  // namespace
}  // namespace paws::sanitize
