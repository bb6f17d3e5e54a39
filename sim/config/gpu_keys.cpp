// SPDX-License-Identifier: MIT
// The keys of a GPU configuration, part by part, in the order of the listing.
#include <array>
#include <variant>
#include <vector>

#include "model/scheduler_fields.h"
#include "sim/config/gpu_config.h"

namespace paws {
namespace {

using Keys = std::vector<GpuConfig::Key>;

Keys core_keys(GpuConfig& config) {
  return {
      {"cores", &config.cores, 1, 256, "", "SIMT cores (streaming multiprocessors)"},
      {"core.clock_mhz", &config.core.clock_mhz, 1, 10000, "MHz", "clock of cores and schedulers"},
      {"core.warps", &config.core.warps, 4, 128, "warps", "resident warps per core"},
      {"core.warp_rows", &config.core.warp_rows, 1, 32, "rows",
       "rows of 32 threads that a warp has; warps of several rows are large warps"},
      {"core.blocks", &config.core.blocks, 1, 128, "blocks", "resident thread blocks per core"},
      {"core.threads", &config.frontend.register_file.threads, 32, 4096, "threads",
       "resident threads per core"},
      {"core.schedulers", &config.core.schedulers, 1, 8, "",
       "warp schedulers per core; warp w belongs to scheduler w mod schedulers"},
      {"core.issue_interval", &config.core.issue_interval, 1, 16, "cycles",
       "a scheduler is enabled in one of so many cycles"},
      {"core.sub_cores", &config.core.sub_cores, 0, 1, "",
       "each scheduler has fetch, special function and double-precision units of its own, and "
       "lanes for integers beside those for FP32; all share the load-store unit alone"},
      {"core.launch_interval", &config.core.launch_interval, 0, 100, "cycles",
       "from the start of a warp to that of the next one of the core; 0: one per scheduler and "
       "cycle"},
      {"core.registers", &config.frontend.register_file.registers, 1024, 1048576, "registers",
       "32-bit registers per core"},
      {"core.thread_registers", &config.frontend.register_file.per_thread, 8, 255, "registers",
       "most registers of a thread; what a kernel needs beyond is taken to be spilled"},
      {"core.register_granule", &config.frontend.register_file.granule, 1, 4096, "registers",
       "registers are given to a warp in multiples of this"},
      {"core.shared_bytes", &config.core.shared_bytes, 0, 1048576, "bytes",
       "shared memory per core"},
      {"core.shared_granule", &config.core.shared_granule, 1, 65536, "bytes",
       "shared memory is given to a block in multiples of this"},
      {"core.shared_reserved", &config.core.shared_reserved, 0, 65536, "bytes",
       "shared memory that the system takes of every block's, besides what the kernel asks for"},
      {"core.shared_banks", &config.core.shared_banks, 1, 64, "",
       "banks of shared memory, 4 bytes wide each"},
      {"core.fetch_latency", &config.core.fetch_latency, 1, 100, "cycles",
       "from the instruction cache to decoded instructions"},
      {"core.branch_latency", &config.core.branch_latency, 1, 100, "cycles",
       "from the issue of a branch until its target may be fetched; no speculation"},
      {"core.ibuffer", &config.core.ibuffer, 2, 16, "instructions",
       "instruction buffer of a warp; one of 2 is fetched for when it is empty, a larger one "
       "whenever "
       "an entry is free"},
      {"core.fetch", &config.core.fetch, 0, 2, "",
       "which warp of a scheduler is fetched for: 0 round robin, 1 that of the last issue, else "
       "the "
       "youngest, 2 that of the last issue, else the oldest"},
      {"core.pipeline_latency", &config.core.pipeline_latency, 0, 1000, "cycles",
       "operand collection without conflicts and write-back, added to an instruction's own "
       "latency for its dependents"},
      {"core.register_banks", &config.core.register_banks, 0, 128, "",
       "register banks, each one 32-bit register of a warp per cycle; 0: collection always takes "
       "the same time"},
      {"core.alu_collectors", &config.core.alu_collectors, 1, 16, "",
       "collector units of a scheduler's ALUs"},
      {"core.sfu_collectors", &config.core.sfu_collectors, 1, 16, "",
       "collector units of the special function units"},
      {"core.double_collectors", &config.core.double_collectors, 1, 16, "",
       "collector units of double precision"},
      {"core.memory_collectors", &config.core.memory_collectors, 1, 16, "",
       "collector units of the load-store units"},
      {"core.alu_interval", &config.core.alu_interval, 1, 100, "cycles",
       "initiation interval of simple instructions on a scheduler's 16 ALUs"},
      {"core.half_rate_interval", &config.core.half_rate_interval, 1, 100, "cycles",
       "initiation interval of multiplications, shifts, bit fields, conversions and barriers on "
       "these ALUs"},
      {"core.divide_interval", &config.core.divide_interval, 1, 1000, "cycles",
       "initiation interval of a rounded floating-point division or double-precision root, a "
       "subroutine on the machine"},
      {"core.integer_divide_interval", &config.core.integer_divide_interval, 1, 1000, "cycles",
       "initiation interval of an integer division up to 32 bits, a subroutine too; 64 bits: "
       "twice"},
      {"core.sfu_interval", &config.core.sfu_interval, 1, 100, "cycles",
       "initiation interval of the special function units"},
      {"core.double_interval", &config.core.double_interval, 1, 100, "cycles",
       "initiation interval of double precision, shared by the schedulers"},
      {"core.memory_interval", &config.core.memory_interval, 1, 100, "cycles",
       "initiation interval of the load-store units, and of each transaction and shared-memory "
       "pass"},
      {"core.memory_queue", &config.core.memory_queue, 1, 1024, "instructions",
       "memory instructions that wait for the load-store unit"},
      {"core.shared_latency", &config.core.shared_latency, 1, 1000, "cycles",
       "shared memory, from the last pass to the data"},
      {"core.constant_latency", &config.core.constant_latency, 1, 1000, "cycles",
       "a load from the constant cache, beyond the pipeline"},
      {"core.pipeline_stages", &config.core.pipeline_stages, 0, 32, "cycles",
       "a barrel core: an instruction passes so many stages, fetch and decode the first two, "
       "before "
       "the next one of its warp is fetched; 0: warps issue one instruction upon another"},
      {"core.memory_stage", &config.core.memory_stage, 1, 30, "",
       "barrel core: stage of the back end, which begins behind decode, that accesses memory"},
      {"core.local_private", &config.core.local_private, 0, 1, "",
       "barrel core: local memory has a bank for each lane and goes past the L1"},
      {"core.divergence", &config.core.divergence, 0, 2, "",
       "barrel core: 0 each warp has a stack, 1 dynamic warp formation with majority priority, 2 "
       "the same with post-dominator priority"},
      {kYieldAfterKey, &config.frontend.yield_after, 0, 1'000'000, "",
       "independent thread scheduling: after so many turns of a loop in which it polls memory "
       "(1024 "
       "times as many of another) a path of a diverged warp lets another one run; 0: a path runs "
       "until it meets the others; 8 where no one says it and device.capability says 70 or more, "
       "and for CUDA programs"},
      {"tensor.interval", &config.tensor.interval, 0, 1000, "cycles",
       "initiation interval of a scheduler's tensor core for 16 x 8 results with 256 bits of k, as "
       "mma.m16n8k16 of f16; other shapes in proportion; 0: there is none, and tensor instructions "
       "are refused"},
      {"tensor.latency", &config.tensor.latency, 0, 10000, "cycles",
       "from the issue of such an instruction to its result, beyond core.pipeline_latency"},
      {"bulk.interval", &config.bulk.interval, 0, 1000, "cycles",
       "from a request of a core's bulk copy engine, of a line of 128 bytes, to its next one; 0: "
       "there is none, and bulk copies are refused"},
      {kCapabilityKey, &config.device.capability, 20, 999, "",
       "compute capability that CUDA programs are told, ten times it: 75 is 7.5; it also chooses "
       "among a program's PTX, and changes no cycle of a kernel"},
      {"device.memory_mb", &config.device.memory_mb, 1, 1'048'576, "MiB",
       "memory that CUDA programs can allocate"},
      {"device.copy_gbps", &config.device.copy_gbps, 0, 10000, "GB/s",
       "what copies of CUDA programs between host and device reach in one direction; 0: copies and "
       "fills take no time"},
      {"device.copy_latency_us", &config.device.copy_latency_us, 0, 1'000'000, "microseconds",
       "of every such copy, before its first byte"},
      {"device.launch_latency_us", &config.device.launch_latency_us, 0, 1'000'000, "microseconds",
       "of every launch of a CUDA program, from when its kernel could begin until its first cycle; "
       "it "
       "changes no cycle of a kernel"},
      {"device.copy_engines", &config.device.copy_engines, 1, 2, "",
       "1: one copy between host and device at a time; 2: one in each direction"},
      {"large.global_by_rows", &config.large.global_by_rows, 0, 1, "",
       "sub-warps of accesses to global memory are rows of the large warp"},
      {"large.jump_once", &config.large.jump_once, 0, 1, "",
       "an unconditional jump is done with its first sub-warp"},
      {"large.pack_guard", &config.large.pack_guard, 0, 1, "",
       "sub-warps are formed of the threads that pass the guard, not of all on the path; branches "
       "need all"},
      {"large.refetch_first", &config.large.refetch_first, 0, 1, "",
       "a large warp is fetched for again when the first sub-warp is done, unless the instruction "
       "branches, accesses memory or is a barrier"},
  };
}

Keys block_keys(GpuConfig& config) {
  return {
      {"distributor.latency", &config.distributor.latency, 1, 10000, "cycles",
       "from the end of a block until the next one starts in its slot: a message to the block "
       "distributor and its answer"},
      {"distributor.interval", &config.distributor.interval, 0, 1000, "cycles",
       "from a block to the next one, of the whole GPU; 0: every core gets one per cycle"},
      {"distributor.start_latency", &config.distributor.start_latency, 0, 1'000'000, "cycles",
       "from the start of a launch, or of launches that run together, to their first block"},
      {"distributor.rounding", &config.distributor.rounding, 0, 2, "",
       "of the block limit of LCS, a quotient: 0 down, 1 to the nearest, 2 up"},
      {"distributor.scope", &config.distributor.scope, 0, 2, "",
       "the block limit of LCS is that of 0 the first core, for all; 1 each core, for itself; 2 "
       "the "
       "median of the cores, for all"},
      {"distributor.remember", &config.distributor.remember, 0, 1, "",
       "ablation: the block limit of LCS holds for later launches of the same kernel, which are "
       "not "
       "monitored"},
      {"distributor.row", &config.distributor.row, 0, 1, "",
       "ablation: no pair of BCS crosses a row of the grid"},
      {"distributor.single", &config.distributor.single, 0, 1, "",
       "ablation: under BCS the last place of an odd limit takes blocks one by one"},
      {"distributor.expand", &config.distributor.expand, 0, 1, "",
       "ablation: when a launch under mCKE has no block left the other one takes its share"},
      {"distributor.seed", &config.distributor.seed, 1, 65535, "",
       "draws the limits of random-limit and the pairs of random-pairs"},
      {"dyncta.period", &config.dyncta.period, 1, 1'000'000, "cycles",
       "sampling period of the throttle DYNCTA"},
      {"dyncta.idle", &config.dyncta.idle, 0, 1'000'000, "cycles",
       "with so many cycles of a period without work DYNCTA takes one block more"},
      {"dyncta.memory_low", &config.dyncta.memory_low, 0, 1'000'000, "cycles",
       "with fewer cycles of a period in which all warps wait for memory it takes one block more"},
      {"dyncta.memory_high", &config.dyncta.memory_high, 0, 1'000'000, "cycles",
       "with so many of them it takes one block less"},
  };
}

/// The numbers of `scheduler` that a configuration says, or those of them that are switches.
Keys numbers_of(SchedulerConfig& scheduler, bool switches) {
  Keys keys;
  for (const SchedulerField& field : scheduler_fields()) {
    if (field.of_machine || is_switch(field) != switches) continue;
    keys.push_back({"scheduler." + field.name,
                    std::visit([&](auto member) { return GpuConfig::Field(&(scheduler.*member)); },
                               field.member),
                    static_cast<double>(field.low), static_cast<double>(field.high), field.unit,
                    field.meaning});
  }
  return keys;
}

/// A scheduler's numbers, its switches, and what its host does.
Keys scheduler_keys(GpuConfig& config) {
  Keys keys = numbers_of(config.scheduler, false);
  keys.push_back(
      {"scheduler.key_source", &config.scheduler.key_source, 0, 4, "",
       "what the schedulers get for phase lengths and distances: 0 the static ones, as control "
       "experiments 1 random ones drawn from noise.seed, 2 inverted ones, 3 those measured so far, "
       "4 those that a predictor in hardware learns"});
  const Keys switches = numbers_of(config.scheduler, true);
  keys.insert(keys.end(), switches.begin(), switches.end());
  const Keys host{
      {"scheduler.affinity", &config.scheduler.affinity, 0, 0, "",
       "two-level, golden model only: warps that are promoted first because of their blocks"},
      {"scheduler.remaining_distance", &config.scheduler.remaining_distance, 0, 1, "",
       "two-level PAWS sorts by the distance to the end of the phase instead of its full length"},
      {"scheduler.branch_demotes", &config.scheduler.branch_demotes, 0, 1, "",
       "a warp that waits for a branch leaves the ready queue"},
  };
  keys.insert(keys.end(), host.begin(), host.end());
  return keys;
}

Keys memory_keys(GpuConfig& config) {
  return {
      {"icache.bytes", &config.icache.bytes, 0, 1048576, "bytes",
       "instruction cache of a core, machine instructions of 8 bytes; 0: always hits"},
      {"icache.ways", &config.icache.ways, 1, 64, "", "associativity"},
      {"icache.line_bytes", &config.icache.line_bytes, 16, 128, "bytes",
       "line, a power of two; a fetch ends at its end"},
      {"icache.latency", &config.icache.latency, 1, 100, "cycles", "a hit"},
      {"icache.mshrs", &config.icache.mshrs, 1, 256, "lines",
       "outstanding lines per core; each serves all warps that wait for it"},
      {"icache.prefetch", &config.icache.prefetch, 0, 16, "lines",
       "a fetch brings so many lines behind its own, unless that takes the last MSHR; 0: none"},
      {"icache.l15_bytes", &config.icache.l15_bytes, 0, 1048576, "bytes",
       "second level of the instruction cache, of each core, between it and the L2; 0: none"},
      {"icache.l15_ways", &config.icache.l15_ways, 1, 64, "", "associativity of the second level"},
      {"icache.l15_latency", &config.icache.l15_latency, 1, 1000, "cycles",
       "a miss that hits in the second level, from look-up to the line"},
      {"l1.bytes", &config.l1.bytes, 1024, 1048576, "bytes", "L1 data cache"},
      {"l1.array_bytes", &config.l1.array_bytes, 1024, 2097152, "bytes",
       "memory of a core that L1 and shared memory divide between them"},
      {"l1.ways", &config.l1.ways, 1, 64, "", "associativity"},
      {"l1.latency", &config.l1.latency, 1, 1000, "cycles",
       "an L1 hit, from the tag look-up to the data, which is one cycle after the issue"},
      {"l1.mshrs", &config.l1.mshrs, 1, 4096, "lines", "outstanding lines per core"},
      {"l1.mshr_merges", &config.l1.mshr_merges, 1, 4096, "loads",
       "loads that one outstanding line serves"},
      {"l1.sectored", &config.l1.sectored, 0, 1, "",
       "a miss fetches the sectors of 32 bytes that are asked for, not the line"},
      {"l1.write_back", &config.l1.write_back, 0, 1, "",
       "barrel core: stores to global memory allocate, wait for their line as loads do, and are "
       "written back when the line is evicted; else they are written through"},
      {"l1.store_keeps", &config.l1.store_keeps, 0, 1, "",
       "a store to global memory that is written through leaves its line in the L1, if it is "
       "there; else it drops it"},
      {"l1.tag_banks", &config.l1.tag_banks, 1, 32, "",
       "a power of two; each bank looks up one line of a load in core.memory_interval cycles, and "
       "the data come from core.shared_banks banks, with conflicts; 1: a load takes one look-up "
       "after the other, without conflicts"},
      {"l1.stores", &config.l1.stores, 1, 4096, "transactions",
       "store transactions of a core not yet acknowledged"},
      {"texture.bytes", &config.texture.bytes, 0, 1048576, "bytes",
       "texture cache of a core; 0: none, textures are read through the L1"},
      {"texture.line_bytes", &config.texture.line_bytes, 32, 128, "bytes",
       "line, a power of two; a miss fetches one"},
      {"texture.ways", &config.texture.ways, 1, 1024, "", "associativity"},
      {"texture.latency", &config.texture.latency, 1, 1000, "cycles",
       "a hit, from the tag look-up to the data, which is one cycle after the issue; what it takes "
       "longer than an L1 hit, a miss takes longer than one of the L1"},
      {"texture.mshrs", &config.texture.mshrs, 1, 4096, "lines", "outstanding lines per core"},
      {"interconnect.clock_mhz", &config.interconnect.clock_mhz, 1, 10000, "MHz",
       "clock of crossbar and L2"},
      {"interconnect.latency", &config.interconnect.latency, 0, 10000, "interconnect cycles",
       "one way through the empty crossbar"},
      {"interconnect.flit_bytes", &config.interconnect.flit_bytes, 1, 1024, "bytes",
       "one port, one cycle"},
      {"interconnect.buffer_flits", &config.interconnect.buffer_flits, 1, 1024, "flits",
       "buffer of a core's port; a full one stalls the load-store unit"},
      {"l2.bytes", &config.l2.bytes, 0, 1073741824, "bytes",
       "all slices together; 0: none, a slice is a memory controller"},
      {"l2.ways", &config.l2.ways, 1, 64, "", "associativity"},
      {"l2.slices", &config.l2.slices, 1, 256, "",
       "address-interleaved slices, 256 bytes each in turn; a multiple of dram.channels"},
      {"l2.queue", &config.l2.queue, 1, 65536, "requests",
       "so many waiting at a slice make it tell the cores to stop; it has room beyond them for "
       "those "
       "under way"},
      {"l2.latency", &config.l2.latency, 1, 10000, "interconnect cycles",
       "from look-up to reply, hit"},
      {"l2.interval", &config.l2.interval, 1, 1000, "interconnect cycles",
       "between two look-ups of a slice"},
      {"l2.atomic_interval", &config.l2.atomic_interval, 1, 1000, "interconnect cycles",
       "each atomic operation on one word after another"},
      {"l2.sectored", &config.l2.sectored, 0, 1, "",
       "a miss fetches the sectors of 32 bytes that are asked for, not the line"},
      {"l2.mshrs", &config.l2.mshrs, 1, 4096, "lines", "outstanding lines per slice"},
      {"l2.mshr_merges", &config.l2.mshr_merges, 1, 4096, "requests",
       "requests that one outstanding line serves"},
      {"l2.partitions", &config.l2.partitions, 1, 2, "",
       "parts of the L2, each with an equal share of cores and slices, that keep copies of the "
       "other part's lines for their cores"},
      {"l2.far_latency", &config.l2.far_latency, 0, 10000, "interconnect cycles",
       "one way from a slice to its counterpart in the other part"},
      {"dram.clock_mhz", &config.dram.clock_mhz, 1, 10000, "MHz",
       "command clock; data moves four times per cycle (GDDR5)"},
      {"dram.channels", &config.dram.channels, 1, 64, "", "memory channels"},
      {"dram.bytes_per_clock", &config.dram.bytes_per_clock, 1, 1024, "bytes",
       "one channel, one command clock"},
      {"dram.banks", &config.dram.banks, 1, 256, "", "banks per channel"},
      {"dram.row_bytes", &config.dram.row_bytes, 128, 65536, "bytes", "row buffer of a bank"},
      {"dram.queue", &config.dram.queue, 1, 1024, "transfers",
       "waiting transfers that a channel has room for"},
      {"dram.reorder", &config.dram.reorder, 1, 1024, "transfers",
       "the scheduler chooses among the oldest so many waiting transfers; 1: first come, first "
       "served"},
      {"dram.tcl", &config.dram.tcl, 0, 1000, "command clocks", "read to data"},
      {"dram.trp", &config.dram.trp, 0, 1000, "command clocks", "precharge to activate"},
      {"dram.trcd", &config.dram.trcd, 0, 1000, "command clocks", "activate to read or write"},
      {"dram.tras", &config.dram.tras, 0, 1000, "command clocks", "activate to precharge"},
      {"dram.trrd", &config.dram.trrd, 0, 1000, "command clocks",
       "activate to activate, different banks"},
      {"dram.turnaround", &config.dram.turnaround, 0, 1000, "command clocks",
       "between reading and writing"},
      {"dram.fixed_latency", &config.dram.fixed_latency, 0, 10000, "command clocks",
       "controller, pads and clock crossings"},
      {"dram.twtr", &config.dram.twtr, 0, 1000, "command clocks",
       "end of written data to a read; 0: dram.turnaround says when its data may begin"},
      {"dram.twr", &config.dram.twr, 0, 1000, "command clocks",
       "write recovery: end of written data to precharge"},
      {"noise.seed", &config.noise.seed, 0, 65535, "",
       "draws perturbations that show how much of a result is noise; 0: none"},
      {"noise.blocks", &config.noise.blocks, 1, 65536, "blocks",
       "perturbed: so many consecutive blocks change places among themselves"},
      {"noise.dram_jitter", &config.noise.dram_jitter, 0, 10000, "command clocks",
       "perturbed: what a line takes longer from DRAM, at most"},
  };
}

Keys frontend_keys(GpuConfig& config) {
  return {
      {"frontend.remove_copies", &config.frontend.remove_copies, 0, 1, "",
       "remove moves and address conversions that machine code does not have"},
      {"frontend.remove_dead_code", &config.frontend.remove_dead_code, 0, 1, "",
       "drop instructions whose results are never read"},
      {"frontend.schedule", &config.frontend.schedule, 0, 1, "",
       "list scheduling inside basic blocks"},
      {"frontend.pressure_limit", &config.frontend.pressure_limit, 8, 65535, "registers",
       "32-bit registers beyond which scheduling saves registers"},
      {"frontend.load_latency", &config.frontend.load_latency, 1, 10000, "cycles",
       "what scheduling expects of a long operation"},
      {"frontend.registers_per_thread", &config.frontend.registers_per_thread, 0, 255, "registers",
       "registers per thread instead of the estimate; 0: estimate"},
      {"phases.cut_at_blocks", &config.frontend.phases.cut_at_blocks, 0, 1, "",
       "every basic block starts a phase"},
      {"phases.cut_at_barriers", &config.frontend.phases.cut_at_barriers, 0, 1, "",
       "a barrier ends a phase"},
      {"phases.cut_at_branches", &config.frontend.phases.cut_at_branches, 0, 1, "",
       "a branch ends a phase"},
      {"phases.shared_loads_long", &config.frontend.phases.shared_loads_long, 0, 1, "",
       "loads from shared memory count as long operations"},
      {"phases.code", &config.frontend.phase_code, 0, kMostCodeBits, "bits",
       "the compiler's code in place of a phase length or distance; 0: the length itself"},
      {"phases.common_code", &config.frontend.common_code, 0, 1, "",
       "codes of all kernels of a program have the same classes"},
      {"subroutine.f32_div", &config.subroutine.f32_div, 1, 64, "instructions",
       "rounded single-precision division"},
      {"subroutine.f32_root", &config.subroutine.f32_root, 1, 64, "instructions",
       "rounded single-precision roots and reciprocals"},
      {"subroutine.f64_div", &config.subroutine.f64_div, 1, 64, "instructions",
       "double-precision division, roots and reciprocals"},
      {"subroutine.integer_div", &config.subroutine.integer_div, 1, 64, "instructions",
       "integer division and remainder up to 32 bits"},
      {"subroutine.integer64_div", &config.subroutine.integer64_div, 1, 64, "instructions",
       "64-bit integer division and remainder"},
      {"latency.move", &config.frontend.latencies.move, 1, 1000, "cycles",
       "moves, selection of special registers"},
      {"latency.branch", &config.frontend.latencies.branch, 1, 1000, "cycles",
       "branches and exits"},
      {"latency.barrier", &config.frontend.latencies.barrier, 1, 1000, "cycles",
       "barriers and fences, their issue"},
      {"latency.load_issue", &config.frontend.latencies.load_issue, 1, 1000, "cycles",
       "loads and atomics, their issue"},
      {"latency.store_issue", &config.frontend.latencies.store_issue, 1, 1000, "cycles",
       "stores, their issue"},
      {"latency.integer", &config.frontend.latencies.integer, 1, 1000, "cycles",
       "integer, logic, comparison and selection up to 32 bits"},
      {"latency.integer_mul", &config.frontend.latencies.integer_mul, 1, 1000, "cycles",
       "integer multiplication up to 32 bits"},
      {"latency.integer64", &config.frontend.latencies.integer64, 1, 1000, "cycles",
       "64-bit integer and logic"},
      {"latency.integer64_mul", &config.frontend.latencies.integer64_mul, 1, 1000, "cycles",
       "64-bit integer multiplication"},
      {"latency.integer_div", &config.frontend.latencies.integer_div, 1, 1000, "cycles",
       "integer division up to 32 bits, a subroutine"},
      {"latency.integer64_div", &config.frontend.latencies.integer64_div, 1, 1000, "cycles",
       "64-bit integer division"},
      {"latency.f32", &config.frontend.latencies.f32, 1, 1000, "cycles",
       "single-precision arithmetic"},
      {"latency.f32_div", &config.frontend.latencies.f32_div, 1, 1000, "cycles",
       "correctly rounded single-precision division and roots"},
      {"latency.f64", &config.frontend.latencies.f64, 1, 1000, "cycles",
       "double-precision arithmetic"},
      {"latency.f64_div", &config.frontend.latencies.f64_div, 1, 1000, "cycles",
       "double-precision division and roots"},
      {"latency.special", &config.frontend.latencies.special, 1, 1000, "cycles",
       "special functions and approximate division"},
      {"latency.conversion", &config.frontend.latencies.conversion, 1, 1000, "cycles",
       "conversions"},
      {"latency.warp", &config.frontend.latencies.warp, 1, 1000, "cycles", "shuffles and votes"},
  };
}

}  // namespace

std::vector<GpuConfig::Key> GpuConfig::keys() {
  Keys keys;
  for (const auto part : {core_keys, block_keys, scheduler_keys, memory_keys, frontend_keys}) {
    const Keys more = part(*this);
    keys.insert(keys.end(), more.begin(), more.end());
  }
  return keys;
}

}  // namespace paws
