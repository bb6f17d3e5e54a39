// SPDX-License-Identifier: MIT
// Figures that add up pass; each that does not is noticed, by name.

#include "sim/stats/conservation.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

namespace paws {
namespace {

constexpr std::uint64_t kCycles = 20;
constexpr std::uint64_t kSchedulerCycles = 20;

/// Two instructions, one of them a load that missed; 20 cycles.
CoreStatistics sound_core() {
  CoreStatistics core;
  core.scheduler_cycles = {10, 6, 1, 1, 2};
  core.lanes[32] = 2;
  core.path_lanes[32] = 2;
  core.executed = 2;
  core.blocks_started = core.blocks = 1;
  core.flight_cycles[0] = {2, 1, 1, 0};
  core.flight_cycles[1] = {4, 3, 5, 4};
  core.l1_accesses = 5;
  core.l1_hits = 2;
  core.l1_misses = 2;
  core.l1_pending_hits = 1;
  core.l1_hits_by_locality = {1, 0, 0, 1};
  core.l1_pending_hits_by_locality = {0, 1, 0, 0};
  core.l1_store_accesses = core.l1_store_misses = core.store_transactions = 1;
  core.texture_accesses = 6;
  core.texture_hits = 3;
  core.texture_misses = 2;
  core.texture_pending_hits = 1;
  core.bypass_transactions = 1;
  core.atomic_transactions = 4;
  core.requests = core.replies = 10;
  core.icache_accesses = 8;
  core.icache_hits = 5;
  core.icache_misses = 1;
  core.icache_pending_hits = 2;
  core.fetching_cycles = 11;
  core.outstanding_cycles = 70;
  core.unacknowledged_cycles = 30;
  core.warp_cycles = 9;
  core.parts = {{{3, 0, 0, 2}, {10, 1, 32, 4}, {2, 0, 0, 1}, {5, 1, 32, 2}}};
  return core;
}

GpuStatistics sound_gpu() {
  GpuStatistics gpu;
  gpu.cores = sound_core();
  memory::Statistics& memory = gpu.memory;
  memory.requests = memory.responses = memory.slice_requests = memory.slice_replies = 10;
  memory.l2_accesses = 10;
  memory.l2_hits = 5;
  memory.l2_misses = 3;
  memory.l2_pending_hits = 2;
  memory.l2_hits_by_locality = {1, 1, 0, 2};
  memory.l2_instruction_hits = 1;
  memory.l2_pending_hits_by_locality = {0, 0, 1, 0};
  memory.l2_instruction_pending_hits = 1;
  memory.l2_writebacks = 5;
  memory.dram_fetches = memory.dram_reads = 3;
  memory.dram_writes = 4;
  memory.load_latency = 70;
  memory.store_latency = 30;
  memory.fetch_latency = 11;
  return gpu;
}

memory::Residue sound_residue() {
  memory::Residue residue;
  residue.writes = 1;
  return residue;
}

std::string message_of(const std::function<void()>& check) {
  try {
    check();
  } catch (const std::logic_error& error) {
    return error.what();
  }
  return "";
}

/// The same instructions as two of a barrel core: the first one with two sub-warps of two rows, the
/// second one a jump that is done with the first of two rows, 20 threads each.
CoreStatistics sound_barrel() {
  CoreStatistics core = sound_core();
  core.lanes = {};
  core.lanes[16] = 4;
  core.path_lanes = {};
  core.path_lanes[20] = 3;
  core.scheduler_cycles = {10, 5, 2, 0, 3};
  core.parts[1].warp_instructions = 3;
  core.barrel.instructions = {1, 0, 1};
  core.barrel.rows = {2, 0, 2};
  core.barrel.sub_warps = {2, 0, 1};
  core.barrel.threads = core.barrel.executed_threads = 80;
  core.barrel.dropped_threads = 20;
  core.barrel.frozen_cycles = 2;
  return core;
}

TEST(Conservation, EveryFigureOfABarrelCoreIsHeldToAnother) {
  EXPECT_NO_THROW(check_core(0, sound_barrel(), kCycles, kSchedulerCycles));
  struct Case {
    const char* message;
    std::function<void(CoreStatistics&)> spoil;
  };
  const Case cases[] = {
      {"instructions selected (3) and instructions executed, by block (2)",
       [](CoreStatistics& c) { ++c.barrel.instructions[1]; }},
      {"rows of instructions selected (5) and rows by lanes (4)",
       [](CoreStatistics& c) { ++c.barrel.rows[0]; }},
      {"sub-warps (4) and sub-warps by lanes (3)",
       [](CoreStatistics& c) { ++c.barrel.sub_warps[2]; }},
      {"sub-warps (3) and scheduler cycles with a sub-warp (4)",
       [](CoreStatistics& c) {
         ++c.scheduler_cycles[4];
         --c.scheduler_cycles[0];
       }},
      {"cycles of a frozen pipeline (1) and scheduler cycles in them (2)",
       [](CoreStatistics& c) { --c.barrel.frozen_cycles; }},
      {"threads on the path (80) and threads executed (81)",
       [](CoreStatistics& c) { ++c.barrel.executed_threads; }},
      {"threads in sub-warps, or left to the first one (81) and threads on the path (80)",
       [](CoreStatistics& c) { ++c.barrel.dropped_threads; }}};
  for (const Case& test : cases) {
    CoreStatistics core = sound_barrel();
    test.spoil(core);
    const std::string message = message_of([&] { check_core(0, core, kCycles, kSchedulerCycles); });
    EXPECT_NE(message.find(test.message), std::string::npos)
        << test.message << "\nis missing in: " << message;
  }
}

TEST(Conservation, SoundFiguresPass) {
  EXPECT_NO_THROW(check_core(0, sound_core(), kCycles, kSchedulerCycles));
  EXPECT_NO_THROW(check_memory(sound_gpu(), sound_residue()));
  EXPECT_NO_THROW(check_drained(0, {}));
}

TEST(Conservation, EveryFigureOfACoreIsHeldToAnother) {
  struct Case {
    const char* message;
    std::function<void(CoreStatistics&)> spoil;
  };
  const Case cases[] = {
      {"requests (11) and replies (10)", [](CoreStatistics& c) { ++c.requests; }},
      {"requests (10) and replies (9)", [](CoreStatistics& c) { --c.replies; }},
      {"blocks started (2) and blocks ended (1)", [](CoreStatistics& c) { ++c.blocks_started; }},
      {"instructions issued (2) and instructions executed (1)",
       [](CoreStatistics& c) { --c.executed; }},
      {"instructions issued (3)", [](CoreStatistics& c) { ++c.lanes[0]; }},
      {"instructions by lanes on the path (3)", [](CoreStatistics& c) { ++c.path_lanes[1]; }},
      {"scheduler states (21) and enabled scheduler cycles (20)",
       [](CoreStatistics& c) { ++c.scheduler_cycles[1]; }},
      {"scheduler cycles with an issue (3)",
       [](CoreStatistics& c) {
         ++c.scheduler_cycles[4];
         --c.scheduler_cycles[0];
       }},
      {"cycles by what is in flight (21) and cycles (20)",
       [](CoreStatistics& c) { ++c.flight_cycles[1][kComputing]; }},
      {"L1 lookups (5) and hits, misses and pending hits (6)",
       [](CoreStatistics& c) { ++c.l1_hits; }},
      {"L1 hits (2) and hits by whose line (3)",
       [](CoreStatistics& c) { ++c.l1_hits_by_locality[2]; }},
      {"L1 pending hits (1) and pending hits by whose line (0)",
       [](CoreStatistics& c) { --c.l1_pending_hits_by_locality[1]; }},
      {"instruction fetches (9) and hits, misses and pending hits (8)",
       [](CoreStatistics& c) { ++c.icache_accesses; }},
      {"texture cache lookups (7) and hits, misses and pending hits (6)",
       [](CoreStatistics& c) { ++c.texture_accesses; }},
      {"load and texture misses, bypassing loads, stores, atomics and instruction misses (11) and "
       "requests (10)",
       [](CoreStatistics& c) { ++c.store_transactions; }},
      {"instruction misses (9) and requests (10)",
       [](CoreStatistics& c) {
         ++c.texture_hits;
         --c.texture_misses;
       }},
      {"instruction misses (11) and requests (10)",
       [](CoreStatistics& c) { ++c.icache_prefetches; }},
      {"instruction misses (9) and requests (10)",
       [](CoreStatistics& c) { ++c.icache_l15_accesses; }},
      {"instruction misses (11) and requests (10)",
       [](CoreStatistics& c) { ++c.icache_l15_misses; }},
      {"cycles by part of the launches (21) and cycles (20)",
       [](CoreStatistics& c) { ++c.parts[0].cycles; }},
      {"instructions issued by part of the launches (3) and instructions issued (2)",
       [](CoreStatistics& c) { ++c.parts[1].warp_instructions; }},
      {"instructions of threads by part of the launches (63) and instructions of threads (64)",
       [](CoreStatistics& c) { --c.parts[3].thread_instructions; }},
      {"cycles of warps by part of the launches (10) and cycles of warps (9)",
       [](CoreStatistics& c) { ++c.parts[2].warp_cycles; }}};
  for (const Case& test : cases) {
    CoreStatistics core = sound_core();
    test.spoil(core);
    const std::string message = message_of([&] { check_core(7, core, kCycles, kSchedulerCycles); });
    EXPECT_NE(message.find(test.message), std::string::npos) << test.message << " in: " << message;
    EXPECT_NE(message.find("in core 7"), std::string::npos) << message;
  }
}

TEST(Conservation, LaunchesAddUpToTheCores) {
  CoreStatistics before = sound_core();
  before.lanes[5] = 3;
  before.warp_cycles = 11;
  CoreStatistics after = before;
  after.lanes[32] += 2;
  after.lanes[8] += 1;
  after.blocks += 2;
  after.warp_cycles += 30;
  after.flight_cycles[1][kNothing] += 20;
  LaunchStatistics launch;
  launch.warp_instructions = 3;
  launch.thread_instructions = 72;
  launch.blocks = 2;
  launch.warp_cycles = 30;
  launch.active_cycles = 20;
  const auto message = [&](const LaunchStatistics& first, const LaunchStatistics& second) {
    const LaunchStatistics both[] = {first, second};
    return message_of([&] { check_launches(before, after, both); });
  };
  EXPECT_NO_THROW(check_launches(before, after, {&launch, 1}));
  LaunchStatistics idle;
  EXPECT_EQ(message(launch, idle), "");
  idle.active_cycles = 15;
  EXPECT_EQ(message(launch, idle), "") << "two launches may be active in the same cycle";
  struct Case {
    const char* message;
    std::uint64_t LaunchCounts::* count;
  };
  const Case cases[] = {
      {"instructions issued (4) and the same of the cores (3)", &LaunchCounts::warp_instructions},
      {"instructions of threads (73) and the same of the cores (72)",
       &LaunchCounts::thread_instructions},
      {"blocks ended (3) and the same of the cores (2)", &LaunchCounts::blocks},
      {"cycles of warps (31) and the same of the cores (30)", &LaunchCounts::warp_cycles},
      {"cycles with a live warp (21) and the same of the cores (20)",
       &LaunchCounts::active_cycles}};
  for (const Case& test : cases) {
    LaunchStatistics spoilt = launch;
    ++(spoilt.*test.count);
    const std::string text = message_of([&] { check_launches(before, after, {&spoilt, 1}); });
    EXPECT_EQ(text, std::string("not conserved in the launches: ") + test.message + " differ");
  }
  after.parts[2] += {7, 2, 40, 12};
  launch.parts[2] = {7, 2, 40, 12};
  EXPECT_EQ(message_of([&] { check_launches(before, after, {&launch, 1}); }), "");
  struct PartCase {
    const char* message;
    std::uint64_t PartCounts::* count;
  };
  const PartCase part_cases[] = {
      {"cycles of a part (8) and the same of the cores (7)", &PartCounts::cycles},
      {"instructions issued in a part (3) and the same of the cores (2)",
       &PartCounts::warp_instructions},
      {"instructions of threads in a part (41) and the same of the cores (40)",
       &PartCounts::thread_instructions},
      {"cycles of warps in a part (13) and the same of the cores (12)", &PartCounts::warp_cycles}};
  for (const PartCase& test : part_cases) {
    LaunchStatistics spoilt = launch;
    ++(spoilt.parts[2].*test.count);
    const std::string text = message_of([&] { check_launches(before, after, {&spoilt, 1}); });
    EXPECT_EQ(text, std::string("not conserved in the launches: ") + test.message + " differ");
  }
}

TEST(Conservation, EveryLevelOfMemoryIsHeldToTheNext) {
  struct Case {
    const char* message;
    std::function<void(GpuStatistics&, memory::Residue&)> spoil;
  };
  using Gpu = GpuStatistics;
  using Left = memory::Residue;
  const Case cases[] = {
      {"requests of the cores (10) and requests in the crossbar (11)",
       [](Gpu& g, Left&) { ++g.memory.requests; }},
      {"requests in the crossbar (10) and requests at the L2 (9)",
       [](Gpu& g, Left&) { --g.memory.slice_requests; }},
      {"requests at the L2 (10) and L2 lookups (9)", [](Gpu& g, Left&) { --g.memory.l2_accesses; }},
      {"L2 lookups (10) and hits, misses and pending hits (9)",
       [](Gpu& g, Left&) { --g.memory.l2_hits; }},
      {"L2 hits (5) and hits by whose line and of instructions (6)",
       [](Gpu& g, Left&) { ++g.memory.l2_instruction_hits; }},
      {"L2 pending hits (2) and pending hits by whose line and of instructions (3)",
       [](Gpu& g, Left&) { ++g.memory.l2_pending_hits_by_locality[0]; }},
      {"replies of the L2 (9)", [](Gpu& g, Left&) { --g.memory.slice_replies; }},
      {"replies of the crossbar (9)", [](Gpu& g, Left&) { --g.memory.responses; }},
      {"replies at the cores (9)", [](Gpu& g, Left&) { --g.cores.replies; }},
      {"lines that the L2 fetches (4) and DRAM reads (3)",
       [](Gpu& g, Left&) { ++g.memory.dram_fetches; }},
      {"lines that the L2 writes back (5) and DRAM writes done or waiting (4)",
       [](Gpu&, Left& left) { --left.writes; }},
      {"requests left at the end of a launch: 1", [](Gpu&, Left& left) { ++left.requests; }},
      {"L2 MSHR entries left at the end of a launch: 1", [](Gpu&, Left& left) { ++left.l2_mshrs; }},
      {"blocked requests left at the end of a launch: 1", [](Gpu&, Left& left) { ++left.blocked; }},
      {"DRAM reads left at the end of a launch: 1", [](Gpu&, Left& left) { ++left.reads; }},
      {"loads outstanding, summed over cycles (71) and their latencies, summed (70)",
       [](Gpu& g, Left&) { ++g.cores.outstanding_cycles; }},
      {"instruction lines outstanding, summed over cycles (11) and their latencies, summed (12)",
       [](Gpu& g, Left&) { ++g.memory.fetch_latency; }},
      {"stores outstanding, summed over cycles (30) and their latencies, summed (29)",
       [](Gpu& g, Left&) { --g.memory.store_latency; }}};
  for (const Case& test : cases) {
    GpuStatistics gpu = sound_gpu();
    memory::Residue residue = sound_residue();
    test.spoil(gpu, residue);
    const std::string message = message_of([&] { check_memory(gpu, residue); });
    EXPECT_NE(message.find(test.message), std::string::npos) << test.message << " in: " << message;
  }
}

TEST(Conservation, NothingMayBeLeftInACore) {
  const struct {
    const char* message;
    CoreResidue residue;
  } cases[] = {
      {"ALU instructions in flight left", {1, 0, 0, 0, 0, 0}},
      {"memory instructions in flight left", {0, 1, 0, 0, 0, 0}},
      {"loads without a reply left", {0, 0, 1, 0, 0, 0}},
      {"stores without an acknowledgement left", {0, 0, 0, 1, 0, 0}},
      {"L1 or texture cache MSHR entries left at the end of a launch: 2", {0, 0, 0, 0, 2, 0}},
      {"instruction lines left", {0, 0, 0, 0, 0, 1}}};
  for (const auto& test : cases) {
    const std::string message = message_of([&] { check_drained(3, test.residue); });
    EXPECT_NE(message.find(test.message), std::string::npos) << test.message << " in: " << message;
  }
}

TEST(Conservation, AProfileHoldsAllThatItsCoreHasCounted) {
  CoreStatistics statistics;
  statistics.lanes[8] = statistics.path_lanes[16] = 3;
  statistics.warp_cycles = 70;
  statistics.l1_accesses = 3;
  statistics.l1_misses = 3;
  statistics.texture_accesses = 2;
  statistics.texture_misses = 1;
  statistics.shared_accesses = 2;
  statistics.shared_conflict_cycles = 31;
  const ProfileFigures counted = profile_figures(statistics);
  EXPECT_EQ(counted, (ProfileFigures{3, 48, 24, 70, 5, 4, 2, 31}));
  ProfileFigures after = counted;
  after += counted;
  EXPECT_NO_THROW(check_profile(7, counted, counted, after));
  for (std::uint64_t ProfileFigures::* const figure :
       {&ProfileFigures::warp_instructions, &ProfileFigures::path_threads,
        &ProfileFigures::thread_instructions, &ProfileFigures::warp_cycles,
        &ProfileFigures::l1_accesses, &ProfileFigures::l1_misses, &ProfileFigures::shared_accesses,
        &ProfileFigures::shared_conflict_cycles}) {
    ProfileFigures spoilt = counted;
    ++(spoilt.*figure);
    EXPECT_NE(message_of([&] {
                check_profile(7, spoilt, counted, after);
              }).find("not conserved in the profile of core 7: "),
              std::string::npos);
  }
}

TEST(Conservation, LittlesLawOfTheQueues) {
  QueueStatistics queues;
  queues.at(Place::pending).occupancy = 12;
  queues.at(Place::pending).waited = 12;
  EXPECT_NO_THROW(check_queues(queues));
  queues.at(Place::pending).add_stay(1);
  EXPECT_EQ(message_of([&] { check_queues(queues); }),
            "not conserved in pending: warps, summed over cycles (12) and stays, summed over warps "
            "(13) differ");
}

}  // namespace
}  // namespace paws
