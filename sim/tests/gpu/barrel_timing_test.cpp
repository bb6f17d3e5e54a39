// SPDX-License-Identifier: MIT
// A barrel core against closed forms: what large warps, fetch groups and misses must cost.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "sim/core/core.h"
#include "sim/core/observer.h"
#include "sim/tests/gpu/support.h"

namespace paws {
namespace {

/// The machine of Narasiman et al., with code that is always in the instruction cache and that
/// stays as it is written.
GpuRun barrel(unsigned rows = 1, const std::string& scheduler = "single:rr") {
  GpuRun run;
  run.config = load_gpu("lwm2011");
  run.config.core.warp_rows = rows;
  run.config.icache.bytes = 0;
  run.config.frontend.schedule = false;
  run.config.frontend.remove_dead_code = false;
  run.scheduler = scheduler;
  return run;
}

std::string adds(unsigned count) {
  return repeat(count, [](unsigned) { return "add.u32 %r1, %r1, %r0;"; });
}

/// `large_warps` blocks of one large warp each, of whose rows the first `rows` go on.
std::string first_rows(unsigned rows, const std::string& body) {
  return fmt::format("setp.ge.u32 %p1, %r0, {};\n@%p1 exit;\n", rows * 32) + body +
         "st.global.u32 [%rd0], %r1;\nret;";
}

/// What `figure` grows by with each instruction of every warp.
template <typename Figure>
double slope(GpuRun run, unsigned rows, Figure figure) {
  run.run(first_rows(rows, adds(200)));
  const auto first = static_cast<double>(figure(run.statistics));
  run.run(first_rows(rows, adds(600)));
  return (static_cast<double>(figure(run.statistics)) - first) / 400;
}

std::uint64_t cycles_of(const GpuStatistics& statistics) { return statistics.cycles; }
std::uint64_t switches_of(const GpuStatistics& statistics) {
  return statistics.cores.barrel.group_switches;
}

/// So many large warps, each of which gives n sub-warps in every instruction: min(1, W n / (n + 6))
/// sub-warps per cycle.
TEST(BarrelTiming, SubWarpsPerCycleHaveAClosedForm) {
  struct Case {
    unsigned rows;  ///< of a large warp
    unsigned large_warps;
    unsigned sub_warps;  ///< of an instruction
    double per_cycle;
  };
  for (const Case& c :
       {Case{8, 4, 1, 0.571}, Case{8, 1, 8, 0.571}, Case{16, 2, 16, 1.0}, Case{16, 2, 1, 0.286},
        Case{32, 1, 32, 0.842}, Case{8, 4, 8, 1.0}, Case{4, 8, 3, 1.0}, Case{8, 2, 2, 0.5},
        Case{1, 1, 1, 0.143}, Case{1, 7, 1, 1.0}, Case{1, 32, 1, 1.0}}) {
    GpuRun run = barrel(c.rows);
    run.shape.block = {32 * c.rows, 1, 1};
    run.shape.grid = {c.large_warps, 1, 1};
    const double period = slope(run, c.sub_warps, cycles_of);
    const unsigned sub_warps = c.large_warps * c.sub_warps;
    EXPECT_EQ(period, std::max(sub_warps, c.sub_warps + 6))
        << c.large_warps << " x " << c.sub_warps;
    EXPECT_NEAR(sub_warps / period, c.per_cycle, 0.0005) << c.large_warps << " x " << c.sub_warps;
  }
}

TEST(BarrelTiming, AGroupThatIsTooSmallSwitchesAllTheTime) {
  struct Case {
    unsigned rows, large_warps, group;
    double switches;  ///< per instruction of every warp
  };
  for (const Case& c : {Case{8, 4, 2, 0}, Case{8, 4, 1, 4}, Case{1, 32, 8, 0}, Case{1, 32, 4, 8}}) {
    GpuRun run = barrel(c.rows, "single:group");
    run.config.scheduler.group = c.group;
    run.shape.block = {32 * c.rows * c.large_warps, 1, 1};
    EXPECT_EQ(slope(run, 32, switches_of), c.switches) << c.rows << " rows, " << c.group;
    EXPECT_EQ(slope(run, 32, cycles_of), c.rows * c.large_warps) << "no cycle is lost";
  }
}

/// When instructions were selected.
class Selections final : public core::CoreObserver {
 public:
  explicit Selections(std::vector<std::uint64_t>& cycles) : cycles_(cycles) {}
  void begin(const core::Core& /*core*/, const core::RunningKernels& /*running*/,
             std::uint64_t /*cycle*/) override {}
  void decided(const core::SchedulerView& /*view*/) override {}
  void issued(std::uint64_t cycle, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {
    cycles_.push_back(cycle);
  }
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}
  void end(std::uint64_t /*cycle*/) override {}

 private:
  std::vector<std::uint64_t>& cycles_;
};

std::vector<std::uint64_t> selections(GpuRun run, const std::string& body) {
  std::vector<std::uint64_t> cycles;
  run.options.observe = [&](std::uint32_t) { return std::make_unique<Selections>(cycles); };
  run.run(body);
  return cycles;
}

/// Misses come back when `latency` cycles have gone by in which the warp could have been selected;
/// all take the same time.
void set_latency(GpuConfig& config, unsigned latency) {
  config.dram.trp = 0;
  config.dram.trcd = 0;
  config.dram.bytes_per_clock = 128;
  // To the line 2 cycles on both ways besides the latency, 36 for 45 memory clocks of 0.79 ns, and
  // what the memory controller takes; the look-up comes 4 cycles after the selection and the next
  // selection 1 after the line, of the 7 that there are without a miss.
  constexpr unsigned kAround = 2 + 36 + 4 + 1 - 7;
  const unsigned left = latency - kAround - 1;
  config.interconnect.latency = left / 2;
  config.l2.latency = 1 + left % 2;
}

/// So many instructions, then a load, then so many more.
std::string load_between(unsigned count) {
  // The first two are those of GpuRun, the last one is the end.
  return "mul.wide.u32 %rd1, %r0, 4;\nadd.u64 %rd2, %rd0, %rd1;\n" + adds(count - 4) +
         "ld.global.u32 %r2, [%rd2];\n" + adds(count - 1) + "ret;";
}

TEST(BarrelTiming, ALoadSetsItsWarpAside) {
  for (const unsigned latency : {60U, 61U, 100U}) {
    GpuRun run = barrel();
    set_latency(run.config, latency);
    run.shape.block = {32, 1, 1};
    const std::vector<std::uint64_t> cycles = selections(run, load_between(10));
    ASSERT_EQ(cycles.size(), 21U);
    for (std::size_t i = 1; i < cycles.size(); ++i) {
      EXPECT_EQ(cycles[i] - cycles[i - 1], i == 11 ? 7 + latency : 7) << i;
    }
  }
}

/// Whenever the acknowledgement of a store comes, its warp is selected once in seven cycles.
TEST(BarrelTiming, AnAcknowledgedStoreSelectsNoWarpTwice) {
  for (unsigned latency = 20; latency < 27; ++latency) {
    GpuRun run = barrel();
    run.config.l1.write_back = false;
    run.config.interconnect.latency = latency;
    run.shape.block = {32, 1, 1};
    const std::string store = "st.global.u32 [%rd0], %r0;\n" + adds(80);
    const std::vector<std::uint64_t> cycles = selections(run, store + store + "ret;");
    ASSERT_EQ(cycles.size(), 165U) << latency;
    for (std::size_t i = 1; i < cycles.size(); ++i) {
      EXPECT_EQ(cycles[i] - cycles[i - 1], 7U) << latency << ", " << i;
    }
  }
}

/// Narasiman et al., Fig. 8: fetch groups come to their loads one after another, so that the one
/// computes while the other waits.
TEST(BarrelTiming, FetchGroupsHideTheLoadsOfEachOther) {
  struct Figures {
    std::uint64_t cycles, idle;
    bool operator==(const Figures&) const = default;
  };
  struct Row {
    unsigned count, latency;
    Figures rr, groups_of_8, groups_of_4;
  };
  const auto figures = [](const Row& row, const std::string& scheduler, unsigned group) -> Figures {
    GpuRun run = barrel(1, scheduler);
    set_latency(run.config, row.latency);
    run.config.scheduler.group = group;
    run.shape.block = {512, 1, 1};
    const std::vector<std::uint64_t> cycles = selections(run, load_between(row.count));
    EXPECT_EQ(cycles.size(), 16 * (2 * row.count + 1));
    const std::uint64_t all = cycles.back() - cycles.front() + 1;
    return {all, all - cycles.size()};
  };
  for (const Row& row :
       {Row{10, 100, {427, 91}, {355, 19}, {427, 91}}, Row{10, 60, {387, 51}, {336, 0}, {387, 51}},
        Row{20, 100, {747, 91}, {656, 0}, {747, 91}}}) {
    EXPECT_EQ(figures(row, "single:rr", 8), row.rr) << row.count << ", " << row.latency;
    EXPECT_EQ(figures(row, "single:group", 8), row.groups_of_8) << row.count << ", " << row.latency;
    EXPECT_EQ(figures(row, "single:group", 4), row.groups_of_4) << row.count << ", " << row.latency;
  }
}

/// From the look-up to the cycle in which the line is there.
TEST(BarrelTiming, AMissTakes100To300Cycles) {
  GpuRun run = barrel();
  run.shape.block = {1, 1, 1};
  run.buffer_bytes = 1 << 20;
  // The second line of a row, the first one of another row in another bank, and one in the bank of
  // that: rows are spread over banks by a XOR, so that row 9 + 8 k + 1 shares the bank of row 8 k.
  const std::vector<std::uint64_t> cycles = selections(run, R"(
    add.u64 %rd1, %rd0, 524287;
    and.b64 %rd1, %rd1, -524288;
    ld.global.u32 %r2, [%rd1];
    ld.global.u32 %r3, [%rd1+128];
    ld.global.u32 %r4, [%rd1+36864];
    ld.global.u32 %r5, [%rd1+4096];
    ld.global.u32 %r5, [%rd1+4096];
    ret;)");
  ASSERT_EQ(cycles.size(), 10U);
  const auto latency = [&](std::size_t load) { return cycles[load + 1] - cycles[load] - 5; };
  EXPECT_EQ(latency(4), 200U) << "a closed row";
  EXPECT_EQ(latency(5), 100U) << "an open row";
  EXPECT_EQ(latency(6), 300U) << "another row of the bank";
  EXPECT_EQ(latency(7), 200U) << "another bank";
  EXPECT_EQ(cycles[9] - cycles[8], 7U) << "a hit";
}

/// A sub-warp with m lines stays in the memory stage for m cycles, and so does one with m passes
/// over the banks of shared memory; the rest of the pipeline stands still.
TEST(BarrelTiming, LinesAndPassesFreezeThePipeline) {
  // Accesses of a warp are spread over so many lines, or words of one bank.
  const auto body = [](unsigned lines, bool shared, unsigned loads) {
    const std::string load = shared ? "ld.shared.u32 %r4, [%r3];" : "ld.global.u32 %r4, [%rd2];";
    return fmt::format(R"(
      and.b32 %r2, %r0, {};
      mul.lo.u32 %r3, %r2, 128;
      cvt.u64.u32 %rd1, %r3;
      add.u64 %rd2, %rd0, %rd1;
      mov.u32 %r5, shared_words;
      add.u32 %r3, %r3, %r5;
      bar.sync 0;
    )",
                       lines - 1) +
           repeat(loads, [&](unsigned) { return load; }) + "ret;";
  };
  for (const unsigned lines : {1U, 2U, 8U, 32U}) {
    for (const bool shared : {false, true}) {
      for (const unsigned warps : {1U, 2U}) {
        GpuRun run = barrel();
        run.shape.block = {32 * warps, 1, 1};
        run.buffer_bytes = 8192;
        run.run(body(lines, shared, 40));
        const GpuStatistics first = run.statistics;
        run.run(body(lines, shared, 240));
        const GpuStatistics later = run.statistics;
        // A lone warp waits for itself. Of two, the second one is selected just before the first
        // one freezes the pipeline, and the first one again when the second one thaws it.
        const std::uint64_t period = warps == 1 ? lines + 6 : 2 * lines + 5;
        EXPECT_EQ(later.cycles - first.cycles, 200 * period)
            << warps << " with " << lines << (shared ? " passes" : " lines");
        EXPECT_EQ(later.cores.barrel.frozen_cycles - first.cores.barrel.frozen_cycles,
                  200 * warps * (lines - 1));
      }
    }
  }
}

/// Rows x 32 threads; what the paths of `body` give in sub-warps.
BarrelCounts counts(unsigned rows, const std::string& body,
                    const std::function<void(GpuConfig&)>& change = {}) {
  GpuRun run = barrel(rows);
  if (change) change(run.config);
  run.shape.block = {32 * rows, 1, 1};
  run.run(body);
  return run.statistics.cores.barrel;
}

/// 100 instructions on each side of a branch of `%p1`.
std::string both_ways(const std::string& predicate) {
  return predicate + "@%p1 bra THEN;\n" + adds(100) + "bra END;\nTHEN:\n" + adds(100) +
         "END:\nret;";
}

TEST(BarrelTiming, ColumnsLimitWhatLargeWarpsCompact) {
  const unsigned rows = 8;
  const auto packed = [&](const std::string& predicate) {
    return counts(rows, both_ways(predicate)).sub_warps[0];
  };
  const std::uint64_t once = packed("mov.u32 %r1, 0;\nsetp.ne.u32 %p1, %r1, 0;\n");
  // A whole column goes one way: each side needs all rows.
  const std::uint64_t by_column = packed("and.b32 %r1, %r0, 1;\nsetp.ne.u32 %p1, %r1, 0;\n");
  EXPECT_EQ(by_column - once, 100 * rows);
  // A whole row goes one way: both sides together need each row once.
  const std::uint64_t by_row =
      packed("shr.u32 %r1, %r0, 5;\nand.b32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n");
  EXPECT_EQ(by_row - once, rows) << "the shift alone";
}

TEST(BarrelTiming, JumpsAndGlobalAccessesHaveModesOfTheirOwn) {
  // One thread of each row, each in a column of its own, and all rows later.
  const std::string diagonal = R"(
    and.b32 %r1, %r0, 31;
    shr.u32 %r2, %r0, 5;
    mul.wide.u32 %rd1, %r0, 4;
    add.u64 %rd2, %rd0, %rd1;
    shl.b32 %r6, %r1, 2;
    setp.ne.u32 %p1, %r1, %r2;
    @%p1 bra END;
    ld.global.u32 %r3, [%rd2];
    bra NEXT;
  BACK:
    add.u32 %r5, %r5, 1;
    bra END;
  NEXT:
    ld.shared.u32 %r4, [%r6];
    bra BACK;
  END:
    ret;)";
  const BarrelCounts modes = counts(8, diagonal);
  EXPECT_EQ(modes.instructions, (std::array<std::uint64_t, 3>{12, 1, 3}));
  EXPECT_EQ(modes.sub_warps[1], 8U) << "rows: a row each";
  EXPECT_EQ(modes.sub_warps[2], 3U);
  EXPECT_EQ(modes.dropped_threads, 0U);
  // Full rows up to the branch, and at the end; those between have a thread in each of 8 columns.
  EXPECT_EQ(modes.sub_warps[0], 10 * 8 + 2U);
  const BarrelCounts packed = counts(8, diagonal, [](GpuConfig& config) {
    config.large.global_by_rows = false;
    config.large.jump_once = false;
  });
  EXPECT_EQ(packed.instructions, (std::array<std::uint64_t, 3>{16, 0, 0}));
  EXPECT_EQ(packed.sub_warps[0], modes.sub_warps[0] + 4);
}

TEST(BarrelTiming, AJumpOfAFullLargeWarpSavesSevenCycles) {
  const auto cycles = [](bool once) {
    GpuRun run = barrel(8);
    run.config.large.jump_once = once;
    run.shape.block = {256, 1, 1};
    // Back and forth, so that no jump goes to the next instruction.
    const auto body = [](unsigned jumps) {
      return repeat(jumps,
                    [](unsigned i) {
                      return fmt::format(
                          "bra A{0};\nB{0}:\nadd.u32 %r1, %r1, 1;\nbra C{0};\nA{0}:\n"
                          "add.u32 %r1, %r1, 2;\nbra B{0};\nC{0}:\nadd.u32 %r1, %r1, 3;",
                          i);
                    }) +
             "ret;";
    };
    run.run(body(50));
    const std::uint64_t first = run.statistics.cycles;
    run.run(body(150));
    return run.statistics.cycles - first;
  };
  EXPECT_EQ(cycles(false) - cycles(true), 100 * 3 * 7U);
}

TEST(BarrelTiming, TheGuardPacksIfAskedTo) {
  const std::string guarded =
      "setp.lt.u32 %p1, %r0, 32;\n" +
      repeat(100, [](unsigned) { return "@%p1 add.u32 %r1, %r1, 1;"; }) +
      "setp.lt.u32 %p2, %r0, 0;\n@%p2 add.u32 %r1, %r1, 1;\nst.global.u32 [%rd0], %r1;\nret;";
  const BarrelCounts path = counts(8, guarded);
  const BarrelCounts guard =
      counts(8, guarded, [](GpuConfig& config) { config.large.pack_guard = true; });
  const auto all = [](const std::array<std::uint64_t, kSubWarpModes>& each) {
    return std::accumulate(each.begin(), each.end(), std::uint64_t{0});
  };
  EXPECT_EQ(all(path.sub_warps) - all(guard.sub_warps), 101 * 7U);
  EXPECT_EQ(path.threads, guard.threads) << "all on the path retire";
  EXPECT_EQ(guard.dropped_threads, 101 * 7 * 32U);
}

TEST(BarrelTiming, ReselectionAfterTheFirstSubWarpHidesThePipeline) {
  GpuRun run = barrel(8);
  run.config.large.refetch_first = true;
  run.shape.block = {256, 1, 1};
  EXPECT_EQ(slope(run, 8, cycles_of), 8) << "instead of 14";
  EXPECT_EQ(slope(run, 4, cycles_of), 7) << "instead of 10";
}

}  // namespace
}  // namespace paws
