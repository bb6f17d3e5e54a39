// SPDX-License-Identifier: MIT
#include "sim/stats/statistics_table.h"

#include <fmt/format.h>

#include <array>

namespace paws {
namespace {

using Value = StatisticValue;
using Run = RunFigures;
using Group = StatisticGroup<RunFigures>;

std::uint64_t count(std::uint64_t value) { return value; }

double ratio(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

double per_second(std::uint64_t work, double seconds) {
  return seconds > 0 ? static_cast<double>(work) / seconds : 0;
}

/// A statistic that every run has.
template <typename Get>
Statistic<Run> of(std::string name, std::string unit, std::string definition, Get get,
                  std::string format = "") {
  return {std::move(name),
          std::move(unit),
          std::move(definition),
          [get](const Run& run) { return std::optional<Value>(get(run.gpu)); },
          "",
          std::move(format)};
}

/// A statistic of the queues, when they were watched.
template <typename Get>
Statistic<Run> of_queues(std::string name, std::string unit, std::string definition, Get get) {
  return {std::move(name),
          std::move(unit),
          std::move(definition),
          [get](const Run& run) {
            return run.gpu.queues ? std::optional<Value>(get(*run.gpu.queues)) : std::nullopt;
          },
          "",
          ""};
}

Statistic<Run> of_host(std::string name, std::string unit, std::string definition,
                       std::function<Value(const Run&)> get, std::string label = "",
                       std::string format = "") {
  return {std::move(name),
          std::move(unit),
          std::move(definition),
          [get = std::move(get)](const Run& run) { return std::optional<Value>(get(run)); },
          std::move(label),
          std::move(format),
          true};
}

constexpr const char* kIpcFormat = "{:12.4f}";
constexpr const char* kPercentFormat = "{:.4f}%";

Group whole_run() {
  return {
      "The run",
      "These statistics are sums over all kernel launches of the run.",
      {of("gpu_tot_sim_cycle", "core cycles", "gpu_sim_cycle, summed over the launches.",
          [](const GpuStatistics& s) { return count(s.cycles); }),
       of("gpu_tot_sim_insn", "thread instructions",
          "Lanes with a true guard, summed over the issued warp instructions.",
          [](const GpuStatistics& s) { return s.cores.thread_instructions(); }),
       of(
           "gpu_tot_ipc", "thread instructions per core cycle",
           "gpu_tot_sim_insn ÷ gpu_tot_sim_cycle, for the whole GPU.",
           [](const GpuStatistics& s) { return s.ipc(); }, kIpcFormat),
       of("gpu_tot_issued_cta", "thread blocks", "Blocks that the block scheduler gave to a core.",
          [](const GpuStatistics& s) { return count(s.cores.blocks_started); }),
       of(
           "gpu_tot_occupancy", "%",
           "Live warps ÷ warp slots, in the core cycles with at least one live warp.",
           [](const GpuStatistics& s) {
             return 100 * occupancy(s.cores.warp_cycles, s.cores.active_cycles(), s.warp_slots);
           },
           kPercentFormat),
       of("gpgpu_n_tot_w_icount", "warp instructions", "Warp instructions issued.",
          [](const GpuStatistics& s) { return s.cores.warp_instructions(); })},
      false};
}

Group schedulers() {
  const auto state = [](SchedulerState which) {
    return [which](const GpuStatistics& s) { return count(s.cores.in_state(which)); };
  };
  const std::string unit = "scheduler cycles";
  return {"Schedulers",
          "A scheduler is enabled (may issue) in one of `core.issue_interval` cycles. Each\n"
          "enabled cycle is counted in one of five states: the four states of PAWS V-C, and one\n"
          "more for two-level schedulers. If several states fit, the last one in the table\n"
          "counts. The counts are sums over all schedulers. In every run the five states sum to\n"
          "`scheduler_cycles`.",
          {of("scheduler_cycles", unit, "Enabled cycles, summed over the schedulers.",
              [](const GpuStatistics& s) { return count(s.scheduler_cycles); }),
           of("scheduler_cycles_no_instruction", unit,
              "No warp has a decoded instruction, and no warp waits at a barrier (state 1).",
              state(SchedulerState::no_instruction)),
           of("scheduler_cycles_operand", unit,
              "Every decoded instruction waits for an operand, a barrier or a fence (state 2).",
              state(SchedulerState::operand)),
           of("scheduler_cycles_pipeline", unit,
              "Some instructions have their operands, but their units are busy (state 3).",
              state(SchedulerState::pipeline)),
           of("scheduler_cycles_outside_ready", unit,
              "An instruction could issue, but its warp is not in the ready queue (two-level).",
              state(SchedulerState::outside_ready)),
           of("scheduler_cycles_issued", unit, "An instruction was issued (state 4).",
              state(SchedulerState::issued)),
           of("idle_fraction", "1", "Enabled cycles without an issue ÷ enabled cycles (PAWS V-C).",
              [](const GpuStatistics& s) { return s.cores.idle_fraction(); })},
          false};
}

Group warp_occupancy() {
  const std::string unit = "scheduler cycles";
  Group group{
      "Warp Occupancy Distribution",
      "This is GPGPU-Sim's view of the same cycles. The listing prints it on one line.\n"
      "These counts sum to `scheduler_cycles` too.",
      {of("Stall", unit, "Some instructions have their operands, but their units are busy.",
          [](const GpuStatistics& s) { return s.cores.in_state(SchedulerState::pipeline); }),
       of("W0_Idle", unit, "No warp has a decoded instruction, even if warps wait at a barrier.",
          [](const GpuStatistics& s) {
            return s.cores.in_state(SchedulerState::no_instruction) + s.cores.held_cycles;
          }),
       of("W0_Scoreboard", unit, "Every decoded instruction waits for an operand or a fence.",
          [](const GpuStatistics& s) {
            return s.cores.in_state(SchedulerState::operand) - s.cores.held_cycles;
          })},
      true};
  for (unsigned lanes = 1; lanes <= ir::kWarpSize; ++lanes) {
    group.statistics.push_back(
        of(fmt::format("W{}", lanes), unit,
           lanes == 1 ? "An instruction issued with one lane on the warp's SIMT path, before the "
                        "guard is applied."
                      : fmt::format("The same as W1, with {} lanes.", lanes),
           [lanes](const GpuStatistics& s) { return count(s.cores.path_lanes[lanes]); }));
  }
  group.statistics.push_back(
      of("Outside_Ready", unit,
         "An instruction could issue, but its warp is not in the ready queue; GPGPU-Sim does not "
         "look at these warps.",
         [](const GpuStatistics& s) { return s.cores.in_state(SchedulerState::outside_ready); }));
  return group;
}

Group in_flight() {
  const auto flight = [](unsigned which) {
    return [which](const GpuStatistics& s) {
      return s.cores.flight_cycles[0][which] + s.cores.flight_cycles[1][which];
    };
  };
  const auto active = [](unsigned which) {
    return [which](const GpuStatistics& s) { return count(s.cores.flight_cycles[1][which]); };
  };
  const std::string unit = "core cycles";
  return {
      "In flight",
      "These are the figures of PAWS V-D, Fig. 10 and 11, summed over cores.\n"
      "\n"
      "* A memory instruction is any instruction of the load-store unit, shared memory\n"
      "  included. It is in flight from its issue until its registers are written or its\n"
      "  stores are acknowledged.\n"
      "* An ALU instruction is any other instruction that writes a register, special\n"
      "  functions and double precision included. It is in flight from its issue until the\n"
      "  register is written.\n"
      "* A branch counts as an ALU instruction. It is in flight from its issue until it is\n"
      "  resolved.\n"
      "* Barriers, fences and the exit of a warp are never in flight.",
      {of("core_cycles", unit, "Core cycles, summed over the cores.",
          [](const GpuStatistics& s) { return s.cores.cycles(); }),
       of("alu_in_flight_sum", "instructions × core cycles",
          "ALU instructions in flight, summed over core cycles.",
          [](const GpuStatistics& s) { return count(s.cores.alu_cycles); }),
       of("memory_in_flight_sum", "instructions × core cycles",
          "Memory instructions in flight, summed over core cycles.",
          [](const GpuStatistics& s) { return count(s.cores.memory_cycles); }),
       of("alu_load", "instructions",
          "alu_in_flight_sum ÷ core_cycles, which is the mean on one core.",
          [](const GpuStatistics& s) { return ratio(s.cores.alu_cycles, s.cores.cycles()); }),
       of("memory_load", "instructions",
          "memory_in_flight_sum ÷ core_cycles, which is the mean on one core.",
          [](const GpuStatistics& s) { return ratio(s.cores.memory_cycles, s.cores.cycles()); }),
       of("cycles_compute_only", unit,
          "ALU instructions are in flight, but no memory instructions.", flight(kComputing)),
       of("cycles_memory_only", unit, "Memory instructions are in flight, but no ALU instructions.",
          flight(kAccessing)),
       of("cycles_both", unit, "ALU and memory instructions are in flight.",
          flight(kComputing | kAccessing)),
       of("cycles_neither", unit, "Nothing is in flight.", flight(kNothing)),
       of("active_core_cycles", unit, "Core cycles with at least one live warp.",
          [](const GpuStatistics& s) { return s.cores.active_cycles(); }),
       of("active_cycles_compute_only", unit,
          "The part of active_core_cycles that is in cycles_compute_only.", active(kComputing)),
       of("active_cycles_memory_only", unit,
          "The part of active_core_cycles that is in cycles_memory_only.", active(kAccessing)),
       of("active_cycles_both", unit, "The part of active_core_cycles that is in cycles_both.",
          active(kComputing | kAccessing)),
       of("active_cycles_neither", unit,
          "The part of active_core_cycles that is in cycles_neither.", active(kNothing)),
       of("warp_cycles", "warps × core cycles", "Live warps, summed over core cycles.",
          [](const GpuStatistics& s) { return count(s.cores.warp_cycles); })},
      false};
}

/// The parts of launches as the output names them.
struct PartWords {
  const char* name;
  const char* definition;  ///< of its cycles
  PartCounts (*counts)(const LaunchPartCounts&);
};

template <LaunchPart part>
PartCounts counts_of(const LaunchPartCounts& parts) {
  return parts[static_cast<std::size_t>(part)];
}

constexpr std::array<PartWords, 4> kPartWords{{
    {"startup",
     "From the beginning of a launch to the cycle in which the core is full for the first time.",
     counts_of<LaunchPart::startup>},
    {"steady",
     "From then on to the cycle in which the last block of the grid starts on any core: blocks "
     "wait.",
     steady_state},
    {"first_round",
     "The part of the steady state until all blocks have ended that were on the core when it was "
     "full for the first time.",
     counts_of<LaunchPart::first_round>},
    {"tail",
     "From the cycle in which the last block starts to the end of the launch: no block waits.",
     counts_of<LaunchPart::tail>},
}};

Group launch_parts() {
  Group group{
      "Start-up, steady state and tail",
      "These statistics are sums over cores and launches. A core is full if no further block fits\n"
      "beside its resident blocks. A launch whose blocks never fill a core has only start-up and\n"
      "tail there. If a block of the first round ends, the core stays in the steady state until "
      "the\n"
      "next block arrives. An instruction belongs to the part in which it issues. In every run "
      "the\n"
      "cycles of start-up, steady state and tail sum to `core_cycles`.",
      {},
      false};
  for (const PartWords& words : kPartWords) {
    const std::string name = words.name;
    const auto counts = words.counts;
    const auto part = [counts](const GpuStatistics& s) { return counts(s.cores.parts); };
    group.statistics.push_back(
        of(name + "_core_cycles", "core cycles", words.definition,
           [part](const GpuStatistics& s) { return count(part(s).cycles); }));
    group.statistics.push_back(
        of(name + "_insn", "thread instructions", "Thread instructions issued in these cycles.",
           [part](const GpuStatistics& s) { return count(part(s).thread_instructions); }));
    group.statistics.push_back(
        of(name + "_warp_insn", "warp instructions", "Warp instructions issued in these cycles.",
           [part](const GpuStatistics& s) { return count(part(s).warp_instructions); }));
    group.statistics.push_back(of(
        name + "_ipc", "thread instructions per core cycle",
        fmt::format("{0}_insn ÷ {0}_core_cycles × number of cores: of the whole GPU.", name),
        [part](const GpuStatistics& s) {
          return ratio(part(s).thread_instructions * s.core_count, part(s).cycles);
        },
        kIpcFormat));
    group.statistics.push_back(
        of(name + "_live_warps", "warps", "Mean number of live warps of a core in these cycles.",
           [part](const GpuStatistics& s) { return ratio(part(s).warp_cycles, part(s).cycles); }));
  }
  return group;
}

Group block_tails() {
  const auto of_tails = [](std::string name, std::string unit, std::string definition, auto get) {
    return of(std::move(name), std::move(unit), std::move(definition),
              [get](const GpuStatistics& s) { return get(s.cores.tails); });
  };
  return {
      "Tails of blocks",
      "A warp that has ended holds its slot, registers and shared memory until its block ends.\n"
      "These statistics say how long. They are sums over the blocks that end while a block waits\n"
      "for a core, for only these make room for another one. Launches that run together wait\n"
      "together. A block ends when all its warps have ended and no result for them is under way.",
      {of_tails("replaced_blocks", "thread blocks",
                "Blocks that ended while a block waited for a core.",
                [](const BlockTailCounts& t) { return count(t.blocks); }),
       of_tails("block_tail_cycles", "core cycles",
                "From the first exit of a warp of such a block to the block's end.",
                [](const BlockTailCounts& t) { return count(t.tail_cycles); }),
       of_tails("mean_block_tail", "core cycles", "block_tail_cycles ÷ replaced_blocks.",
                [](const BlockTailCounts& t) { return ratio(t.tail_cycles, t.blocks); }),
       of_tails("lost_warp_cycles", "warps × core cycles",
                "From the own exit of each warp of such a block to the block's end.",
                [](const BlockTailCounts& t) { return count(t.lost_warp_cycles); }),
       of_tails("block_warp_cycles", "warps × core cycles",
                "From the start of such a block to its end, for each of its warps.",
                [](const BlockTailCounts& t) { return count(t.warp_slot_cycles); }),
       of_tails(
           "lost_warp_share", "1", "lost_warp_cycles ÷ block_warp_cycles.",
           [](const BlockTailCounts& t) { return ratio(t.lost_warp_cycles, t.warp_slot_cycles); })},
      false};
}

Group front() {
  return {
      "Fetch and operands",
      "These statistics are sums over cores.",
      {of("L1I_total_cache_accesses", "fetches",
          "Fetches that look up a line in the instruction cache.",
          [](const GpuStatistics& s) { return count(s.cores.icache_accesses); }),
       of("L1I_total_cache_misses", "fetches", "Accesses whose line was not in the cache.",
          [](const GpuStatistics& s) { return count(s.cores.icache_misses); }),
       of("L1I_total_cache_miss_rate", "1", "L1I_total_cache_misses ÷ L1I_total_cache_accesses.",
          [](const GpuStatistics& s) {
            return ratio(s.cores.icache_misses, s.cores.icache_accesses);
          }),
       of("L1I_total_cache_pending_hits", "fetches",
          "Accesses whose line was already requested, but had not arrived.",
          [](const GpuStatistics& s) { return count(s.cores.icache_pending_hits); }),
       of("L1I_total_cache_prefetches", "lines",
          "Lines that the instruction cache asked for ahead of a fetch.",
          [](const GpuStatistics& s) { return count(s.cores.icache_prefetches); }),
       of("L15I_total_cache_accesses", "lines",
          "Misses and prefetches that look up a line in the second level of the instruction cache.",
          [](const GpuStatistics& s) { return count(s.cores.icache_l15_accesses); }),
       of("L15I_total_cache_misses", "lines",
          "Of these accesses, those whose line was not there, so that the L2 brings it.",
          [](const GpuStatistics& s) { return count(s.cores.icache_l15_misses); }),
       of("operand_conflict_cycles", "core cycles",
          "Cycles by which register-bank conflicts delayed instructions, summed over instructions.",
          [](const GpuStatistics& s) { return count(s.cores.operand_conflict_cycles); })},
      false};
}

Group level_one() {
  return {
      "L1, texture cache and shared memory",
      "An access is a load or store transaction of one line. Loads that bypass the L1 are\n"
      "not accesses, and neither are atomics. Fetches from textures are accesses of the L1\n"
      "only where there is no texture cache (`texture.bytes`).",
      {of("L1D_total_cache_accesses", "transactions", "Transactions that look up a line in the L1.",
          [](const GpuStatistics& s) { return count(s.cores.l1_accesses); }),
       of("L1D_total_cache_misses", "transactions", "Accesses whose line was not in the L1.",
          [](const GpuStatistics& s) { return count(s.cores.l1_misses); }),
       of("L1D_total_cache_miss_rate", "1", "L1D_total_cache_misses ÷ L1D_total_cache_accesses.",
          [](const GpuStatistics& s) { return ratio(s.cores.l1_misses, s.cores.l1_accesses); }),
       of("L1D_total_cache_pending_hits", "transactions",
          "Accesses whose line was already requested, but had not arrived.",
          [](const GpuStatistics& s) { return count(s.cores.l1_pending_hits); }),
       of("L1D_total_cache_reservation_fails", "core cycles",
          "Cycles in which a transaction of L1 or texture cache had to be retried, because no "
          "MSHR, no way or no room in the crossbar's port was free.",
          [](const GpuStatistics& s) { return count(s.cores.l1_reservation_fails); }),
       of("l2_stop_cycles", "core cycles",
          "Cycles in which a transaction could have left the core, but its L2 slice had told the "
          "core to stop, summed over load-store unit and bulk copy engine.",
          [](const GpuStatistics& s) { return count(s.cores.l2_stop_cycles); }),
       of("L1T_total_cache_accesses", "transactions",
          "Transactions that look up a line in the texture cache (`texture.bytes`).",
          [](const GpuStatistics& s) { return count(s.cores.texture_accesses); }),
       of("L1T_total_cache_misses", "transactions", "Of these, those whose line was not there.",
          [](const GpuStatistics& s) { return count(s.cores.texture_misses); }),
       of("L1T_total_cache_miss_rate", "1", "L1T_total_cache_misses ÷ L1T_total_cache_accesses.",
          [](const GpuStatistics& s) {
            return ratio(s.cores.texture_misses, s.cores.texture_accesses);
          }),
       of("L1T_total_cache_pending_hits", "transactions",
          "Of L1T_total_cache_accesses, those whose line was already requested, but had not "
          "arrived.",
          [](const GpuStatistics& s) { return count(s.cores.texture_pending_hits); }),
       of("l1_store_accesses", "transactions", "Accesses that are stores.",
          [](const GpuStatistics& s) { return count(s.cores.l1_store_accesses); }),
       of("l1_store_misses", "transactions", "Misses that are stores.",
          [](const GpuStatistics& s) { return count(s.cores.l1_store_misses); }),
       of("bypass_transactions", "transactions", "Load transactions that bypass the L1.",
          [](const GpuStatistics& s) { return count(s.cores.bypass_transactions); }),
       of("gld_requested_bytes", "bytes",
          "Bytes that threads ask for in loads whose threads all access global memory, not in "
          "fetches from textures or surfaces, asynchronous copies and atomics; a byte counts once "
          "for each thread.",
          [](const GpuStatistics& s) { return count(s.cores.gld_requested_bytes); }),
       of("gld_transaction_bytes", "bytes",
          "Bytes of the transactions of these loads, whether they hit or miss: lines of 128 bytes, "
          "or sectors of 32 bytes if the L1 is sectored (`l1.sectored`).",
          [](const GpuStatistics& s) { return count(s.cores.gld_transaction_bytes); }),
       of(
           "gld_efficiency", "%",
           "gld_requested_bytes ÷ gld_transaction_bytes, as nvprof has it: more than 100 % if "
           "threads ask for the same bytes.",
           [](const GpuStatistics& s) {
             return 100 * ratio(s.cores.gld_requested_bytes, s.cores.gld_transaction_bytes);
           },
           kPercentFormat),
       of("store_transactions", "transactions",
          "Store transactions sent to the L2, including lines written back from the L1.",
          [](const GpuStatistics& s) { return count(s.cores.store_transactions); }),
       of("atomic_transactions", "transactions", "Atomics and reductions sent to the L2.",
          [](const GpuStatistics& s) { return count(s.cores.atomic_transactions); }),
       of("shared_accesses", "warp instructions", "Instructions that access shared memory.",
          [](const GpuStatistics& s) { return count(s.cores.shared_accesses); }),
       of("gpgpu_n_shmem_bkconflict", "passes",
          "Additional passes of shared-memory instructions because of bank conflicts.",
          [](const GpuStatistics& s) { return count(s.cores.shared_conflict_cycles); })},
      false};
}

Group level_two() {
  return {
      "L2",
      "An access is a load, store, atomic, reduction or instruction fetch of one line.",
      {of("L2_total_cache_accesses", "transactions", "Transactions that look up a line in the L2.",
          [](const GpuStatistics& s) { return count(s.memory.l2_accesses); }),
       of("L2_total_cache_misses", "transactions", "Accesses whose line was not in the L2.",
          [](const GpuStatistics& s) { return count(s.memory.l2_misses); }),
       of("L2_total_cache_miss_rate", "1", "L2_total_cache_misses ÷ L2_total_cache_accesses.",
          [](const GpuStatistics& s) { return ratio(s.memory.l2_misses, s.memory.l2_accesses); }),
       of("L2_total_cache_pending_hits", "transactions",
          "Accesses whose line was already requested from DRAM, but had not arrived.",
          [](const GpuStatistics& s) { return count(s.memory.l2_pending_hits); }),
       of("L2_total_cache_reservation_fails", "L2 cycles",
          "Cycles in which the next transaction of a slice waited for an MSHR, a way or a place in "
          "the DRAM queue, summed over slices.",
          [](const GpuStatistics& s) {
            return s.memory.l2_period_fs == 0 ? 0 : s.memory.l2_blocked_fs / s.memory.l2_period_fs;
          }),
       of("l2_queue_peak", "requests", "Maximum number of requests that waited at one slice.",
          [](const GpuStatistics& s) { return count(s.memory.l2_queue_peak); }),
       of("l2_writebacks", "lines", "Dirty lines sent to DRAM.",
          [](const GpuStatistics& s) { return count(s.memory.l2_writebacks); }),
       of("l2_input_util", "1",
          "Time in which slices take requests in, one atomic operation after another included, ÷ "
          "total time of the slices.",
          [](const GpuStatistics& s) { return ratio(s.memory.l2_input_fs, s.l2_capacity_fs); }),
       of("l2_output_util", "1",
          "Time with a reply on the ports of the slices to the crossbar ÷ total time of the ports.",
          [](const GpuStatistics& s) { return ratio(s.memory.l2_output_fs, s.l2_capacity_fs); })},
      false};
}

Group whose_line() {
  struct Kind {
    const char* name;
    const char* whose;
  };
  constexpr std::array<Kind, memory::kLocalities> kinds{{
      {"same_warp", "that the warp itself had brought"},
      {"same_block", "that another warp of its block had brought"},
      {"paired_block", "that a warp of the block paired with its own had brought"},
      {"other_block", "that a warp of any other block had brought"},
  }};
  struct Source {
    const char* name;
    const char* what;
    const memory::LocalityCounts& (*counts)(const GpuStatistics&);
  };
  constexpr std::array<Source, 4> sources{{
      {"l1_hits", "L1 hits on a line",
       [](const GpuStatistics& s) -> auto& { return s.cores.l1_hits_by_locality; }},
      {"l1_pending_hits", "L1 pending hits on a line",
       [](const GpuStatistics& s) -> auto& { return s.cores.l1_pending_hits_by_locality; }},
      {"l2_hits", "L2 hits on a line",
       [](const GpuStatistics& s) -> auto& { return s.memory.l2_hits_by_locality; }},
      {"l2_pending_hits", "L2 pending hits on a line",
       [](const GpuStatistics& s) -> auto& { return s.memory.l2_pending_hits_by_locality; }},
  }};
  const std::string unit = "transactions";
  Group group{
      "Whose line",
      "These statistics say which warp had brought the line that an access finds.\n"
      "\n"
      "* A line belongs to the warp whose access allocated it: the load that missed, or the\n"
      "  store that left it there. Later hits do not change that. A line that the L1 writes\n"
      "  back comes to the L2 as an access of the warp to which it belongs.\n"
      "* Paired blocks are those that the block scheduler gave to a core as a pair. If it\n"
      "  made no pairs of the launch, blocks 2p and 2p + 1 of the grid count as a pair, on\n"
      "  whichever cores they run.\n"
      "* A warp of another launch, earlier or concurrent, is of another block.\n"
      "* A pending hit is no hit: its data is not there yet. It saves a request as a hit does,\n"
      "  and warps that run side by side meet more often in a pending hit than in a hit, so\n"
      "  pending hits are told apart in the same way. They belong to the warp whose miss they\n"
      "  joined.\n"
      "* A store to global memory that finds its line in the L1 drops it, and counts as a hit.\n"
      "* Instruction lines belong to no warp.\n"
      "\n"
      "In every run the four counts of the L1 hits sum to the hits, which are accesses less\n"
      "misses and pending hits, and so do the four of the pending hits. The same holds for the\n"
      "L2 with the instruction lines as a fifth count.",
      {},
      false};
  for (const Source& source : sources) {
    for (unsigned i = 0; i < kinds.size(); ++i) {
      group.statistics.push_back(
          of(fmt::format("{}_{}", source.name, kinds[i].name), unit,
             fmt::format("{} {}.", source.what, kinds[i].whose),
             [counts = source.counts, i](const GpuStatistics& s) { return count(counts(s)[i]); }));
    }
  }
  group.statistics.push_back(
      of("l2_hits_instruction", unit, "L2 hits on an instruction line.",
         [](const GpuStatistics& s) { return count(s.memory.l2_instruction_hits); }));
  group.statistics.push_back(
      of("l2_pending_hits_instruction", unit, "L2 pending hits on an instruction line.",
         [](const GpuStatistics& s) { return count(s.memory.l2_instruction_pending_hits); }));
  return group;
}

Group dram() {
  return {
      "DRAM",
      "These statistics cover all channels together.",
      {of("dram_queue_peak", "transfers", "Maximum number of transfers that waited at one channel.",
          [](const GpuStatistics& s) { return count(s.memory.dram_queue_peak); }),
       of("dram_reads", "lines", "Lines read.",
          [](const GpuStatistics& s) { return count(s.memory.dram_reads); }),
       of("dram_writes", "lines", "Lines written.",
          [](const GpuStatistics& s) { return count(s.memory.dram_writes); }),
       of(
           "Row_Buffer_Locality", "1", "Lines whose row was already open ÷ lines read and written.",
           [](const GpuStatistics& s) {
             return ratio(s.memory.dram_row_hits, s.memory.dram_reads + s.memory.dram_writes);
           },
           "{:.6f}"),
       of("dram_eff", "1",
          "Time with data on the bus ÷ time in which a channel had a transfer waiting or in "
          "progress.",
          [](const GpuStatistics& s) {
            return ratio(s.memory.dram_busy_fs, s.memory.dram_active_fs);
          }),
       of(
           "bwutil", "1", "Time with data on the bus ÷ total time.",
           [](const GpuStatistics& s) { return ratio(s.memory.dram_busy_fs, s.dram_capacity_fs); },
           "{:.6f}")},
      false};
}

Group latency() {
  return {
      "Memory latency",
      "Latency is measured for requests beyond the L1, from the cycle that sends the\n"
      "request to the cycle that has the reply.",
      {of("averagemflatency", "core cycles",
          "Mean over loads, atomics and stores, rounded down; a store ends with its "
          "acknowledgement.",
          [](const GpuStatistics& s) {
            const std::uint64_t sum = s.memory.load_latency + s.memory.store_latency;
            const std::uint64_t replies = s.memory.load_replies + s.memory.store_replies;
            return replies == 0 ? 0 : sum / replies;
          }),
       of("load_latency", "core cycles", "Mean over loads and over atomics that return a value.",
          [](const GpuStatistics& s) {
            return ratio(s.memory.load_latency, s.memory.load_replies);
          }),
       of("memory_requests", "requests", "Requests beyond the L1, each of which got its reply.",
          [](const GpuStatistics& s) { return count(s.memory.requests); })},
      false};
}

Group dyncta() {
  const auto of_dyncta = [](std::string name, std::string unit, std::string definition, auto get) {
    return Statistic<Run>{std::move(name),
                          std::move(unit),
                          std::move(definition),
                          [get](const Run& run) {
                            const DynctaCounts& counts = run.gpu.cores.dyncta;
                            return counts.periods > 0 ? std::optional<Value>(get(counts))
                                                      : std::nullopt;
                          },
                          "",
                          ""};
  };
  return {
      "DYNCTA",
      "A run has these statistics only with `--throttle dyncta`, and if a sampling period has\n"
      "ended. They are sums over cores and sampling periods; "
      "[throttles](block_scheduling.md#throttles)\n"
      "says what is counted.",
      {of_dyncta("dyncta_periods", "sampling periods", "Sampling periods that have ended.",
                 [](const DynctaCounts& d) { return count(d.periods); }),
       of_dyncta("dyncta_idle_cycles", "core cycles",
                 "C_idle: cycles in which no warp is live, or all stand at barriers.",
                 [](const DynctaCounts& d) { return count(d.idle_cycles); }),
       of_dyncta("dyncta_memory_cycles", "core cycles",
                 "C_mem: cycles in which every live warp waits for a result from memory or at a "
                 "barrier, and one at least for memory.",
                 [](const DynctaCounts& d) { return count(d.memory_cycles); }),
       of_dyncta("dyncta_mean_limit", "blocks", "Mean block limit of a core in these periods.",
                 [](const DynctaCounts& d) { return ratio(d.limits, d.periods); })},
      false};
}

/// A statistic of barrel cores, when there are some.
template <typename Get>
Statistic<Run> of_barrel(std::string name, std::string unit, std::string definition, Get get) {
  return {std::move(name),
          std::move(unit),
          std::move(definition),
          [get](const Run& run) {
            return run.gpu.cores.barrel.any() ? std::optional<Value>(get(run.gpu)) : std::nullopt;
          },
          "",
          ""};
}

/// Of each way in which sub-warps are formed.
void add_modes(Group& group) {
  struct Mode {
    const char* name;
    const char* what;
  };
  constexpr std::array<Mode, kSubWarpModes> modes{
      {{"packed", "whose lanes each give the thread of their lowest row that is left"},
       {"rows", "that are the rows of their warp"},
       {"once", "that are the first ones of jumps, and the only ones"}}};
  for (std::size_t i = 0; i < modes.size(); ++i) {
    group.statistics.push_back(
        of_barrel(fmt::format("sub_warps_{}", modes[i].name), "sub-warps",
                  fmt::format("Sub-warps {}.", modes[i].what),
                  [i](const GpuStatistics& s) { return count(s.cores.barrel.sub_warps[i]); }));
    group.statistics.push_back(
        of_barrel(fmt::format("sub_warps_per_instruction_{}", modes[i].name), "sub-warps",
                  fmt::format("sub_warps_{} ÷ the instructions that they are of.", modes[i].name),
                  [i](const GpuStatistics& s) {
                    return ratio(s.cores.barrel.sub_warps[i], s.cores.barrel.instructions[i]);
                  }));
    group.statistics.push_back(of_barrel(
        fmt::format("rows_per_sub_warp_{}", modes[i].name), "rows",
        fmt::format("Rows with a thread on the path, of these instructions, ÷ sub_warps_{}.",
                    modes[i].name),
        [i](const GpuStatistics& s) {
          return ratio(s.cores.barrel.rows[i], s.cores.barrel.sub_warps[i]);
        }));
  }
}

Group barrel() {
  const auto of_counts = [](std::string name, std::string unit, std::string definition, auto get) {
    return of_barrel(std::move(name), std::move(unit), std::move(definition),
                     [get](const GpuStatistics& s) { return get(s.cores.barrel); });
  };
  const auto sum = [](const auto& counts) {
    std::uint64_t total = 0;
    for (const std::uint64_t each : counts) total += each;
    return total;
  };
  const std::string cycles = "core cycles";
  Group group{
      "Barrel cores and large warps",
      "A run has these statistics only on [barrel cores](simulator.md#barrel-cores). They are "
      "sums\n"
      "over cores. An instruction of a large warp is one instruction here. In the other groups it\n"
      "is as many warp instructions as it has rows with a thread on the path, W1 to W32 count\n"
      "sub-warps, and a scheduler cycle is in the state issued if a sub-warp goes to the back end\n"
      "in it, and in the state pipeline if the back end is frozen. In every run `cycles_lanes_0`\n"
      "to `cycles_lanes_32` sum to `core_cycles`.",
      {of_counts("selected_instructions", "instructions",
                 "Instructions of warps, large or not, that were selected and fetched.",
                 [sum](const BarrelCounts& b) { return sum(b.instructions); }),
       of_counts("retired_threads", "thread instructions",
                 "Threads on the path of these instructions, with a true guard or not.",
                 [](const BarrelCounts& b) { return count(b.threads); }),
       of_barrel("retired_ipc", "thread instructions per core cycle",
                 "retired_threads ÷ gpu_tot_sim_cycle.",
                 [](const GpuStatistics& s) { return ratio(s.cores.barrel.threads, s.cycles); }),
       of_counts("threads_per_instruction", "threads", "retired_threads ÷ selected_instructions.",
                 [sum](const BarrelCounts& b) { return ratio(b.threads, sum(b.instructions)); }),
       of_counts("sub_warps", "sub-warps", "Sub-warps that went to the back end.",
                 [sum](const BarrelCounts& b) { return sum(b.sub_warps); }),
       of_counts("threads_per_sub_warp", "threads", "Mean number of threads in a sub-warp.",
                 [sum](const BarrelCounts& b) {
                   return ratio(b.threads - b.dropped_threads, sum(b.sub_warps));
                 }),
       of_counts("dropped_threads", "thread instructions",
                 "Retired threads that were in no sub-warp: of jumps that are done with the first "
                 "one, or kept out by their guard.",
                 [](const BarrelCounts& b) { return count(b.dropped_threads); })},
      false};
  add_modes(group);
  group.statistics.push_back(of_barrel(
      "cycles_lanes_0", cycles, "Cycles in which no sub-warp went to the back end.",
      [sum](const GpuStatistics& s) { return s.cores.cycles() - sum(s.cores.barrel.sub_warps); }));
  for (unsigned lanes = 1; lanes <= ir::kWarpSize; ++lanes) {
    group.statistics.push_back(
        of_barrel(fmt::format("cycles_lanes_{}", lanes), cycles,
                  lanes == 1 ? std::string("Cycles in which a sub-warp of one thread did.")
                             : fmt::format("The same of {} threads.", lanes),
                  [lanes](const GpuStatistics& s) { return count(s.cores.path_lanes[lanes]); }));
  }
  const auto add = [&](const char* name, const char* unit, const char* definition,
                       std::uint64_t BarrelCounts::* counter) {
    group.statistics.push_back(of_counts(
        name, unit, definition, [counter](const BarrelCounts& b) { return count(b.*counter); }));
  };
  add("cycles_frozen", "core cycles",
      "Of cycles_lanes_0, those in which a sub-warp in the memory stage held up all behind it.",
      &BarrelCounts::frozen_cycles);
  group.statistics.push_back(of_barrel(
      "cycles_unselectable", cycles,
      "Of cycles_lanes_0, the others: nothing had been selected in the cycle before, or its "
      "instruction was not in the cache.",
      [sum](const GpuStatistics& s) {
        return s.cores.cycles() - sum(s.cores.barrel.sub_warps) - s.cores.barrel.frozen_cycles;
      }));
  add("cycles_forming", "core cycles",
      "Cycles in which nothing could be selected, for sub-warps were left to form.",
      &BarrelCounts::forming_cycles);
  add("lost_fetches", "selections", "Selections whose instruction was not in the cache.",
      &BarrelCounts::lost_fetches);
  add("branches", "instructions", "Guarded branches of warps.", &BarrelCounts::branches);
  add("divergent_branches", "instructions", "Of these, those that some threads took and some not.",
      &BarrelCounts::divergent_branches);
  group.statistics.push_back(of_counts(
      "stack_depth_mean", "paths",
      "Mean number of paths on the stack of a warp, behind its instructions.",
      [sum](const BarrelCounts& b) { return ratio(b.stack_depths, sum(b.instructions)); }));
  add("stack_depth_max", "paths", "Maximum of the same.", &BarrelCounts::stack_peak);
  add("group_switches", "selections",
      "Selections from another fetch group than the one before (single:group).",
      &BarrelCounts::group_switches);
  add("premature_group_switches", "selections",
      "Of these, those while a warp of the group that was left was in the pipeline and waited for "
      "no memory and no barrier.",
      &BarrelCounts::premature_switches);
  return group;
}

Group formed_warps() {
  const auto of_formation = [](std::string name, std::string unit, std::string definition,
                               auto get) -> Statistic<Run> {
    return {std::move(name),
            std::move(unit),
            std::move(definition),
            [get](const Run& run) {
              const BarrelCounts& barrel = run.gpu.cores.barrel;
              return barrel.formation.formed > 0 ? std::optional<Value>(get(barrel)) : std::nullopt;
            },
            "",
            ""};
  };
  const auto counter = [&](const char* name, const char* unit, const char* definition,
                           std::uint64_t FormationCounts::* member) {
    return of_formation(name, unit, definition, [member](const BarrelCounts& barrel) {
      return count(barrel.formation.*member);
    });
  };
  return {
      "Formed warps",
      "A run has these statistics only with [formed warps](simulator.md#formed-warps)\n"
      "(`core.divergence`). They are sums over cores.",
      {counter("formed_warps", "warps", "Warps that were founded.", &FormationCounts::formed),
       counter("joined_threads", "threads", "Threads that joined a warp which waited.",
               &FormationCounts::joined),
       counter("lane_conflicts", "parts of warps",
               "Times that threads came to a warp which waited at their pc, and at least one found "
               "its lane taken.",
               &FormationCounts::conflicts),
       counter("split_warps", "warps", "Warps whose threads went on at several pcs.",
               &FormationCounts::splits),
       counter("waiting_warps_max", "warps", "Most warps of a core that waited to be selected.",
               &FormationCounts::most),
       of_formation("blocks_per_formed_warp", "blocks",
                    "Mean number of blocks that the threads of a selected warp are of.",
                    [](const BarrelCounts& barrel) {
                      std::uint64_t instructions = 0;
                      for (const std::uint64_t each : barrel.instructions) instructions += each;
                      return ratio(instructions + barrel.further_blocks, instructions);
                    })},
      false};
}

Group queues() {
  struct Words {
    Place place;
    const char* name;
    const char* of;
  };
  constexpr std::array<Words, kPlaces> words{{{Place::ready, "ready", "the ready queue"},
                                              {Place::active, "active", "the active queue"},
                                              {Place::collector, "collector", "the collector"},
                                              {Place::pending, "pending", "the pending queue"}}};
  Group group{"Queues of the two-level schedulers",
              "A run has these statistics only with `--queues`. The simulator then reads the\n"
              "queues in every cycle, which makes the run slower. The [glossary](glossary.md)\n"
              "explains the queues: ready, active, collector and pending.",
              {},
              false};
  for (const Words& word : words) {
    const Place place = word.place;
    group.statistics.push_back(of_queues(
        fmt::format("{}_occupancy", word.name), "warps",
        fmt::format("Mean number of warps in {} of one scheduler.", word.of),
        [place](const QueueStatistics& q) { return ratio(q.at(place).occupancy, q.cycles); }));
  }
  for (const Words& word : words) {
    const Place place = word.place;
    group.statistics.push_back(of_queues(fmt::format("{}_wait_mean", word.name), "core cycles",
                                         fmt::format("Mean length of one stay in {}.", word.of),
                                         [place](const QueueStatistics& q) {
                                           return ratio(q.at(place).waited, q.at(place).stays);
                                         }));
    group.statistics.push_back(
        of_queues(fmt::format("{}_wait_max", word.name), "core cycles",
                  fmt::format("Length of the longest stay in {}.", word.of),
                  [place](const QueueStatistics& q) { return count(q.at(place).longest); }));
  }
  group.statistics.push_back(
      of_queues("promotions", "warps", "Moves from the active to the ready queue.",
                [](const QueueStatistics& q) { return count(q.promotions); }));
  group.statistics.push_back(
      of_queues("demotions", "warps", "Moves from the ready to the pending queue.",
                [](const QueueStatistics& q) { return count(q.demotions); }));
  group.statistics.push_back(of_queues("wakes", "warps", "Moves out of the pending queue.",
                                       [](const QueueStatistics& q) { return count(q.wakes); }));
  return group;
}

Group host() {
  return {
      "The host",
      "Only the listing has these statistics, because they differ from run to run.",
      {of_host(
           "gpgpu_simulation_rate", "thread instructions per second",
           "gpu_tot_sim_insn ÷ host seconds.",
           [](const Run& run) {
             return per_second(run.gpu.cores.thread_instructions(), run.host_seconds);
           },
           "", "{:.0f} (inst/sec)"),
       of_host(
           "gpgpu_simulation_rate_cycles", "core cycles per second",
           "gpu_tot_sim_cycle ÷ host seconds; the listing prints it as gpgpu_simulation_rate too.",
           [](const Run& run) { return per_second(run.gpu.cycles, run.host_seconds); },
           "gpgpu_simulation_rate", "{:.0f} (cycle/sec)")},
      false};
}

template <typename Get>
Statistic<LaunchFigures> of_launch(std::string name, std::string unit, std::string definition,
                                   Get get, std::string format = "") {
  return {std::move(name),
          std::move(unit),
          std::move(definition),
          [get](const LaunchFigures& figures) { return std::optional<Value>(get(figures)); },
          "",
          std::move(format)};
}

/// Cycles, instructions and IPC of the parts of a launch.
void add_parts(std::vector<Statistic<LaunchFigures>>& statistics) {
  for (const PartWords& words : kPartWords) {
    const std::string name = words.name;
    const auto counts = words.counts;
    const auto part = [counts](const LaunchFigures& l) { return counts(l.launch.parts); };
    const auto definition = [&name](const char* what) {
      return fmt::format("{}_{} (below), of this launch.", name, what);
    };
    statistics.push_back(
        of_launch(name + "_core_cycles", "core cycles", definition("core_cycles"),
                  [part](const LaunchFigures& l) { return count(part(l).cycles); }));
    statistics.push_back(
        of_launch(name + "_insn", "thread instructions", definition("insn"),
                  [part](const LaunchFigures& l) { return count(part(l).thread_instructions); }));
    statistics.push_back(of_launch(
        name + "_ipc", "thread instructions per core cycle", definition("ipc"),
        [part](const LaunchFigures& l) {
          return ratio(part(l).thread_instructions * l.core_count, part(l).cycles);
        },
        kIpcFormat));
  }
}

StatisticGroup<LaunchFigures> launches() {
  StatisticGroup<LaunchFigures> group{
      "Each launch",
      "The listing has one block of lines per kernel launch. Each block begins with\n"
      "`kernel_name`. The JSON has the list `per_launch`. Names with `gpu_tot_` are sums\n"
      "from the first launch to this one.",
      {of_launch("kernel_launch_uid", "1", "Number of the launch, counted from 1.",
                 [](const LaunchFigures& l) { return count(l.number); }),
       of_launch(
           "gpu_sim_cycle", "core cycles",
           "Cycles from the first block of the launch to the acknowledgement of its last store.",
           [](const LaunchFigures& l) { return count(l.launch.cycles); }),
       of_launch("gpu_sim_insn", "thread instructions",
                 "Lanes with a true guard, summed over the issued warp instructions.",
                 [](const LaunchFigures& l) { return count(l.launch.thread_instructions); }),
       of_launch(
           "gpu_ipc", "thread instructions per core cycle", "gpu_sim_insn ÷ gpu_sim_cycle.",
           [](const LaunchFigures& l) { return l.launch.ipc(); }, kIpcFormat),
       of_launch("gpu_tot_sim_cycle", "core cycles", "Sum of gpu_sim_cycle.",
                 [](const LaunchFigures& l) { return count(l.so_far.cycles); }),
       of_launch("gpu_tot_sim_insn", "thread instructions", "Sum of gpu_sim_insn.",
                 [](const LaunchFigures& l) { return count(l.so_far.thread_instructions); }),
       of_launch(
           "gpu_tot_ipc", "thread instructions per core cycle",
           "gpu_tot_sim_insn ÷ gpu_tot_sim_cycle.",
           [](const LaunchFigures& l) { return l.so_far.ipc(); }, kIpcFormat),
       of_launch("gpu_tot_issued_cta", "thread blocks",
                 "Blocks that the block scheduler gave to a core.",
                 [](const LaunchFigures& l) { return count(l.so_far.blocks); }),
       of_launch(
           "gpu_occupancy", "%",
           "Live warps ÷ warp slots, in the core cycles with at least one live warp.",
           [](const LaunchFigures& l) {
             return 100 * occupancy(l.launch.warp_cycles, l.launch.active_cycles, l.warp_slots);
           },
           kPercentFormat),
       of_launch(
           "gpu_tot_occupancy", "%", "The same as gpu_occupancy, over the launches so far.",
           [](const LaunchFigures& l) {
             return 100 * occupancy(l.so_far.warp_cycles, l.so_far.active_cycles, l.warp_slots);
           },
           kPercentFormat),
       of_launch("warp_instructions", "warp instructions", "Warp instructions issued.",
                 [](const LaunchFigures& l) { return count(l.launch.warp_instructions); })},
      false};
  add_parts(group.statistics);
  return group;
}

std::string text_of(const Value& value, const std::string& format) {
  return std::visit(
      [&format](auto number) {
        constexpr bool is_count = std::is_same_v<decltype(number), std::uint64_t>;
        const std::string& used = !format.empty() ? format : is_count ? "{}" : "{:.4f}";
        return fmt::format(fmt::runtime(used), number);
      },
      value);
}

template <typename Figures>
void append(std::string& text, const StatisticGroup<Figures>& group, const Figures& figures) {
  if (group.one_line) text += group.heading + ":\n";
  bool first = true;
  for (const Statistic<Figures>& statistic : group.statistics) {
    const std::optional<Value> value = statistic.value(figures);
    if (!value) continue;
    const std::string& name = statistic.label.empty() ? statistic.name : statistic.label;
    const std::string number = text_of(*value, statistic.format);
    if (group.one_line) {
      text += fmt::format("{}{}:{}", first ? "" : "\t", name, number);
    } else {
      text += fmt::format("{} = {}\n", name, number);
    }
    first = false;
  }
  if (group.one_line) text += "\n";
}

}  // namespace

const std::vector<StatisticGroup<RunFigures>>& run_statistics() {
  static const std::vector<Group> groups{
      whole_run(), schedulers(),   warp_occupancy(), in_flight(),  launch_parts(), block_tails(),
      front(),     level_one(),    level_two(),      whose_line(), dram(),         latency(),
      barrel(),    formed_warps(), dyncta(),         queues(),     host()};
  return groups;
}

const StatisticGroup<LaunchFigures>& launch_statistics() {
  static const StatisticGroup<LaunchFigures> group = launches();
  return group;
}

void for_each_launch(const GpuStatistics& gpu,
                     const std::function<void(const LaunchFigures&)>& visit) {
  LaunchStatistics so_far;
  std::uint64_t number = 0;
  for (const LaunchStatistics& launch : gpu.kernels) {
    so_far.cycles += launch.cycles;
    so_far.warp_instructions += launch.warp_instructions;
    so_far.thread_instructions += launch.thread_instructions;
    so_far.blocks += launch.blocks;
    so_far.warp_cycles += launch.warp_cycles;
    so_far.active_cycles += launch.active_cycles;
    visit({++number, launch, so_far, gpu.warp_slots, gpu.core_count});
  }
}

std::string listing(const RunFigures& figures) {
  std::string text;
  for_each_launch(figures.gpu, [&text](const LaunchFigures& launch) {
    text += fmt::format("kernel_name = {}\n", launch.launch.kernel);
    append(text, launch_statistics(), launch);
    text += "\n";
  });
  for (const Group& group : run_statistics()) append(text, group, figures);
  return text;
}

}  // namespace paws
