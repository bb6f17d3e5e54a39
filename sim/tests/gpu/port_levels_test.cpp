// SPDX-License-Identifier: MIT
// In which cycle the levels at the schedulers' ports change: when a warp waits, when the last of
// its long operations is back, when a barrier lets it go on, when it may issue, when it ends; and
// in which queue of a two-level scheduler it stands then. Cycles follow from the preset's numbers.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "sim/tests/gpu/port_recording.h"

namespace paws {
namespace {

constexpr auto kIssuable = &SchedulerInputs::issuable;
constexpr auto kWaits = &SchedulerInputs::waits;
constexpr auto kLong = &SchedulerInputs::long_outstanding;
constexpr auto kExits = &SchedulerInputs::exits;

/// A core in which nothing but the kernel's own instructions takes time: a perfect instruction
/// cache, no conflicts of register banks, and the code as it is written.
GpuRun plain(unsigned warps, const std::string& scheduler = "two-level:paws") {
  GpuRun run;
  run.scheduler = scheduler;
  run.shape.block = {warps * 32, 1, 1};
  run.config.icache.bytes = 0;
  run.config.core.register_banks = 0;
  run.config.frontend.schedule = false;
  run.config.frontend.remove_dead_code = false;
  return run;
}

/// Independent of everything.
std::string additions(unsigned number) {
  return repeat(number, [](unsigned i) { return fmt::format("add.u32 %r{}, %r0, %r0;", 50 + i); });
}

/// From the issue of a load to its data, where it hits: the L1 looks up in the next cycle.
std::uint64_t hit(const GpuRun& run) { return 1 + run.config.l1.latency; }

/// From a fetch to decoded instructions.
std::uint64_t fetch(const GpuRun& run) {
  return run.config.icache.latency + run.config.core.fetch_latency;
}

/// The cycle in which the instruction behind `issue` is decoded, if no other warp fetches: at once
/// the second of a fetch, later the first of the next one.
std::uint64_t next_decoded(const GpuRun& run, const Issue& issue) {
  return issue.cycle + 1 + (issue.pc % core::kFetchWidth == 0 ? 0 : fetch(run));
}

/// Leaves %r1 there and its line in the L1.
const char* const kWarmLine = "ld.global.u32 %r1, [%rd0];\nadd.u32 %r2, %r1, %r0;\n";

/// A branch that all lanes take, and what it leads to.
const char* const kBranch =
    "setp.lt.u32 %p1, %r0, 64;\n@%p1 bra NEXT;\nadd.u32 %r90, %r0, %r0;\n"
    "NEXT:\nadd.u32 %r91, %r0, %r0;\nret;";

/// The way of a warp that waits from `waits` on and is let go in `free`, alone on its scheduler.
void expect_demotion_and_wake(const PortRecording& seen, std::uint32_t warp, std::uint64_t waits,
                              std::uint64_t free) {
  EXPECT_EQ(seen.place(warp, waits), "ready");
  for (std::uint64_t cycle = waits + 1; cycle <= free; ++cycle) {
    ASSERT_EQ(seen.place(warp, cycle), "pending") << "cycle " << cycle;
  }
  EXPECT_EQ(seen.place(warp, free + 1), "collector");
  EXPECT_EQ(seen.place(warp, free + 2), "active");
  EXPECT_EQ(seen.place(warp, free + 3), "ready");
}

TEST(PortsDemotion, AWarpWaitsFromTheCycleInWhichTheUseIsDecoded) {
  std::map<bool, unsigned> seen_at;  // use decoded together with the load, or fetched behind it
  for (unsigned before : {0U, 1U}) {
    for (const char* use :
         {"add.u32 %r5, %r3, %r0;", "st.global.u32 [%rd0+4], %r3;", "add.u32 %r3, %r0, %r0;",
          "ld.shared.u32 %r5, [%r3];", "setp.eq.u32 %p1, %r3, 0;"}) {
      SCOPED_TRACE(fmt::format("{} additions before, {}", before, use));
      GpuRun run = plain(1);
      const PortRecording seen =
          record(run, kWarmLine + additions(before) + "ld.global.u32 %r3, [%rd0];\n" + use + "\n" +
                          additions(3) + "ret;");
      const Issue& load = seen.issue(0, ir::Op::ld, 2);  // the third: parameter, first, this one
      ++seen_at[next_decoded(run, load) == load.cycle + 1];
      const std::uint64_t back = load.cycle + hit(run);
      EXPECT_EQ(seen.last_span(kWaits, 0), std::pair(next_decoded(run, load), back));
      EXPECT_EQ(seen.last_span(kLong, 0), std::pair(load.cycle + 1, back));
      expect_demotion_and_wake(seen, 0, next_decoded(run, load), back);
    }
  }
  EXPECT_EQ(seen_at.size(), 2U);
}

TEST(PortsDemotion, WhatIsNoUseIsNotWaitedFor) {
  GpuRun run = plain(1);
  const PortRecording seen =
      record(run, kWarmLine + std::string("ld.global.u32 %r3, [%rd0];\n") + additions(9) + "ret;");
  const Spans waits = seen.spans(kWaits, 0);
  ASSERT_EQ(waits.size(), 1U);  // the first load's
  const Issue& load = seen.issue(0, ir::Op::ld, 2);
  EXPECT_LT(waits[0].second, load.cycle);
  for (std::uint64_t cycle = load.cycle; cycle < load.cycle + hit(run); ++cycle) {
    const std::string place = seen.place(0, cycle);
    EXPECT_TRUE(place == "ready" || place.empty()) << place << " in cycle " << cycle;
  }
}

TEST(PortsDemotion, ABranchIsWaitedForUntilItsTargetIsDecodedWithBranchDemotes) {
  for (bool demotes : {false, true}) {
    GpuRun run = plain(1);
    run.config.scheduler.branch_demotes = demotes;
    const PortRecording seen = record(run, kBranch);
    const Issue& branch = seen.issue(0, ir::Op::bra);
    const std::uint64_t decoded = branch.cycle + run.config.core.branch_latency + fetch(run);
    EXPECT_EQ(seen.spans(kWaits, 0), demotes ? Spans({{branch.cycle + 1, decoded}}) : Spans());
    if (demotes) expect_demotion_and_wake(seen, 0, branch.cycle + 1, decoded);
  }
}

TEST(PortsWake, AWarpWakesWithTheLastOfItsLongOperations) {
  for (unsigned between : {0U, 4U}) {
    SCOPED_TRACE(fmt::format("{} additions between the loads", between));
    GpuRun run = plain(1);
    const PortRecording seen =
        record(run, kWarmLine + std::string("ld.global.u32 %r3, [%rd0];\n") + additions(between) +
                        "ld.global.u32 %r4, [%rd0];\nadd.u32 %r5, %r3, %r0;\n"
                        "add.u32 %r6, %r4, %r5;\nst.global.u32 [%rd0], %r6;\nret;");
    const Issue& first = seen.issue(0, ir::Op::ld, 2);
    const Issue& second = seen.issue(0, ir::Op::ld, 3);
    ASSERT_LT(first.cycle, second.cycle);
    const std::uint64_t waits = next_decoded(run, second);
    ASSERT_LT(waits, first.cycle + hit(run));
    // The operand is there with the first; the warp wakes with the second.
    EXPECT_EQ(seen.last_span(kWaits, 0), std::pair(waits, first.cycle + hit(run)));
    EXPECT_EQ(seen.last_span(kLong, 0), std::pair(first.cycle + 1, second.cycle + hit(run)));
    expect_demotion_and_wake(seen, 0, waits, second.cycle + hit(run));
    // The addition issues in the first cycle of ready that is enabled.
    std::uint64_t issue = second.cycle + hit(run) + 3;
    while (!seen.at(0, issue).inputs.issue_en) ++issue;
    EXPECT_TRUE(seen.at(0, issue).outputs.issue_valid);
  }
}

TEST(PortsWake, AWarpThatABarrierLetsGoStaysPendingUntilItsLoadIsBack) {
  GpuRun run = plain(2);  // each alone on its scheduler
  const PortRecording seen =
      record(run, kWarmLine + std::string("bar.sync 0;\nld.global.u32 %r3, [%rd0];\nbar.sync 0;\n"
                                          "add.u32 %r90, %r0, %r0;\nst.global.u32 [%rd0], %r3;\n"
                                          "ret;"));
  const bool zero_first = seen.issue(0, ir::Op::bar, 1).cycle < seen.issue(1, ir::Op::bar, 1).cycle;
  const std::uint32_t early = zero_first ? 0 : 1;
  const Issue& arrives = seen.issue(early, ir::Op::bar, 1);
  const Issue& completes = seen.issue(1 - early, ir::Op::bar, 1);
  const std::uint64_t back = seen.issue(early, ir::Op::ld, 2).cycle + hit(run);
  ASSERT_LT(completes.cycle + 1, back);
  EXPECT_EQ(seen.last_span(kWaits, early), std::pair(arrives.cycle + 1, completes.cycle + 1));
  expect_demotion_and_wake(seen, early, arrives.cycle + 1, back);
}

/// Runs a block of `warps` warps that meet at barriers and wait for nothing else. Every warp must
/// wait from the cycle after its arrival to the cycle after `release` of that round.
void expect_waits_at_barriers(const PortRecording& seen, unsigned warps, unsigned rounds,
                              const std::function<std::uint64_t(unsigned round)>& release) {
  for (std::uint32_t warp = 0; warp < warps; ++warp) {
    Spans expected;
    for (unsigned round = 0; round < rounds; ++round) {
      const std::uint64_t arrival = seen.issue(warp, ir::Op::bar, round).cycle;
      ASSERT_LE(arrival, release(round));
      if (arrival < release(round)) expected.emplace_back(arrival + 1, release(round) + 1);
    }
    EXPECT_EQ(seen.spans(kWaits, warp), expected) << "warp " << warp;
  }
}

TEST(PortsBarrier, EveryWarpIsLetGoInTheCycleAfterTheLastArrival) {
  constexpr unsigned kWarps = 8;
  constexpr unsigned kRounds = 6;
  for (const char* scheduler : {"two-level:paws", "single:rr", "single:gto"}) {
    for (unsigned before : {0U, 1U}) {
      SCOPED_TRACE(fmt::format("{}, {} additions before", scheduler, before));
      GpuRun run = plain(kWarps, scheduler);
      const PortRecording seen = record(run, repeat(kRounds, [&](unsigned i) {
                                               return additions(before + i % 3) + "bar.sync 0;";
                                             }) + "ret;");
      expect_waits_at_barriers(seen, kWarps, kRounds, [&seen](unsigned round) {
        std::uint64_t last = 0;
        for (std::uint32_t warp = 0; warp < kWarps; ++warp) {
          last = std::max(last, seen.issue(warp, ir::Op::bar, round).cycle);
        }
        return last;
      });
    }
  }
}

TEST(PortsBarrier, AWarpThatEndsLetsTheOthersGoInTheNextCycle) {
  constexpr unsigned kWarps = 4;
  GpuRun run = plain(kWarps);
  const PortRecording seen =
      record(run, "setp.lt.u32 %p1, %r0, 96;\n@%p1 bra MEET;\n" + repeat(9, [](unsigned) {
                    return "add.u32 %r1, %r1, %r0;";
                  }) + "ret;\nMEET:\nbar.sync 0;\nret;");
  const std::uint64_t end = seen.issue(3, ir::Op::exit).cycle;
  expect_waits_at_barriers(seen, 3, 1, [end](unsigned) { return end; });
  EXPECT_EQ(seen.spans(kWaits, 3), Spans());
}

TEST(PortsBarrier, AnArrivalDoesNotWaitAndCompletes) {
  GpuRun run = plain(2);
  const PortRecording seen =
      record(run, "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra MEET;\n" + repeat(9, [](unsigned) {
                    return "add.u32 %r1, %r1, %r0;";
                  }) + "bar.arrive 1, 64;\nret;\nMEET:\nbar.sync 1, 64;\nret;");
  const std::uint64_t arrival = seen.issue(1, ir::Op::bar).cycle;
  expect_waits_at_barriers(seen, 1, 1, [arrival](unsigned) { return arrival; });
  EXPECT_EQ(seen.spans(kWaits, 1), Spans());
}

TEST(PortsBarrier, WarpsLetGoTogetherEnterActiveOneACycle) {
  constexpr unsigned kWarps = 8;
  GpuRun run = plain(kWarps);
  // The last warp comes late: all others are pending by then.
  const PortRecording seen =
      record(run, "setp.lt.u32 %p1, %r0, 224;\n@%p1 bra MEET;\n" + repeat(9, [](unsigned) {
                    return "add.u32 %r1, %r1, %r0;";
                  }) + "MEET:\nbar.sync 0;\nadd.u32 %r90, %r0, %r0;\nret;");
  const std::uint64_t release = seen.issue(kWarps - 1, ir::Op::bar).cycle;
  for (std::uint32_t scheduler : {0U, 1U}) {
    const std::vector<WarpId> all =
        scheduler == 0 ? std::vector<WarpId>{0, 1, 2, 3} : std::vector<WarpId>{0, 1, 2};
    EXPECT_EQ(seen.at(scheduler, release + 1).queues.collector, std::vector<WarpId>());
    for (std::size_t gone = 0; gone <= all.size(); ++gone) {
      EXPECT_EQ(seen.at(scheduler, release + 2 + gone).queues.collector,
                std::vector<WarpId>(all.begin() + static_cast<std::ptrdiff_t>(gone), all.end()))
          << "scheduler " << scheduler << ", admitted " << gone;
    }
  }
}

TEST(PortsIssuable, AResultMayBeUsedWhenItIsWritten) {
  for (const char* instruction : {"add.u32 %r1, %r0, %r0;", "mul.lo.u32 %r1, %r0, %r0;"}) {
    GpuRun run = plain(1);
    const PortRecording seen =
        record(run, std::string(instruction) + "\nxor.b32 %r2, %r1, %r0;\nret;");
    const bool sum = instruction[0] == 'a';
    const LatencyTable& latencies = run.config.frontend.latencies;
    const std::uint64_t result = seen.issue(0, sum ? ir::Op::add : ir::Op::mul).cycle +
                                 run.config.core.pipeline_latency +
                                 (sum ? latencies.integer : latencies.integer_mul);
    const Issue& use = seen.issue(0, ir::Op::xor_);
    Spans expected = seen.spans(kIssuable, 0);
    EXPECT_EQ(std::count(expected.begin(), expected.end(), std::pair(result, use.cycle + 1)), 1)
        << instruction;
    EXPECT_LE(use.cycle, result + 1);
  }
}

TEST(PortsIssuable, ABusyUnitHoldsBackWhatWantsIt) {
  GpuRun run = plain(1);
  const PortRecording seen =
      record(run,
             "mov.f32 %f9, 0f3F800000;\nex2.approx.f32 %f1, %f9;\nex2.approx.f32 %f2, %f9;\n"
             "ex2.approx.f32 %f3, %f9;\nex2.approx.f32 %f4, %f9;\nret;");
  for (unsigned i = 0; i < 3; ++i) {
    const std::uint64_t issue = seen.issue(0, ir::Op::ex2, i).cycle;
    for (std::uint64_t cycle = issue + 1; cycle < issue + run.config.core.sfu_interval; ++cycle) {
      EXPECT_EQ(seen.at(0, cycle).inputs.issuable, 0U) << "instruction " << i;
    }
    EXPECT_EQ(seen.at(0, issue + run.config.core.sfu_interval).inputs.issuable, 1U);
  }
}

TEST(PortsIssuable, WhatStandsBehindABranchMayIssueWhenItIsDecoded) {
  GpuRun run = plain(1);
  const PortRecording seen = record(run, kBranch);
  const std::uint64_t branch = seen.issue(0, ir::Op::bra).cycle;
  const std::uint64_t decoded = branch + run.config.core.branch_latency + fetch(run);
  for (std::uint64_t cycle = branch + 1; cycle < decoded; ++cycle) {
    EXPECT_EQ(seen.at(0, cycle).inputs.issuable, 0U) << "cycle " << cycle;
  }
  EXPECT_EQ(seen.at(0, decoded).inputs.issuable, 1U);
}

TEST(PortsIssuable, NoWarpThatWaitsMayIssue) {
  for (const char* scheduler : {"two-level:rr", "single:rr"}) {
    GpuRun run;
    run.scheduler = scheduler;
    run.shape.grid = {8, 1, 1};
    run.shape.block = {64, 1, 1};
    run.buffer_bytes = 16384;
    const PortRecording seen = record(run, kBusyKernel);
    for (const std::vector<PortCycle>& of_one : seen.cycles) {
      for (std::size_t cycle = 0; cycle < of_one.size(); ++cycle) {
        const SchedulerInputs& inputs = of_one[cycle].inputs;
        ASSERT_EQ(inputs.issuable & inputs.waits, 0U) << scheduler << ", cycle " << cycle;
      }
    }
  }
}

TEST(PortsExit, NothingIsLeftOfAWarpInTheCycleAfterItsExit) {
  GpuRun run = plain(1);
  // Ends with a load outstanding.
  const PortRecording seen =
      record(run, kWarmLine + std::string("ld.global.u32 %r3, [%rd0];\nret;"));
  const std::uint64_t load = seen.issue(0, ir::Op::ld, 2).cycle;
  const std::uint64_t end = seen.issue(0, ir::Op::exit).cycle;
  ASSERT_LT(end, load + hit(run));
  EXPECT_EQ(seen.last_span(kLong, 0), std::pair(load + 1, end + 1));
  EXPECT_EQ(seen.spans(kExits, 0),
            Spans({{next_decoded(run, seen.issue(0, ir::Op::ld, 2)), end + 1}}));
  EXPECT_EQ(seen.last_span(kIssuable, 0).second, end + 1);
  EXPECT_EQ(seen.place(0, end), "ready");
  EXPECT_EQ(seen.place(0, end + 1), "");
}

TEST(PortsExit, ThePathsOfAWarpThatEndBeforeItsLastAreNotItsExit) {
  GpuRun run = plain(1);
  const PortRecording seen =
      record(run, "setp.lt.u32 %p1, %r0, 16;\n@%p1 ret;\nadd.u32 %r90, %r0, %r0;\nret;");
  const Issue& first = seen.issue(0, ir::Op::exit, 0);
  const Issue& last = seen.issue(0, ir::Op::exit, 1);
  EXPECT_FALSE(first.exits);
  EXPECT_TRUE(last.exits);
  EXPECT_EQ(seen.place(0, first.cycle + 1), "ready");
  EXPECT_EQ(seen.place(0, last.cycle + 1), "");
  ASSERT_EQ(seen.spans(kExits, 0).size(), 1U);
  EXPECT_EQ(seen.spans(kExits, 0)[0].second, last.cycle + 1);
}

}  // namespace
}  // namespace paws
