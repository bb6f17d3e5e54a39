// SPDX-License-Identifier: MIT
// Counters against closed forms. They are the same with every engine, and whether idle cycles are
// skipped or not. Conservation is checked inside every run: sim/stats/conservation.h.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <optional>
#include <sstream>

#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "sim/observe/fan_out.h"
#include "sim/observe/phase_sampler.h"
#include "sim/observe/queue_observer.h"
#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

/// One warp that does `body` and ends.
GpuStatistics one_warp(const std::string& body, const GpuConfig& config = small_gpu()) {
  GpuRun run;
  run.config = config;
  run.shape.block = {32, 1, 1};
  run.run(body + "\nret;");
  return run.statistics;
}

TEST(InFlight, AStoreIsInFlightFromIssueToAcknowledgement) {
  const GpuStatistics run = one_warp("st.global.u32 [%rd0], %r0;");
  // The load-store unit sends it in the cycle after its issue.
  EXPECT_EQ(run.cores.memory_cycles, run.memory.store_latency + 1);
  EXPECT_EQ(run.cores.unacknowledged_cycles, run.memory.store_latency);
  EXPECT_GT(run.memory.store_latency, 100U);
}

TEST(InFlight, ALoadIsInFlightFromIssueToWriteBack) {
  const GpuStatistics run = one_warp("ld.global.u32 %r1, [%rd0];\nst.global.u32 [%rd0], %r1;");
  EXPECT_EQ(run.cores.memory_cycles, run.memory.load_latency + 1 + run.memory.store_latency + 1);
  EXPECT_EQ(run.cores.outstanding_cycles, run.memory.load_latency);
}

TEST(InFlight, AnL1HitIsInFlightForItsLatency) {
  GpuConfig config = small_gpu();
  config.icache.bytes = 0;  // lines of instructions would meet the first load in memory
  auto memory_cycles = [&config](unsigned loads) {
    // Each address depends on the load before.
    const GpuStatistics run = one_warp(
        repeat(loads,
               [](unsigned) { return "ld.global.u64 %rd2, [%rd0];\nadd.u64 %rd0, %rd0, %rd2;"; }) +
            "st.global.u32 [%rd0], %r0;",
        config);
    EXPECT_EQ(run.cores.l1_hits, loads);  // all but the first, and the store
    return run.cores.memory_cycles;
  };
  EXPECT_EQ(memory_cycles(12) - memory_cycles(2), 10 * (config.l1.latency + 1U));
}

TEST(InFlight, SharedMemoryConflictsLengthenTheAccess) {
  auto memory_cycles = [](unsigned stride) {
    const GpuStatistics run =
        one_warp(fmt::format("mov.u32 %r2, shared_words;\nmad.lo.u32 %r4, %r0, {}, %r2;\n"
                             "st.shared.u32 [%r4], %r0;",
                             4 * stride));
    EXPECT_EQ(run.cores.shared_accesses, 1U);
    EXPECT_EQ(run.cores.shared_conflict_cycles, stride - 1);
    return run.cores.memory_cycles;
  };
  EXPECT_EQ(memory_cycles(32) - memory_cycles(1), 31 * small_gpu().core.memory_interval);
}

TEST(InFlight, AnAluInstructionIsInFlightForItsLatency) {
  auto alu_cycles = [](unsigned adds) {
    return one_warp(repeat(adds, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) +
                    "st.global.u32 [%rd0], %r1;")
        .cores.alu_cycles;
  };
  const GpuConfig config = small_gpu();
  const unsigned latency = config.core.pipeline_latency + config.frontend.latencies.integer;
  EXPECT_EQ(alu_cycles(30) - alu_cycles(10), 20 * latency);
}

TEST(InFlight, ABranchIsInFlightUntilItIsResolved) {
  auto alu_cycles = [](unsigned branches) {
    return one_warp("setp.lt.u32 %p1, %r0, 64;\n" +
                    repeat(branches,
                           [](unsigned i) {
                             return fmt::format("@%p1 bra L{0};\nadd.u32 %r1, %r1, 1;\nL{0}:", i);
                           }) +
                    "st.global.u32 [%rd0], %r1;")
        .cores.alu_cycles;
  };
  EXPECT_EQ(alu_cycles(5) - alu_cycles(2), 3 * small_gpu().core.branch_latency);
}

TEST(InFlight, CyclesAreComputeMemoryBothOrNeither) {
  const GpuStatistics compute =
      one_warp(repeat(200, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; }) +
               "st.global.u32 [%rd0], %r1;");
  const auto& computing = compute.cores.flight_cycles[1];
  EXPECT_GT(computing[kComputing], 199U * 18U - 10U);
  EXPECT_EQ(computing[kComputing | kAccessing], 0U);

  // Independent arithmetic under the shadow of one load.
  const GpuStatistics overlap =
      one_warp("ld.volatile.global.u32 %r2, [%rd0];\n" +
               repeat(10, [](unsigned) { return "mul.lo.u32 %r1, %r1, %r0;"; }) +
               "add.u32 %r1, %r1, %r2;\nst.global.u32 [%rd0], %r1;");
  const auto& overlapping = overlap.cores.flight_cycles[1];
  EXPECT_GT(overlapping[kComputing | kAccessing], 100U);
  EXPECT_GT(overlapping[kAccessing], 100U);
  EXPECT_EQ(overlap.cores.cycles(), overlap.cycles);
  // After its last instruction the warp is gone, its store still under way.
  EXPECT_GT(overlap.cores.flight_cycles[0][kAccessing], 100U);
}

TEST(Statistics, LanesOnThePathAreThoseBeforeTheGuard) {
  const GpuStatistics run = one_warp("setp.lt.u32 %p1, %r0, 8;\n@%p1 st.global.u32 [%rd0], %r0;");
  EXPECT_EQ(run.cores.lanes[8], 1U);
  EXPECT_EQ(run.cores.path_lanes[8], 0U);
  EXPECT_EQ(run.cores.path_lanes[32], run.cores.warp_instructions());
}

/// Blocks of two warps, one at a time on a core. All warps load one line, meet at a barrier, and
/// load it again, from an address that the first load gives.
GpuRun sharing_run(unsigned blocks, unsigned cores) {
  GpuRun run;
  run.config.cores = cores;
  run.config.core.blocks = 1;
  run.shape.grid = {blocks, 1, 1};
  run.shape.block = {64, 1, 1};
  return run;
}
constexpr const char* kSharingKernel = R"(
  ld.global.u32 %r1, [%rd0];
  st.shared.u32 [shared_words], %r1;
  bar.sync 0;
  ld.shared.u32 %r2, [shared_words];
  mul.wide.u32 %rd1, %r2, 4;
  add.u64 %rd2, %rd0, %rd1;
  ld.global.u32 %r3, [%rd2];
  st.shared.u32 [shared_words], %r3;
  ret;
)";

TEST(WhoseLine, HitsAreOfTheSameWarpBlockPairOrOfOthers) {
  GpuRun run = sharing_run(5, 1);
  run.run(kSharingKernel);
  const CoreStatistics& l1 = run.statistics.cores;
  EXPECT_EQ(l1.l1_misses, 1U);
  // Block 0 waits for its own miss and then hits, block 1 is its partner; 2 to 4 are others.
  EXPECT_EQ(l1.l1_pending_hits_by_locality, (memory::LocalityCounts{0, 1, 0, 0}));
  EXPECT_EQ(l1.l1_hits_by_locality, (memory::LocalityCounts{1, 1, 4, 12}));
  EXPECT_EQ(run.statistics.memory.l2_hits_by_locality, memory::LocalityCounts{});
}

TEST(WhoseLine, ThePairedBlockMayRunOnAnotherCore) {
  GpuRun run = sharing_run(4, 2);
  run.run(kSharingKernel);
  const CoreStatistics& l1 = run.statistics.cores;
  EXPECT_EQ(l1.l1_misses, 2U);
  EXPECT_EQ(l1.l1_pending_hits_by_locality, (memory::LocalityCounts{0, 2, 0, 0}));
  EXPECT_EQ(l1.l1_hits_by_locality, (memory::LocalityCounts{2, 2, 0, 8}))
      << "blocks 0 and 2 run on one core, 1 and 3 on the other";
  const memory::Statistics& l2 = run.statistics.memory;
  EXPECT_EQ(l2.l2_hits_by_locality[2] + l2.l2_pending_hits_by_locality[2], 1U);
  EXPECT_EQ(l2.l2_accesses - l2.l2_misses - l2.l2_instruction_hits - l2.l2_instruction_pending_hits,
            1U);
  EXPECT_GT(l2.l2_instruction_hits + l2.l2_instruction_pending_hits, 0U);
}

TEST(WhoseLine, BlocksOfAnEarlierLaunchAreOthers) {
  GpuRun run = sharing_run(1, 1);
  run.launches = 2;
  run.run(kSharingKernel);
  EXPECT_EQ(run.statistics.cores.l1_hits_by_locality, (memory::LocalityCounts{2, 2, 0, 0}))
      << "the L1 has been emptied in between";
  EXPECT_EQ(run.statistics.memory.l2_hits_by_locality, (memory::LocalityCounts{0, 0, 0, 1}))
      << "the L2 has not";
}

TEST(Statistics, EveryLaunchHasItsOwn) {
  GpuRun run;
  run.shape.grid = {3, 1, 1};
  run.shape.block = {64, 1, 1};
  run.launches = 3;
  run.run("st.global.u32 [%rd0], %r0;\nret;");
  ASSERT_EQ(run.statistics.kernels.size(), 3U);
  std::uint64_t cycles = 0;
  std::uint64_t instructions = 0;
  for (const LaunchStatistics& launch : run.statistics.kernels) {
    EXPECT_EQ(launch.kernel, "test");
    EXPECT_EQ(launch.blocks, 3U);
    EXPECT_EQ(launch.thread_instructions, 32 * launch.warp_instructions);
    cycles += launch.cycles;
    instructions += launch.warp_instructions;
  }
  EXPECT_EQ(cycles, run.statistics.cycles);
  EXPECT_EQ(instructions, run.statistics.cores.warp_instructions());
}

/// Two launches of two warps that load what `code` says, on a core of each kind.
class GlobalLoads : public testing::TestWithParam<const char*> {
 protected:
  static CoreStatistics run(const std::string& code, bool sectored = false) {
    const std::string kind = GetParam();
    GpuRun run;
    if (kind != "scoreboard") {
      run.config = load_gpu("lwm2011");
      run.config.cores = 1;
      run.scheduler = "single:rr";
    }
    if (kind == "large_warp") {
      run.config.core.warp_rows = 2;
      run.config.scheduler.group = 1;
    }
    if (kind == "formed_warp") {
      run.config.core.divergence = static_cast<unsigned>(Divergence::dwf_majority);
    }
    run.config.l1.sectored = sectored;
    run.config.frontend.remove_dead_code = false;
    run.shape.block = {64, 1, 1};
    run.buffer_bytes = 8192;
    run.launches = 2;
    run.run(code + "\nret;");
    return run.statistics.cores;
  }
  /// Thread i reads 4 bytes at i * `stride`.
  static CoreStatistics strided(unsigned stride, bool sectored) {
    return run(fmt::format("mul.wide.u32 %rd1, %r0, {};\nadd.u64 %rd2, %rd0, %rd1;\n"
                           "ld.global.u32 %r1, [%rd2];",
                           stride),
               sectored);
  }
  static constexpr unsigned kWarps = 4;
};

TEST_P(GlobalLoads, AskForBytesAndGetLinesOrSectors) {
  constexpr unsigned kCoalesced = 4, kStrided = 128, kBroadcast = 0;
  const auto expect = [](unsigned stride, bool sectored, unsigned bytes) {
    const CoreStatistics cores = strided(stride, sectored);
    EXPECT_EQ(cores.gld_requested_bytes, kWarps * 32 * 4) << stride;
    EXPECT_EQ(cores.gld_transaction_bytes, kWarps * bytes) << stride << " " << sectored;
  };
  expect(kCoalesced, false, 128);
  expect(kStrided, false, 32 * 128);
  expect(kBroadcast, false, 128);
  expect(kCoalesced, true, 128);
  expect(kStrided, true, 32 * 32);
  expect(kBroadcast, true, 32);
}

TEST_P(GlobalLoads, CountForThreadsThatPassTheGuard) {
  const CoreStatistics cores =
      run("and.b32 %r1, %r0, 31;\nsetp.lt.u32 %p1, %r1, 3;\n"
          "@%p1 ld.global.v2.u64 {%rd3, %rd4}, [%rd0];");
  EXPECT_EQ(cores.gld_requested_bytes, kWarps * 3 * 16);
  EXPECT_EQ(cores.gld_transaction_bytes, kWarps * 128);
}

TEST_P(GlobalLoads, AreThoseThatAccessGlobalMemoryOnly) {
  // A generic address says by itself what it is in.
  const std::string generic =
      "mov.u64 %rd5, shared_words;\ncvta.shared.u64 %rd6, %rd5;\n"
      "setp.lt.u32 %p1, %r0, {};\nselp.u64 %rd7, %rd0, %rd6, %p1;\nld.u32 %r1, [%rd7];";
  EXPECT_EQ(run(fmt::format(fmt::runtime(generic), 64)).gld_requested_bytes, kWarps * 32 * 4);
  EXPECT_EQ(run(fmt::format(fmt::runtime(generic), 0)).gld_requested_bytes, 0U);
  EXPECT_EQ(run(fmt::format(fmt::runtime(generic), 16)).gld_requested_bytes, 0U) << "in both";
  const CoreStatistics others =
      run("ld.shared.u32 %r1, [shared_words];\nst.global.u32 [%rd0], %r0;\n"
          "atom.global.add.u32 %r2, [%rd0], 1;\nred.global.add.u32 [%rd0], 1;");
  EXPECT_EQ(others.gld_requested_bytes, 0U);
  EXPECT_EQ(others.gld_transaction_bytes, 0U);
}

INSTANTIATE_TEST_SUITE_P(Cores, GlobalLoads,
                         testing::Values("scoreboard", "large_warp", "formed_warp"));

TEST(Statistics, AsynchronousCopiesAreNoGlobalLoads) {
  const GpuStatistics run = one_warp(
      "mov.u32 %r1, shared_words;\ncp.async.ca.shared.global [%r1], [%rd0], 4;\n"
      "cp.async.wait_all;");
  EXPECT_EQ(run.cores.l1_accesses, 1U);
  EXPECT_EQ(run.cores.gld_requested_bytes, 0U);
  EXPECT_EQ(run.cores.gld_transaction_bytes, 0U);
}

/// A watched run of kBusyKernel.
struct Watched {
  explicit Watched(const std::string& scheduler) {
    run.config.cores = 2;
    run.scheduler = scheduler;
    run.shape.grid = {30, 1, 1};
    run.shape.block = {96, 1, 1};
    run.buffer_bytes = 16384;
    run.launches = 2;
    run.options.observe =
        observe::both([this](std::uint32_t core) { return queues.observer(core); },
                      [this](std::uint32_t core) { return samples.observer(core); });
  }
  Watched& go() {
    run.run(kBusyKernel);
    return *this;
  }

  GpuRun run;
  observe::QueueWatch queues{2};
  observe::SampleTable samples{{64, std::nullopt}, 2};
};

class Watching : public testing::TestWithParam<const char*> {
 protected:
  static void expect_equal(const Watched& a, const Watched& b) {
    EXPECT_EQ(a.run.statistics.cycles, b.run.statistics.cycles);
    EXPECT_TRUE(a.run.statistics.cores == b.run.statistics.cores);
    EXPECT_TRUE(a.run.statistics.memory == b.run.statistics.memory);
    EXPECT_TRUE(a.queues.total() == b.queues.total());
    EXPECT_EQ(a.samples.csv(), b.samples.csv());
  }
};

TEST_P(Watching, EnginesGiveTheSameFigures) {
  Watched model(GetParam());
  model.go();
  Watched rtl(GetParam());
  rtl.run.factory = [](const SchedulerConfig& config) { return make_rtl(config); };
  expect_equal(model, rtl.go());
  Watched lockstep(GetParam());
  lockstep.run.factory = [](const SchedulerConfig& config) {
    return make_lockstep(config, "none");
  };
  expect_equal(model, lockstep.go());
}

TEST_P(Watching, SkippedCyclesAreCountedExactly) {
  Watched skip(GetParam());
  skip.go();
  Watched step(GetParam());
  step.run.options.skip_idle_cycles = false;
  expect_equal(skip, step.go());
}

TEST_P(Watching, AnObserverChangesNothing) {
  Watched watched(GetParam());
  watched.go();
  Watched alone(GetParam());
  alone.run.options.observe = nullptr;
  alone.go();
  EXPECT_TRUE(alone.run.statistics.cores == watched.run.statistics.cores);
  EXPECT_TRUE(alone.run.statistics.memory == watched.run.statistics.memory);
}

TEST_P(Watching, SamplesAddUpToTheRun) {
  Watched watched(GetParam());
  watched.go();
  std::uint64_t issued = 0;
  std::vector<std::uint64_t> states(kSchedulerStates);
  for (std::uint32_t core = 0; core < 2; ++core) {
    const std::vector<observe::Sample>& samples = watched.samples.samples(core);
    EXPECT_EQ(samples.back().cycle, watched.run.statistics.cycles - 1);
    for (const observe::Sample& sample : samples) {
      issued += sample.issued;
      for (std::size_t i = 0; i < sample.states.size(); ++i) {
        states[i % kSchedulerStates] += sample.states[i];
      }
      std::uint64_t warps = 0;
      for (const std::uint64_t phase : sample.phases) warps += phase;
      EXPECT_EQ(warps, sample.warps);
    }
  }
  EXPECT_EQ(issued, watched.run.statistics.cores.warp_instructions());
  for (unsigned i = 0; i < kSchedulerStates; ++i) {
    EXPECT_EQ(states[i], watched.run.statistics.cores.scheduler_cycles[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Schedulers, Watching,
                         testing::Values("single:gto", "two-level:rr", "two-level:paws"));

TEST(Samples, EveryCycleGivesTheIntegrals) {
  Watched watched("two-level:gto");
  observe::SampleTable samples({1, std::nullopt}, 2);
  watched.run.options.observe = [&samples](std::uint32_t core) { return samples.observer(core); };
  watched.go();
  std::uint64_t warps = 0;
  std::uint64_t alu = 0;
  std::uint64_t memory = 0;
  for (std::uint32_t core = 0; core < 2; ++core) {
    EXPECT_EQ(samples.samples(core).size(), watched.run.statistics.cycles);
    for (const observe::Sample& sample : samples.samples(core)) {
      warps += sample.warps;
      alu += sample.alu;
      memory += sample.memory;
    }
  }
  EXPECT_EQ(warps, watched.run.statistics.cores.warp_cycles);
  EXPECT_EQ(alu, watched.run.statistics.cores.alu_cycles);
  EXPECT_EQ(memory, watched.run.statistics.cores.memory_cycles);
}

TEST(Samples, OneCoreSuffices) {
  Watched watched("two-level:gto");
  observe::SampleTable samples({64, 1}, 2);
  watched.run.options.observe = [&samples](std::uint32_t core) { return samples.observer(core); };
  watched.go();
  EXPECT_TRUE(samples.samples(0).empty());
  std::istringstream lines(samples.csv());
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line.find("core,launch,cycle,warps,alu_in_flight,memory_in_flight,issued,"
                      "s0_no_instruction,"),
            0U);
  std::getline(lines, line);
  EXPECT_EQ(line.find("1,1,0,"), 0U) << line;
}

TEST(Queues, EveryWarpIsPromotedOncePerWakeAndOncePerLaunch) {
  Watched watched("two-level:paws");
  watched.go();
  const QueueStatistics queues = watched.queues.total();
  const std::uint64_t warps = 2 * 30 * 3;
  EXPECT_EQ(queues.cycles, 2 * 2 * watched.run.statistics.cycles);
  EXPECT_EQ(queues.promotions, queues.wakes + warps);
  EXPECT_EQ(queues.demotions, queues.wakes);
  EXPECT_EQ(queues.at(Place::pending).stays, queues.wakes);
  EXPECT_EQ(queues.at(Place::collector).stays, queues.wakes);
  EXPECT_EQ(queues.at(Place::active).stays, queues.promotions);
  EXPECT_EQ(queues.at(Place::ready).stays, queues.promotions);
  EXPECT_GT(queues.wakes, warps);
}

TEST(Queues, TheSingleLevelHasNone) {
  Watched watched("single:rr");
  watched.go();
  for (const PlaceStatistics& place : watched.queues.total().places) EXPECT_EQ(place.occupancy, 0U);
}

}  // namespace
}  // namespace paws
