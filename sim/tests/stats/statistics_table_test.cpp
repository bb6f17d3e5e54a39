// SPDX-License-Identifier: MIT
// The table that names and defines every statistic, and the listing made from it.

#include "sim/stats/statistics_table.h"

#include <gtest/gtest.h>

#include <set>
#include <sstream>

namespace paws {
namespace {

/// Every counter different, so that one taken for another shows.
GpuStatistics example() {
  GpuStatistics gpu;
  gpu.cycles = 1000;
  gpu.core_count = 2;
  gpu.warp_slots = 48;
  gpu.scheduler_cycles = 2000;
  gpu.dram_capacity_fs = 8000;
  CoreStatistics& cores = gpu.cores;
  cores.scheduler_cycles = {300, 500, 80, 20, 1100};
  cores.held_cycles = 40;
  cores.lanes[0] = 5;
  cores.lanes[16] = 95;
  cores.lanes[32] = 1000;
  cores.path_lanes[16] = 90;
  cores.path_lanes[32] = 1010;
  cores.blocks_started = 7;
  cores.warp_cycles = 36'000;
  cores.parts = {
      {{100, 1, 30, 200}, {300, 9, 270, 6000}, {500, 80, 2400, 18'000}, {1100, 10, 300, 0}}};
  cores.flight_cycles[0] = {100, 60, 30, 10};
  cores.flight_cycles[1] = {200, 500, 700, 400};
  cores.alu_cycles = 3000;
  cores.memory_cycles = 5000;
  cores.l1_accesses = 400;
  cores.l1_misses = 100;
  cores.texture_accesses = 80;
  cores.texture_misses = 30;
  cores.texture_pending_hits = 11;
  cores.gld_requested_bytes = 300;
  cores.gld_transaction_bytes = 1200;
  cores.shared_conflict_cycles = 77;
  gpu.memory.l2_blocked_fs = 35;
  gpu.memory.l2_period_fs = 10;
  gpu.memory.l2_input_fs = 30;
  gpu.memory.l2_output_fs = 45;
  gpu.l2_capacity_fs = 60;
  gpu.memory.dram_reads = 30;
  gpu.memory.dram_writes = 10;
  gpu.memory.dram_row_hits = 10;
  gpu.memory.dram_busy_fs = 2000;
  gpu.memory.dram_active_fs = 4000;
  gpu.memory.load_latency = 500;
  gpu.memory.store_latency = 199;
  gpu.memory.load_replies = 1;
  gpu.memory.store_replies = 1;
  LaunchStatistics launch;
  launch.kernel = "first";
  launch.cycles = 600;
  launch.thread_instructions = 1200;
  launch.blocks = 3;
  launch.warp_cycles = 480;
  launch.active_cycles = 20;
  launch.parts[1] = {60, 2, 33, 100};
  gpu.kernels.push_back(launch);
  launch.kernel = "second";
  launch.cycles = 400;
  launch.thread_instructions = 100;
  gpu.kernels.push_back(launch);
  return gpu;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

bool has(const std::vector<std::string>& lines, const std::string& line) {
  return std::find(lines.begin(), lines.end(), line) != lines.end();
}

TEST(StatisticsTable, NamesAreUniqueAndEveryOneIsDefinedInOneSentence) {
  std::set<std::string> names;
  auto check = [&names](const auto& statistic) {
    EXPECT_TRUE(names.insert(statistic.name).second) << statistic.name;
    EXPECT_EQ(statistic.name.find_first_of(" ,=|"), std::string::npos) << statistic.name;
    EXPECT_FALSE(statistic.unit.empty()) << statistic.name;
    ASSERT_FALSE(statistic.definition.empty()) << statistic.name;
    EXPECT_EQ(statistic.definition.back(), '.') << statistic.name;
    EXPECT_EQ(statistic.definition.find(". "), std::string::npos) << statistic.name;
    EXPECT_EQ(statistic.definition.find('|'), std::string::npos) << statistic.name;
  };
  for (const auto& group : run_statistics()) {
    for (const auto& statistic : group.statistics) check(statistic);
  }
  names.clear();
  for (const auto& statistic : launch_statistics().statistics) check(statistic);
}

TEST(StatisticsTable, TheListingReadsLikeGpgpuSims) {
  const GpuStatistics gpu = example();
  const std::vector<std::string> lines = lines_of(listing({gpu, 2.0}));
  for (const char* line : {"kernel_name = first",
                           "kernel_launch_uid = 2",
                           "gpu_sim_cycle = 400",
                           "gpu_ipc =       0.2500",
                           "gpu_tot_sim_insn = 1300",
                           "gpu_occupancy = 50.0000%",
                           "gpu_tot_ipc =      33.5200",
                           "gpu_tot_issued_cta = 7",
                           "gpu_tot_occupancy = 41.6667%",
                           "gpgpu_n_tot_w_icount = 1100",
                           "Warp Occupancy Distribution:",
                           "L1D_total_cache_miss_rate = 0.2500",
                           "L1T_total_cache_accesses = 80",
                           "L1T_total_cache_misses = 30",
                           "L1T_total_cache_miss_rate = 0.3750",
                           "L1T_total_cache_pending_hits = 11",
                           "L2_total_cache_reservation_fails = 3",
                           "l2_input_util = 0.5000",
                           "l2_output_util = 0.7500",
                           "gld_requested_bytes = 300",
                           "gld_transaction_bytes = 1200",
                           "gld_efficiency = 25.0000%",
                           "gpgpu_n_shmem_bkconflict = 77",
                           "averagemflatency = 349",
                           "Row_Buffer_Locality = 0.250000",
                           "dram_eff = 0.5000",
                           "bwutil = 0.250000",
                           "gpgpu_simulation_rate = 16760 (inst/sec)",
                           "gpgpu_simulation_rate = 500 (cycle/sec)",
                           "cycles_both = 410",
                           "active_cycles_both = 400",
                           "active_core_cycles = 1800",
                           "alu_load = 1.5000",
                           "memory_load = 2.5000",
                           "idle_fraction = 0.4500",
                           "startup_core_cycles = 100",
                           "startup_ipc =       0.6000",
                           "steady_core_cycles = 800",
                           "steady_insn = 2670",
                           "steady_warp_insn = 89",
                           "steady_ipc =       6.6750",
                           "steady_live_warps = 30.0000",
                           "first_round_core_cycles = 300",
                           "first_round_live_warps = 20.0000",
                           "tail_core_cycles = 1100",
                           "tail_insn = 300",
                           "tail_warp_insn = 10",
                           "first_round_core_cycles = 60",
                           "first_round_ipc =       1.1000",
                           "steady_insn = 33"}) {
    EXPECT_TRUE(has(lines, line)) << line;
  }
}

TEST(StatisticsTable, TheWarpOccupancyDistributionSumsToTheSchedulerCycles) {
  const GpuStatistics gpu = example();
  const std::vector<std::string> lines = lines_of(listing({gpu, 1.0}));
  const auto heading = std::find(lines.begin(), lines.end(), "Warp Occupancy Distribution:");
  ASSERT_NE(heading, lines.end());
  const std::string& line = *(heading + 1);
  EXPECT_EQ(line.find("Stall:80\tW0_Idle:340\tW0_Scoreboard:460\tW1:0\tW2:0\t"), 0U) << line;
  std::uint64_t sum = 0;
  std::istringstream fields(line);
  for (std::string field; std::getline(fields, field, '\t');) {
    sum += std::stoull(field.substr(field.find(':') + 1));
  }
  EXPECT_EQ(sum, gpu.scheduler_cycles);
}

TEST(StatisticsTable, QueuesAreThereWhenTheyWereWatched) {
  GpuStatistics gpu = example();
  EXPECT_EQ(listing({gpu, 1.0}).find("promotions"), std::string::npos);
  gpu.queues.emplace();
  gpu.queues->cycles = 10;
  gpu.queues->promotions = 3;
  gpu.queues->at(Place::active).occupancy = 25;
  gpu.queues->at(Place::active).add_stay(4);
  gpu.queues->at(Place::active).add_stay(7);
  const std::vector<std::string> lines = lines_of(listing({gpu, 1.0}));
  for (const char* line : {"promotions = 3", "active_occupancy = 2.5000",
                           "active_wait_mean = 5.5000", "active_wait_max = 7"}) {
    EXPECT_TRUE(has(lines, line)) << line;
  }
}

}  // namespace
}  // namespace paws
