// SPDX-License-Identifier: MIT
// Figures and pages of runs that are made up. That a page has the figures of a run's JSON is tested
// in sim/tests/cli.

#include "sim/report/report_page.h"

#include <gtest/gtest.h>

namespace paws::report {
namespace {

using core::Unit;
using observe::Wait;

/// Two cores with two schedulers each, which issue in every second cycle; a step of the load-store
/// unit takes two.
GpuConfig machine() {
  GpuConfig gpu;
  gpu.cores = 2;
  gpu.core.clock_mhz = 1000;
  gpu.core.warps = 48;
  gpu.core.schedulers = 2;
  gpu.core.issue_interval = 2;
  gpu.core.memory_interval = 2;
  gpu.l2.slices = 3;
  gpu.interconnect.flit_bytes = 32;
  gpu.interconnect.clock_mhz = 500;
  gpu.dram.channels = 2;
  gpu.dram.bytes_per_clock = 32;
  gpu.dram.clock_mhz = 500;
  return gpu;
}

/// 1000 cycles with 400 issues.
ReportedRun run_of(const std::string& scheduler) {
  ReportedRun run;
  run.scheduler = scheduler;
  run.result = {{"workload", "k<1>"},
                {"gpu", "m2090"},
                {"verified", true},
                {"launches", 2},
                {"instructions", 12800},
                {"cycles", 1000},
                {"ipc", 12.8},
                {"idle_fraction", 0.8},
                {"gpu_tot_occupancy", 75.0},
                {"gpgpu_n_tot_w_icount", 400},
                {"bwutil", 0.5},
                {"dram_eff", 0.75},
                {"l2_input_util", 0.25},
                {"l2_output_util", 0.125},
                {"shared_accesses", 30},
                {"gpgpu_n_shmem_bkconflict", 20},
                {"L1D_total_cache_accesses", 100},
                {"L1D_total_cache_pending_hits", 10},
                {"L1D_total_cache_misses", 40},
                {"L2_total_cache_accesses", 0},
                {"L2_total_cache_pending_hits", 0},
                {"L2_total_cache_misses", 0},
                {"bypass_transactions", 25},
                {"atomic_transactions", 25},
                {"core_cycles", 2000},
                {"active_core_cycles", 1500},
                {"warp_cycles", 54000},
                {"dram_reads", 7},
                {"dram_writes", 2},
                {"Row_Buffer_Locality", 0.25}};
  run.result["kernels"] = {{{"kernel", "k<int>"},
                            {"threads_per_block", 64},
                            {"registers_per_thread", 12},
                            {"shared_bytes", 256},
                            {"blocks_per_core", 8},
                            {"limit", "block slots"}}};
  run.result["per_launch"] = {
      {{"kernel_name", "k<int>"}, {"gpu_sim_cycle", 400}, {"gpu_tot_issued_cta", 20}},
      {{"kernel_name", "k<int>"}, {"gpu_sim_cycle", 600}, {"gpu_tot_issued_cta", 50}}};
  observe::LineCounts load;
  load.issues = 100;
  load.waits[static_cast<std::size_t>(Wait::memory)] = 30000;
  observe::LineCounts add;
  add.issues = 300;
  add.waits[static_cast<std::size_t>(Wait::arithmetic)] = 23600;
  run.profile =
      observe::Profile{{{"k<int>",
                         "k.ptx",
                         {{"ld.global.u32 %r1, [%rd0]", 20, "k.cu", 2, load, Unit::memory, 2},
                          {"add.u32 %r2, %r1, 1", 21, "k.cu", 3, add, Unit::alu, 4}}}}};
  run.warps.emplace();
  run.warps->width = 500;
  run.warps->stretches = {{500 * 96, 500 * 48, 500 * 24, 0}, {500 * 12, 0, 0, 500}};
  return run;
}

TEST(ReportFigures, RoofsAreThoseOfTheMachine) {
  const std::vector<Roof> roofs = roofs_of(run_of("single:rr"), machine());
  ASSERT_EQ(roofs.size(), 5U);
  EXPECT_DOUBLE_EQ(roofs[0].use, 0.2);
  EXPECT_EQ(roofs[0].figure, "0.40 of 2 warp instructions per core cycle");
  EXPECT_DOUBLE_EQ(roofs[1].use, 0.5);
  EXPECT_EQ(roofs[1].figure, "16.0 of 32.0 bytes per core cycle, 75 % while transfers wait");
  EXPECT_DOUBLE_EQ(roofs[2].use, 0.25);
  EXPECT_EQ(roofs[2].figure, "12.0 of 48.0 bytes per core cycle into the slices");
  EXPECT_DOUBLE_EQ(roofs[3].use, 0.2);
  EXPECT_EQ(roofs[3].figure,
            "0.20 of 1 steps per core cycle, 25 % of them passes of shared memory (10 % by bank "
            "conflicts)");
  EXPECT_EQ(roofs[4].name, "ALUs");
  EXPECT_DOUBLE_EQ(roofs[4].use, 0.3);
  EXPECT_EQ(roofs[4].figure, "1.2 of 4 busy in a core cycle, 100 % of that by add.u32 %r2, %r1, 1");
  EXPECT_DOUBLE_EQ(dram_bytes(run_of("single:rr"), machine()), 16000);
  EXPECT_DOUBLE_EQ(l2_bytes(run_of("single:rr"), machine()), 18000);
}

TEST(ReportFigures, UnitsOfSubCoresAreAsManyAsSchedulers) {
  ReportedRun run = run_of("single:rr");
  run.profile->kernels[0].code[1].unit = Unit::sfu;
  GpuConfig gpu = machine();
  EXPECT_DOUBLE_EQ(roofs_of(run, gpu)[4].use, 0.6);
  gpu.core.sub_cores = true;
  EXPECT_DOUBLE_EQ(roofs_of(run, gpu)[4].use, 0.3);
}

TEST(ReportFigures, EvidenceHasTheWorstLineOfEachReason) {
  const Evidence evidence = evidence_of(run_of("single:rr"), machine());
  EXPECT_EQ(evidence.worst[static_cast<std::size_t>(Wait::memory)].place, "k.cu:2");
  EXPECT_EQ(evidence.worst[static_cast<std::size_t>(Wait::arithmetic)].place, "k.cu:3");
  EXPECT_DOUBLE_EQ(evidence.worst[static_cast<std::size_t>(Wait::memory)].share, 30000.0 / 54000);
  EXPECT_TRUE(evidence.worst[static_cast<std::size_t>(Wait::barrier)].place.empty());
  EXPECT_DOUBLE_EQ(evidence.idle_cores, 0.25);
  EXPECT_DOUBLE_EQ(evidence.warps, 36);
  EXPECT_EQ(evidence.warp_slots, 48U);
  EXPECT_EQ(evidence.room, "room for 8 blocks of 64 threads; limit: block slots");
}

TEST(ReportPage, IsWholeAndNeedsNoNetwork) {
  std::vector<ReportedRun> runs{run_of("single:rr"), run_of("two-level:paws")};
  for (ReportedRun& run : runs) run.result["speed_vs_rr"] = nullptr;
  runs[1].result["speed_vs_rr"] = 1.25;
  for (const std::vector<ReportedRun>& shown : {std::vector{run_of("single:rr")}, runs}) {
    const std::string page = to_html(shown, machine(), {}, "paws run k --report p.html");
    for (const char* absent : {"http", "<link", " src=", "<script", "k<1", "k<int"}) {
      EXPECT_EQ(page.find(absent), std::string::npos) << absent;
    }
    EXPECT_EQ(page.find("<!--"), page.find("<!-- SPDX"));
    EXPECT_EQ(page.find("<!--", page.find("<!-- SPDX") + 1), std::string::npos);
    for (const char* there :
         {"prefers-color-scheme: dark", "What limits it",
          "Memory latency: warps wait for memory in 56 %", "k&lt;1&gt; on m2090",
          "paws run k --report p.html", "k.cu:2<", "data-value=\"54000\"",
          // 2 launches of 50 blocks in all
          "<td class=\"figure\">2</td><td class=\"figure\">50</td><td "
          "class=\"figure\">1000</td>"}) {
      EXPECT_NE(page.find(there), std::string::npos) << there;
    }
    EXPECT_EQ(page.find("1.250") != std::string::npos, shown.size() == 2);
  }
}

TEST(ReportPage, TheChartHasTheWarpsOfACore) {
  const std::string page = to_html({run_of("single:rr")}, machine(), {}, "");
  // 48 live, 12 with operands, 24 behind memory; then 6 live, and half of the slots used.
  EXPECT_NE(page.find("<polygon class=\"b-other\" points=\"0,100 0.00,0.0 50.00,0.0 "),
            std::string::npos);
  EXPECT_NE(page.find("<polygon class=\"b-memory\" points=\"0,100 0.00,25.0 "), std::string::npos);
  EXPECT_NE(page.find("<polygon class=\"b-ready\" points=\"0,100 0.00,75.0 "), std::string::npos);
  EXPECT_NE(page.find(" 100.00,87.5 100,100\"/>"), std::string::npos);
  EXPECT_NE(page.find("100.00,50.0\"/></svg>"), std::string::npos);
}

}  // namespace
}  // namespace paws::report
