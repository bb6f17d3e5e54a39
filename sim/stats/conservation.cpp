// SPDX-License-Identifier: MIT
#include "sim/stats/conservation.h"

#include <fmt/format.h>

#include <array>
#include <numeric>
#include <stdexcept>
#include <string_view>

namespace paws {
namespace {

void equal(std::string_view where, std::string_view left, std::uint64_t a, std::string_view right,
           std::uint64_t b) {
  if (a == b) return;
  throw std::logic_error(
      fmt::format("not conserved{}: {} ({}) and {} ({}) differ", where, left, a, right, b));
}

void none(std::string_view where, std::string_view what, std::uint64_t left) {
  if (left == 0) return;
  throw std::logic_error(
      fmt::format("not conserved{}: {} left at the end of a launch: {}", where, what, left));
}

template <typename Array>
std::uint64_t sum(const Array& array) {
  return std::accumulate(array.begin(), array.end(), std::uint64_t{0});
}

PartCounts sum_of(const LaunchPartCounts& parts) {
  return std::accumulate(parts.begin(), parts.end(), PartCounts{},
                         [](PartCounts sum, const PartCounts& part) { return sum += part; });
}

/// Sub-warps and threads of a barrel core, in which one instruction may be many sub-warps.
void check_barrel(std::string_view where, const CoreStatistics& statistics) {
  const BarrelCounts& barrel = statistics.barrel;
  equal(where, "instructions selected", sum(barrel.instructions) + barrel.further_blocks,
        "instructions executed, by block", statistics.executed);
  equal(where, "rows of instructions selected", sum(barrel.rows), "rows by lanes",
        statistics.warp_instructions());
  equal(where, "sub-warps", sum(barrel.sub_warps), "sub-warps by lanes",
        sum(statistics.path_lanes));
  equal(where, "sub-warps", sum(barrel.sub_warps), "scheduler cycles with a sub-warp",
        statistics.in_state(SchedulerState::issued));
  equal(where, "cycles of a frozen pipeline", barrel.frozen_cycles, "scheduler cycles in them",
        statistics.in_state(SchedulerState::pipeline));
  equal(where, "threads on the path", barrel.threads, "threads executed", barrel.executed_threads);
  std::uint64_t threads = barrel.dropped_threads;
  for (unsigned lanes = 0; lanes < statistics.path_lanes.size(); ++lanes) {
    threads += lanes * statistics.path_lanes[lanes];
  }
  equal(where, "threads in sub-warps, or left to the first one", threads, "threads on the path",
        barrel.threads);
}

}  // namespace

void check_drained(std::uint32_t core, const CoreResidue& residue) {
  const std::string where = fmt::format(" in core {}", core);
  none(where, "ALU instructions in flight", residue.alu);
  none(where, "memory instructions in flight", residue.memory);
  none(where, "loads without a reply", residue.loads);
  none(where, "stores without an acknowledgement", residue.stores);
  none(where, "L1 or texture cache MSHR entries", residue.mshrs);
  none(where, "instruction lines", residue.lines);
}

void check_core(std::uint32_t core, const CoreStatistics& statistics, std::uint64_t cycles,
                std::uint64_t scheduler_cycles) {
  const std::string where = fmt::format(" in core {}", core);
  const std::uint64_t issued = statistics.warp_instructions();
  equal(where, "requests", statistics.requests, "replies", statistics.replies);
  equal(where, "blocks started", statistics.blocks_started, "blocks ended", statistics.blocks);
  if (statistics.barrel.any()) {
    check_barrel(where, statistics);
  } else {
    equal(where, "instructions issued", issued, "instructions executed", statistics.executed);
    equal(where, "instructions issued", issued, "scheduler cycles with an issue",
          statistics.in_state(SchedulerState::issued));
    equal(where, "instructions issued", issued, "instructions by lanes on the path",
          sum(statistics.path_lanes));
  }
  equal(where, "scheduler states", statistics.enabled_cycles(), "enabled scheduler cycles",
        scheduler_cycles);
  equal(where, "cycles by what is in flight", statistics.cycles(), "cycles", cycles);
  const PartCounts parts = sum_of(statistics.parts);
  equal(where, "cycles by part of the launches", parts.cycles, "cycles", cycles);
  equal(where, "instructions issued by part of the launches", parts.warp_instructions,
        "instructions issued", issued);
  equal(where, "instructions of threads by part of the launches", parts.thread_instructions,
        "instructions of threads", statistics.thread_instructions());
  equal(where, "cycles of warps by part of the launches", parts.warp_cycles, "cycles of warps",
        statistics.warp_cycles);
  equal(where, "L1 lookups", statistics.l1_accesses, "hits, misses and pending hits",
        statistics.l1_hits + statistics.l1_misses + statistics.l1_pending_hits);
  equal(where, "L1 hits", statistics.l1_hits, "hits by whose line",
        sum(statistics.l1_hits_by_locality));
  equal(where, "L1 pending hits", statistics.l1_pending_hits, "pending hits by whose line",
        sum(statistics.l1_pending_hits_by_locality));
  equal(where, "texture cache lookups", statistics.texture_accesses,
        "hits, misses and pending hits",
        statistics.texture_hits + statistics.texture_misses + statistics.texture_pending_hits);
  equal(where, "instruction fetches", statistics.icache_accesses, "hits, misses and pending hits",
        statistics.icache_hits + statistics.icache_misses + statistics.icache_pending_hits);
  // A load or fetch that misses and whatever goes past the L1 is a request; so is a line written
  // back.
  // An instruction line that misses or is prefetched is one, unless the second level has it.
  const std::uint64_t lines = statistics.icache_misses + statistics.icache_prefetches;
  equal(where, "load and texture misses, bypassing loads, stores, atomics and instruction misses",
        lines - statistics.icache_l15_accesses + statistics.icache_l15_misses +
            statistics.l1_misses - statistics.l1_store_misses + statistics.texture_misses +
            statistics.bypass_transactions + statistics.store_transactions +
            statistics.atomic_transactions,
        "requests", statistics.requests);
}

void check_launches(const CoreStatistics& before, const CoreStatistics& after,
                    std::span<const LaunchStatistics> launches) {
  LaunchCounts sum;
  for (const LaunchStatistics& launch : launches) sum += launch;
  const std::string_view where = " in the launches";
  const std::string_view cores = "the same of the cores";
  equal(where, "instructions issued", sum.warp_instructions, cores,
        after.warp_instructions() - before.warp_instructions());
  equal(where, "instructions of threads", sum.thread_instructions, cores,
        after.thread_instructions() - before.thread_instructions());
  equal(where, "blocks ended", sum.blocks, cores, after.blocks - before.blocks);
  equal(where, "cycles of warps", sum.warp_cycles, cores, after.warp_cycles - before.warp_cycles);
  for (unsigned i = 0; i < kLaunchParts; ++i) {
    PartCounts part = after.parts[i];
    part -= before.parts[i];
    equal(where, "instructions issued in a part", sum.parts[i].warp_instructions, cores,
          part.warp_instructions);
    equal(where, "instructions of threads in a part", sum.parts[i].thread_instructions, cores,
          part.thread_instructions);
    equal(where, "cycles of warps in a part", sum.parts[i].warp_cycles, cores, part.warp_cycles);
    equal(where, "cycles of a part", sum.parts[i].cycles, cores, part.cycles * launches.size());
  }
  // Launches that share a core are active in the same cycles.
  if (launches.size() == 1) {
    equal(where, "cycles with a live warp", sum.active_cycles, cores,
          after.active_cycles() - before.active_cycles());
  }
}

void check_memory(const GpuStatistics& total, const memory::Residue& residue) {
  const CoreStatistics& cores = total.cores;
  const memory::Statistics& memory = total.memory;
  const std::string_view where = " in the memory system";
  equal(where, "requests of the cores", cores.requests, "requests in the crossbar",
        memory.requests);
  equal(where, "requests in the crossbar", memory.requests, "requests at the L2",
        memory.slice_requests);
  equal(where, "requests at the L2", memory.slice_requests, "L2 lookups", memory.l2_accesses);
  equal(where, "L2 lookups", memory.l2_accesses, "hits, misses and pending hits",
        memory.l2_hits + memory.l2_misses + memory.l2_pending_hits);
  equal(where, "L2 hits", memory.l2_hits, "hits by whose line and of instructions",
        sum(memory.l2_hits_by_locality) + memory.l2_instruction_hits);
  equal(where, "L2 pending hits", memory.l2_pending_hits,
        "pending hits by whose line and of instructions",
        sum(memory.l2_pending_hits_by_locality) + memory.l2_instruction_pending_hits);
  equal(where, "requests at the L2", memory.slice_requests, "replies of the L2",
        memory.slice_replies);
  equal(where, "replies of the L2", memory.slice_replies, "replies of the crossbar",
        memory.responses);
  equal(where, "replies of the crossbar", memory.responses, "replies at the cores", cores.replies);
  equal(where, "lines that the L2 fetches", memory.dram_fetches, "DRAM reads", memory.dram_reads);
  equal(where, "lines that the L2 writes back", memory.l2_writebacks, "DRAM writes done or waiting",
        memory.dram_writes + residue.writes);
  none(where, "requests", residue.requests);
  none(where, "L2 MSHR entries", residue.l2_mshrs);
  none(where, "blocked requests", residue.blocked);
  none(where, "DRAM reads", residue.reads);
  equal(where, "loads outstanding, summed over cycles", cores.outstanding_cycles,
        "their latencies, summed", memory.load_latency);
  equal(where, "instruction lines outstanding, summed over cycles", cores.fetching_cycles,
        "their latencies, summed", memory.fetch_latency);
  equal(where, "stores outstanding, summed over cycles", cores.unacknowledged_cycles,
        "their latencies, summed", memory.store_latency);
}

ProfileFigures& ProfileFigures::operator+=(const ProfileFigures& other) {
  warp_instructions += other.warp_instructions;
  path_threads += other.path_threads;
  thread_instructions += other.thread_instructions;
  warp_cycles += other.warp_cycles;
  l1_accesses += other.l1_accesses;
  l1_misses += other.l1_misses;
  shared_accesses += other.shared_accesses;
  shared_conflict_cycles += other.shared_conflict_cycles;
  return *this;
}

ProfileFigures profile_figures(const CoreStatistics& statistics) {
  ProfileFigures figures;
  figures.warp_instructions = statistics.warp_instructions();
  for (unsigned lanes = 0; lanes < statistics.path_lanes.size(); ++lanes) {
    figures.path_threads += lanes * statistics.path_lanes[lanes];
  }
  figures.thread_instructions = statistics.thread_instructions();
  figures.warp_cycles = statistics.warp_cycles;
  figures.l1_accesses = statistics.l1_accesses + statistics.texture_accesses;
  figures.l1_misses = statistics.l1_misses + statistics.texture_misses;
  figures.shared_accesses = statistics.shared_accesses;
  figures.shared_conflict_cycles = statistics.shared_conflict_cycles;
  return figures;
}

void check_profile(std::uint32_t core, const ProfileFigures& profile, const ProfileFigures& before,
                   const ProfileFigures& after) {
  const std::string where = fmt::format(" in the profile of core {}", core);
  const auto check = [&](std::string_view what, std::uint64_t ProfileFigures::* figure) {
    equal(where, what, profile.*figure, "the same of the core", after.*figure - before.*figure);
  };
  check("instructions issued", &ProfileFigures::warp_instructions);
  check("threads on the path", &ProfileFigures::path_threads);
  check("instructions of threads", &ProfileFigures::thread_instructions);
  check("cycles of warps", &ProfileFigures::warp_cycles);
  check("L1 and texture cache lookups", &ProfileFigures::l1_accesses);
  check("L1 and texture cache misses", &ProfileFigures::l1_misses);
  check("accesses to shared memory", &ProfileFigures::shared_accesses);
  check("cycles of bank conflicts", &ProfileFigures::shared_conflict_cycles);
}

void check_queues(const QueueStatistics& queues) {
  constexpr std::array<std::string_view, kPlaces> names{" in ready", " in active",
                                                        " in the collector", " in pending"};
  for (unsigned i = 0; i < kPlaces; ++i) {
    equal(names[i], "warps, summed over cycles", queues.places[i].occupancy,
          "stays, summed over warps", queues.places[i].waited);
  }
}

}  // namespace paws
