// SPDX-License-Identifier: MIT
#include "sim/config/gpu_config.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <filesystem>
#include <limits>
#include <map>
#include <optional>
#include <type_traits>
#include <utility>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "model/scheduler_fields.h"
#include "sim/support/error.h"
#include "sim/support/installation.h"
#include "sim/support/input_file.h"
#include "sim/support/suggestion.h"

namespace paws {
namespace {

constexpr const char* kYieldAfterKey = "core.yield_after";
constexpr const char* kCapabilityKey = "device.capability";

/// Keys with a default, which a file without a base need not have. Every key that is new is one of
/// them, so that older files go on working.
bool has_default(std::string_view key) {
  return key.starts_with("tensor.") || key.starts_with("bulk.") || key.starts_with("device.") ||
         key == kYieldAfterKey || key == "core.sub_cores" || key == "core.shared_reserved" ||
         key == "l1.sectored" || key == "l2.sectored";
}

/// The numbers of `scheduler` that a configuration says, or those of them that are switches.
std::vector<GpuConfig::Key> scheduler_keys(SchedulerConfig& scheduler, bool switches) {
  std::vector<GpuConfig::Key> keys;
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

}  // namespace

std::vector<GpuConfig::Key> GpuConfig::keys() {
  std::vector<Key> keys{
      {"cores", &cores, 1, 256, "", "SIMT cores (streaming multiprocessors)"},
      {"core.clock_mhz", &core.clock_mhz, 1, 10000, "MHz", "clock of cores and schedulers"},
      {"core.warps", &core.warps, 4, 128, "warps", "resident warps per core"},
      {"core.warp_rows", &core.warp_rows, 1, 32, "rows",
       "rows of 32 threads that a warp has; warps of several rows are large warps"},
      {"core.blocks", &core.blocks, 1, 128, "blocks", "resident thread blocks per core"},
      {"core.threads", &frontend.register_file.threads, 32, 4096, "threads",
       "resident threads per core"},
      {"core.schedulers", &core.schedulers, 1, 8, "",
       "warp schedulers per core; warp w belongs to scheduler w mod schedulers"},
      {"core.issue_interval", &core.issue_interval, 1, 16, "cycles",
       "a scheduler is enabled in one of so many cycles"},
      {"core.sub_cores", &core.sub_cores, 0, 1, "",
       "each scheduler has fetch, special function and double-precision units of its own, and "
       "lanes for integers beside those for FP32; all share the load-store unit alone"},
      {"core.registers", &frontend.register_file.registers, 1024, 1048576, "registers",
       "32-bit registers per core"},
      {"core.thread_registers", &frontend.register_file.per_thread, 8, 255, "registers",
       "most registers of a thread; what a kernel needs beyond is taken to be spilled"},
      {"core.register_granule", &frontend.register_file.granule, 1, 4096, "registers",
       "registers are given to a warp in multiples of this"},
      {"core.shared_bytes", &core.shared_bytes, 0, 1048576, "bytes", "shared memory per core"},
      {"core.shared_granule", &core.shared_granule, 1, 65536, "bytes",
       "shared memory is given to a block in multiples of this"},
      {"core.shared_reserved", &core.shared_reserved, 0, 65536, "bytes",
       "shared memory that the system takes of every block's, besides what the kernel asks for"},
      {"core.shared_banks", &core.shared_banks, 1, 64, "",
       "banks of shared memory, 4 bytes wide each"},
      {"core.fetch_latency", &core.fetch_latency, 1, 100, "cycles",
       "from the instruction cache to decoded instructions"},
      {"core.branch_latency", &core.branch_latency, 1, 100, "cycles",
       "from the issue of a branch until its target may be fetched; no speculation"},
      {"core.ibuffer", &core.ibuffer, 2, 16, "instructions",
       "instruction buffer of a warp; one of 2 is fetched for when it is empty, a larger one "
       "whenever "
       "an entry is free"},
      {"core.fetch", &core.fetch, 0, 2, "",
       "which warp of a scheduler is fetched for: 0 round robin, 1 that of the last issue, else "
       "the "
       "youngest, 2 that of the last issue, else the oldest"},
      {"core.pipeline_latency", &core.pipeline_latency, 0, 1000, "cycles",
       "operand collection without conflicts and write-back, added to an instruction's own "
       "latency for its dependents"},
      {"core.register_banks", &core.register_banks, 0, 128, "",
       "register banks, each one 32-bit register of a warp per cycle; 0: collection always takes "
       "the same time"},
      {"core.alu_collectors", &core.alu_collectors, 1, 16, "",
       "collector units of a scheduler's ALUs"},
      {"core.sfu_collectors", &core.sfu_collectors, 1, 16, "",
       "collector units of the special function units"},
      {"core.double_collectors", &core.double_collectors, 1, 16, "",
       "collector units of double precision"},
      {"core.memory_collectors", &core.memory_collectors, 1, 16, "",
       "collector units of the load-store units"},
      {"core.alu_interval", &core.alu_interval, 1, 100, "cycles",
       "initiation interval of simple instructions on a scheduler's 16 ALUs"},
      {"core.half_rate_interval", &core.half_rate_interval, 1, 100, "cycles",
       "initiation interval of multiplications, shifts, bit fields, conversions and barriers on "
       "these ALUs"},
      {"core.divide_interval", &core.divide_interval, 1, 1000, "cycles",
       "initiation interval of a rounded floating-point division or double-precision root, a "
       "subroutine on the machine"},
      {"core.integer_divide_interval", &core.integer_divide_interval, 1, 1000, "cycles",
       "initiation interval of an integer division up to 32 bits, a subroutine too; 64 bits: "
       "twice"},
      {"core.sfu_interval", &core.sfu_interval, 1, 100, "cycles",
       "initiation interval of the special function units"},
      {"core.double_interval", &core.double_interval, 1, 100, "cycles",
       "initiation interval of double precision, shared by the schedulers"},
      {"core.memory_interval", &core.memory_interval, 1, 100, "cycles",
       "initiation interval of the load-store units, and of each transaction and shared-memory "
       "pass"},
      {"core.memory_queue", &core.memory_queue, 1, 1024, "instructions",
       "memory instructions that wait for the load-store unit"},
      {"core.shared_latency", &core.shared_latency, 1, 1000, "cycles",
       "shared memory, from the last pass to the data"},
      {"core.constant_latency", &core.constant_latency, 1, 1000, "cycles",
       "a load from the constant cache, beyond the pipeline"},
      {"core.pipeline_stages", &core.pipeline_stages, 0, 32, "cycles",
       "a barrel core: an instruction passes so many stages, fetch and decode the first two, "
       "before "
       "the next one of its warp is fetched; 0: warps issue one instruction upon another"},
      {"core.memory_stage", &core.memory_stage, 1, 30, "",
       "barrel core: stage of the back end, which begins behind decode, that accesses memory"},
      {"core.local_private", &core.local_private, 0, 1, "",
       "barrel core: local memory has a bank for each lane and goes past the L1"},
      {"core.divergence", &core.divergence, 0, 2, "",
       "barrel core: 0 each warp has a stack, 1 dynamic warp formation with majority priority, 2 "
       "the same with post-dominator priority"},
      {kYieldAfterKey, &frontend.yield_after, 0, 1'000'000, "",
       "independent thread scheduling: after so many turns of a loop in which it polls memory "
       "(1024 "
       "times as many of another) a path of a diverged warp lets another one run; 0: a path runs "
       "until it meets the others; 8 where no one says it and device.capability says 70 or more, "
       "and for CUDA programs"},
      {"tensor.interval", &tensor.interval, 0, 1000, "cycles",
       "initiation interval of a scheduler's tensor core for 16 x 8 results with 256 bits of k, as "
       "mma.m16n8k16 of f16; other shapes in proportion; 0: there is none, and tensor instructions "
       "are refused"},
      {"tensor.latency", &tensor.latency, 0, 10000, "cycles",
       "from the issue of such an instruction to its result, beyond core.pipeline_latency"},
      {"bulk.interval", &bulk.interval, 0, 1000, "cycles",
       "from a request of a core's bulk copy engine, of a line of 128 bytes, to its next one; 0: "
       "there is none, and bulk copies are refused"},
      {kCapabilityKey, &device.capability, 20, 999, "",
       "compute capability that CUDA programs are told, ten times it: 75 is 7.5; it also chooses "
       "among a program's PTX, and changes no cycle of a kernel"},
      {"device.memory_mb", &device.memory_mb, 1, 1'048'576, "MiB",
       "memory that CUDA programs can allocate"},
      {"device.copy_gbps", &device.copy_gbps, 0, 10000, "GB/s",
       "what copies of CUDA programs between host and device reach in one direction; 0: copies and "
       "fills take no time"},
      {"device.copy_latency_us", &device.copy_latency_us, 0, 1'000'000, "microseconds",
       "of every such copy, before its first byte"},
      {"device.launch_latency_us", &device.launch_latency_us, 0, 1'000'000, "microseconds",
       "of every launch of a CUDA program, from when its kernel could begin until its first cycle; "
       "it "
       "changes no cycle of a kernel"},
      {"device.copy_engines", &device.copy_engines, 1, 2, "",
       "1: one copy between host and device at a time; 2: one in each direction"},
      {"large.global_by_rows", &large.global_by_rows, 0, 1, "",
       "sub-warps of accesses to global memory are rows of the large warp"},
      {"large.jump_once", &large.jump_once, 0, 1, "",
       "an unconditional jump is done with its first sub-warp"},
      {"large.pack_guard", &large.pack_guard, 0, 1, "",
       "sub-warps are formed of the threads that pass the guard, not of all on the path; branches "
       "need all"},
      {"large.refetch_first", &large.refetch_first, 0, 1, "",
       "a large warp is fetched for again when the first sub-warp is done, unless the instruction "
       "branches, accesses memory or is a barrier"},
      {"distributor.latency", &distributor.latency, 1, 10000, "cycles",
       "from the end of a block until the next one starts in its slot: a message to the block "
       "distributor and its answer"},
      {"distributor.rounding", &distributor.rounding, 0, 2, "",
       "of the block limit of LCS, a quotient: 0 down, 1 to the nearest, 2 up"},
      {"distributor.scope", &distributor.scope, 0, 2, "",
       "the block limit of LCS is that of 0 the first core, for all; 1 each core, for itself; 2 "
       "the "
       "median of the cores, for all"},
      {"distributor.remember", &distributor.remember, 0, 1, "",
       "ablation: the block limit of LCS holds for later launches of the same kernel, which are "
       "not "
       "monitored"},
      {"distributor.row", &distributor.row, 0, 1, "",
       "ablation: no pair of BCS crosses a row of the grid"},
      {"distributor.single", &distributor.single, 0, 1, "",
       "ablation: under BCS the last place of an odd limit takes blocks one by one"},
      {"distributor.expand", &distributor.expand, 0, 1, "",
       "ablation: when a launch under mCKE has no block left the other one takes its share"},
      {"distributor.seed", &distributor.seed, 1, 65535, "",
       "draws the limits of random-limit and the pairs of random-pairs"},
      {"dyncta.period", &dyncta.period, 1, 1'000'000, "cycles",
       "sampling period of the throttle DYNCTA"},
      {"dyncta.idle", &dyncta.idle, 0, 1'000'000, "cycles",
       "with so many cycles of a period without work DYNCTA takes one block more"},
      {"dyncta.memory_low", &dyncta.memory_low, 0, 1'000'000, "cycles",
       "with fewer cycles of a period in which all warps wait for memory it takes one block more"},
      {"dyncta.memory_high", &dyncta.memory_high, 0, 1'000'000, "cycles",
       "with so many of them it takes one block less"},
      {"scheduler.key_source", &scheduler.key_source, 0, 3, "",
       "control experiment, what the schedulers get for phase lengths and distances: 0 the static "
       "ones, 1 random ones drawn from noise.seed, 2 inverted ones, 3 those measured so far"},
      {"scheduler.remaining_distance", &scheduler.remaining_distance, 0, 1, "",
       "two-level PAWS sorts by the distance to the end of the phase instead of its full length"},
      {"scheduler.branch_demotes", &scheduler.branch_demotes, 0, 1, "",
       "a warp that waits for a branch leaves the ready queue"},
      {"icache.bytes", &icache.bytes, 0, 1048576, "bytes",
       "instruction cache of a core, machine instructions of 8 bytes; 0: always hits"},
      {"icache.ways", &icache.ways, 1, 64, "", "associativity"},
      {"icache.line_bytes", &icache.line_bytes, 16, 128, "bytes",
       "line, a power of two; a fetch ends at its end"},
      {"icache.latency", &icache.latency, 1, 100, "cycles", "a hit"},
      {"icache.mshrs", &icache.mshrs, 1, 256, "lines",
       "outstanding lines per core; each serves all warps that wait for it"},
      {"icache.prefetch", &icache.prefetch, 0, 16, "lines",
       "a fetch brings so many lines behind its own, unless that takes the last MSHR; 0: none"},
      {"icache.l15_bytes", &icache.l15_bytes, 0, 1048576, "bytes",
       "second level of the instruction cache, of each core, between it and the L2; 0: none"},
      {"icache.l15_ways", &icache.l15_ways, 1, 64, "", "associativity of the second level"},
      {"icache.l15_latency", &icache.l15_latency, 1, 1000, "cycles",
       "a miss that hits in the second level, from look-up to the line"},
      {"l1.bytes", &l1.bytes, 1024, 1048576, "bytes", "L1 data cache"},
      {"l1.array_bytes", &l1.array_bytes, 1024, 2097152, "bytes",
       "memory of a core that L1 and shared memory divide between them"},
      {"l1.ways", &l1.ways, 1, 64, "", "associativity"},
      {"l1.latency", &l1.latency, 1, 1000, "cycles",
       "an L1 hit, from the tag look-up to the data, which is one cycle after the issue"},
      {"l1.mshrs", &l1.mshrs, 1, 4096, "lines", "outstanding lines per core"},
      {"l1.mshr_merges", &l1.mshr_merges, 1, 4096, "loads",
       "loads that one outstanding line serves"},
      {"l1.sectored", &l1.sectored, 0, 1, "",
       "a miss fetches the sectors of 32 bytes that are asked for, not the line"},
      {"l1.write_back", &l1.write_back, 0, 1, "",
       "barrel core: stores to global memory allocate, wait for their line as loads do, and are "
       "written back when the line is evicted; else they are written through"},
      {"l1.stores", &l1.stores, 1, 4096, "transactions",
       "store transactions of a core not yet acknowledged"},
      {"interconnect.clock_mhz", &interconnect.clock_mhz, 1, 10000, "MHz",
       "clock of crossbar and L2"},
      {"interconnect.latency", &interconnect.latency, 0, 10000, "interconnect cycles",
       "one way through the empty crossbar"},
      {"interconnect.flit_bytes", &interconnect.flit_bytes, 1, 1024, "bytes",
       "one port, one cycle"},
      {"interconnect.buffer_flits", &interconnect.buffer_flits, 1, 1024, "flits",
       "buffer of a core's port; a full one stalls the load-store unit"},
      {"l2.bytes", &l2.bytes, 0, 1073741824, "bytes",
       "all slices together; 0: none, a slice is a memory controller"},
      {"l2.ways", &l2.ways, 1, 64, "", "associativity"},
      {"l2.slices", &l2.slices, 1, 256, "",
       "address-interleaved slices, 256 bytes each in turn; a multiple of dram.channels"},
      {"l2.queue", &l2.queue, 1, 65536, "requests",
       "so many waiting at a slice make it tell the cores to stop; it has room beyond them for "
       "those "
       "under way"},
      {"l2.latency", &l2.latency, 1, 10000, "interconnect cycles", "from look-up to reply, hit"},
      {"l2.interval", &l2.interval, 1, 1000, "interconnect cycles",
       "between two look-ups of a slice"},
      {"l2.atomic_interval", &l2.atomic_interval, 1, 1000, "interconnect cycles",
       "each atomic operation on one word after another"},
      {"l2.sectored", &l2.sectored, 0, 1, "",
       "a miss fetches the sectors of 32 bytes that are asked for, not the line"},
      {"l2.mshrs", &l2.mshrs, 1, 4096, "lines", "outstanding lines per slice"},
      {"l2.mshr_merges", &l2.mshr_merges, 1, 4096, "requests",
       "requests that one outstanding line serves"},
      {"dram.clock_mhz", &dram.clock_mhz, 1, 10000, "MHz",
       "command clock; data moves four times per cycle (GDDR5)"},
      {"dram.channels", &dram.channels, 1, 64, "", "memory channels"},
      {"dram.bytes_per_clock", &dram.bytes_per_clock, 1, 1024, "bytes",
       "one channel, one command clock"},
      {"dram.banks", &dram.banks, 1, 256, "", "banks per channel"},
      {"dram.row_bytes", &dram.row_bytes, 128, 65536, "bytes", "row buffer of a bank"},
      {"dram.queue", &dram.queue, 1, 1024, "transfers",
       "waiting transfers that a channel has room for"},
      {"dram.reorder", &dram.reorder, 1, 1024, "transfers",
       "the scheduler chooses among the oldest so many waiting transfers; 1: first come, first "
       "served"},
      {"dram.tcl", &dram.tcl, 0, 1000, "command clocks", "read to data"},
      {"dram.trp", &dram.trp, 0, 1000, "command clocks", "precharge to activate"},
      {"dram.trcd", &dram.trcd, 0, 1000, "command clocks", "activate to read or write"},
      {"dram.tras", &dram.tras, 0, 1000, "command clocks", "activate to precharge"},
      {"dram.trrd", &dram.trrd, 0, 1000, "command clocks", "activate to activate, different banks"},
      {"dram.turnaround", &dram.turnaround, 0, 1000, "command clocks",
       "between reading and writing"},
      {"dram.fixed_latency", &dram.fixed_latency, 0, 10000, "command clocks",
       "controller, pads and clock crossings"},
      {"noise.seed", &noise.seed, 0, 65535, "",
       "draws perturbations that show how much of a result is noise; 0: none"},
      {"noise.blocks", &noise.blocks, 1, 65536, "blocks",
       "perturbed: so many consecutive blocks change places among themselves"},
      {"noise.dram_jitter", &noise.dram_jitter, 0, 10000, "command clocks",
       "perturbed: what a line takes longer from DRAM, at most"},
      {"frontend.remove_copies", &frontend.remove_copies, 0, 1, "",
       "remove moves and address conversions that machine code does not have"},
      {"frontend.remove_dead_code", &frontend.remove_dead_code, 0, 1, "",
       "drop instructions whose results are never read"},
      {"frontend.schedule", &frontend.schedule, 0, 1, "", "list scheduling inside basic blocks"},
      {"frontend.pressure_limit", &frontend.pressure_limit, 8, 65535, "registers",
       "32-bit registers beyond which scheduling saves registers"},
      {"frontend.load_latency", &frontend.load_latency, 1, 10000, "cycles",
       "what scheduling expects of a long operation"},
      {"frontend.registers_per_thread", &frontend.registers_per_thread, 0, 255, "registers",
       "registers per thread instead of the estimate; 0: estimate"},
      {"phases.cut_at_blocks", &frontend.phases.cut_at_blocks, 0, 1, "",
       "every basic block starts a phase"},
      {"phases.cut_at_barriers", &frontend.phases.cut_at_barriers, 0, 1, "",
       "a barrier ends a phase"},
      {"phases.cut_at_branches", &frontend.phases.cut_at_branches, 0, 1, "",
       "a branch ends a phase"},
      {"phases.shared_loads_long", &frontend.phases.shared_loads_long, 0, 1, "",
       "loads from shared memory count as long operations"},
      {"phases.code", &frontend.phase_code, 0, kMostCodeBits, "bits",
       "the compiler's code in place of a phase length or distance; 0: the length itself"},
      {"phases.common_code", &frontend.common_code, 0, 1, "",
       "codes of all kernels of a program have the same classes"},
      {"subroutine.f32_div", &subroutine.f32_div, 1, 64, "instructions",
       "rounded single-precision division"},
      {"subroutine.f32_root", &subroutine.f32_root, 1, 64, "instructions",
       "rounded single-precision roots and reciprocals"},
      {"subroutine.f64_div", &subroutine.f64_div, 1, 64, "instructions",
       "double-precision division, roots and reciprocals"},
      {"subroutine.integer_div", &subroutine.integer_div, 1, 64, "instructions",
       "integer division and remainder up to 32 bits"},
      {"subroutine.integer64_div", &subroutine.integer64_div, 1, 64, "instructions",
       "64-bit integer division and remainder"},
      {"latency.move", &frontend.latencies.move, 1, 1000, "cycles",
       "moves, selection of special registers"},
      {"latency.branch", &frontend.latencies.branch, 1, 1000, "cycles", "branches and exits"},
      {"latency.barrier", &frontend.latencies.barrier, 1, 1000, "cycles",
       "barriers and fences, their issue"},
      {"latency.load_issue", &frontend.latencies.load_issue, 1, 1000, "cycles",
       "loads and atomics, their issue"},
      {"latency.store_issue", &frontend.latencies.store_issue, 1, 1000, "cycles",
       "stores, their issue"},
      {"latency.integer", &frontend.latencies.integer, 1, 1000, "cycles",
       "integer, logic, comparison and selection up to 32 bits"},
      {"latency.integer_mul", &frontend.latencies.integer_mul, 1, 1000, "cycles",
       "integer multiplication up to 32 bits"},
      {"latency.integer64", &frontend.latencies.integer64, 1, 1000, "cycles",
       "64-bit integer and logic"},
      {"latency.integer64_mul", &frontend.latencies.integer64_mul, 1, 1000, "cycles",
       "64-bit integer multiplication"},
      {"latency.integer_div", &frontend.latencies.integer_div, 1, 1000, "cycles",
       "integer division up to 32 bits, a subroutine"},
      {"latency.integer64_div", &frontend.latencies.integer64_div, 1, 1000, "cycles",
       "64-bit integer division"},
      {"latency.f32", &frontend.latencies.f32, 1, 1000, "cycles", "single-precision arithmetic"},
      {"latency.f32_div", &frontend.latencies.f32_div, 1, 1000, "cycles",
       "correctly rounded single-precision division and roots"},
      {"latency.f64", &frontend.latencies.f64, 1, 1000, "cycles", "double-precision arithmetic"},
      {"latency.f64_div", &frontend.latencies.f64_div, 1, 1000, "cycles",
       "double-precision division and roots"},
      {"latency.special", &frontend.latencies.special, 1, 1000, "cycles",
       "special functions and approximate division"},
      {"latency.conversion", &frontend.latencies.conversion, 1, 1000, "cycles", "conversions"},
      {"latency.warp", &frontend.latencies.warp, 1, 1000, "cycles", "shuffles and votes"},
  };
  // What a scheduler is made from: its numbers before the control experiment, its switches behind.
  auto place = std::find_if(keys.begin(), keys.end(),
                            [](const Key& key) { return key.name == "scheduler.key_source"; });
  for (const bool switches : {false, true}) {
    const std::vector<Key> added = scheduler_keys(scheduler, switches);
    place = keys.insert(place, added.begin(), added.end()) +
            static_cast<std::ptrdiff_t>(added.size()) + 1;
  }
  place = std::find_if(keys.begin(), keys.end(),
                       [](const Key& key) { return key.name == "scheduler.remaining_distance"; });
  keys.insert(place, {"scheduler.affinity", &scheduler.affinity, 0, 0, "",
                      "two-level, golden model only: warps that are promoted first because of "
                      "their blocks"});
  return keys;
}

namespace {

std::filesystem::path preset_folder() { return project_folder() / "sim/presets"; }

const GpuConfig::Key* find_key(const std::vector<GpuConfig::Key>& keys, std::string_view name) {
  const auto found = std::find_if(keys.begin(), keys.end(),
                                  [name](const GpuConfig::Key& key) { return key.name == name; });
  return found == keys.end() ? nullptr : &*found;
}

std::string unknown_key(const std::vector<GpuConfig::Key>& keys, std::string_view name) {
  std::vector<std::string> names(keys.size());
  std::transform(keys.begin(), keys.end(), names.begin(),
                 [](const GpuConfig::Key& key) { return key.name; });
  return fmt::format("unknown key '{}'{}", name, suggestion(name, names));
}

std::string kind_of(const GpuConfig::Key& key) {
  if (std::holds_alternative<bool*>(key.field)) return "true or false";
  if (std::holds_alternative<Affinity*>(key.field)) {
    return fmt::format("one of {}", fmt::join(affinity_names(), ", "));
  }
  const bool whole = !std::holds_alternative<double*>(key.field);
  return fmt::format("{} from {} to {}{}{}", whole ? "an integer" : "a number", key.low, key.high,
                     key.unit.empty() ? "" : " ", key.unit);
}

/// Stores `value` if it is of the key's kind and within its limits.
template <typename Value>
bool assign(const GpuConfig::Key& key, Value value) {
  if constexpr (std::is_same_v<Value, bool>) {
    if (auto* const* field = std::get_if<bool*>(&key.field)) {
      **field = value;
      return true;
    }
    return false;
  } else {
    const auto number = static_cast<double>(value);
    if (!(number >= key.low && number <= key.high)) return false;  // not a number: neither
    if (auto* const* field = std::get_if<double*>(&key.field)) {
      **field = static_cast<double>(value);
      return true;
    }
    if constexpr (std::is_integral_v<Value>) {
      if (auto* const* field = std::get_if<unsigned*>(&key.field)) {
        **field = static_cast<unsigned>(value);
        return true;
      }
      if (auto* const* field = std::get_if<std::uint16_t*>(&key.field)) {
        **field = static_cast<std::uint16_t>(value);
        return true;
      }
    }
    return false;
  }
}

std::optional<std::int64_t> whole_number(std::string_view text) {
  const char* const end = text.data() + text.size();
  std::int64_t whole = 0;
  const auto [at, error] = std::from_chars(text.data(), end, whole);
  return error == std::errc{} && at == end ? std::optional(whole) : std::nullopt;
}

/// The same for a word.
bool assign_word(const GpuConfig::Key& key, std::string_view word) {
  auto* const* field = std::get_if<Affinity*>(&key.field);
  const std::optional<Affinity> affinity = affinity_of(word);
  if (field == nullptr || !affinity) return false;
  **field = *affinity;
  return true;
}

bool assign_text(const GpuConfig::Key& key, std::string_view text) {
  if (assign_word(key, text)) return true;
  if (text == "true" || text == "false") return assign(key, text == "true");
  if (const auto whole = whole_number(text)) return assign(key, *whole);
  const char* const end = text.data() + text.size();
  double number = 0;
  if (auto [at, error] = std::from_chars(text.data(), end, number);
      error == std::errc{} && at == end) {
    return assign(key, number);
  }
  return false;
}

constexpr std::string_view kPolicy = "policy.";

/// Stores `number` as the parameter `key` ("policy.NAME") of a policy; false if it is none.
bool assign_policy(GpuConfig& config, std::string_view key, std::optional<std::int64_t> number,
                   std::string where) {
  if (!number || *number < 0 || *number > std::numeric_limits<unsigned>::max()) return false;
  config.policy[std::string(key.substr(kPolicy.size()))] = {static_cast<unsigned>(*number),
                                                            std::move(where)};
  return true;
}

constexpr const char* kWholeNumber = "a whole number that is not negative";

constexpr std::string_view kBase = "base";

void assign_table(GpuConfig& config, const std::vector<GpuConfig::Key>& keys,
                  const toml::table& table, const std::string& prefix, const std::string& file,
                  std::map<std::string, bool>& seen) {
  for (const auto& [name, node] : table) {
    const std::string path = prefix + std::string(name.str());
    if (path == kBase) continue;
    const auto line = static_cast<unsigned long>(node.source().begin.line);
    if (const toml::table* inner = node.as_table()) {
      assign_table(config, keys, *inner, path + ".", file, seen);
      continue;
    }
    if (path.starts_with(kPolicy)) {
      if (!assign_policy(config, path, node.value_exact<std::int64_t>(),
                         fmt::format("{}:{}", file, line))) {
        throw InputError(file, line, fmt::format("'{}' must be {}", path, kWholeNumber));
      }
      continue;
    }
    const GpuConfig::Key* key = find_key(keys, path);
    if (key == nullptr) throw InputError(file, line, unknown_key(keys, path));
    bool good = false;
    if (const auto* word = node.as_string()) good = assign_word(*key, word->get());
    if (const auto* boolean = node.as_boolean()) good = assign(*key, boolean->get());
    if (const auto* integer = node.as_integer()) good = assign(*key, integer->get());
    if (const auto* number = node.as_floating_point()) good = assign(*key, number->get());
    if (!good) throw InputError(file, line, fmt::format("'{}' must be {}", path, kind_of(*key)));
    seen[path] = true;
  }
}

}  // namespace

std::vector<std::string> preset_names() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(preset_folder())) {
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

/// The file of a preset, or the one at the path.
std::string file_of(const std::string& preset_or_path) {
  const std::vector<std::string> presets = preset_names();
  if (std::find(presets.begin(), presets.end(), preset_or_path) != presets.end()) {
    return (preset_folder() / (preset_or_path + ".toml")).string();
  }
  const std::optional<std::string> why = why_unreadable(preset_or_path);
  if (why && means_a_file(preset_or_path)) {
    throw InputError(preset_or_path, *why + ", and no GPU preset has this name");
  }
  if (why) {
    throw InputError(fmt::format("no GPU preset and no file is called '{}' (presets: {})",
                                 preset_or_path, fmt::join(presets, ", ")));
  }
  return preset_or_path;
}

/// The file that `table`, which stands in `file`, is based on: a preset, or a path from the folder
/// of `file`. Throws InputError if it is none, or one of `below`, the files that led here.
std::optional<std::string> base_of(const toml::table& table, const std::string& file,
                                   const std::vector<std::string>& below) {
  const toml::node* const node = table.get(kBase);
  if (node == nullptr) return std::nullopt;
  const auto line = static_cast<unsigned long>(node->source().begin.line);
  const std::optional<std::string> word = node->value_exact<std::string>();
  if (!word)
    throw InputError(file, line, "'base' must be the name of a preset or a file, in quotes");
  const std::filesystem::path beside = std::filesystem::path(file).parent_path() / *word;
  std::string base;
  try {
    base = file_of(std::filesystem::exists(beside) ? beside.string() : *word);
  } catch (const InputError& error) {
    throw InputError(file, line, fmt::format("base: {}", error.what()));
  }
  for (const std::string& other : below) {
    if (std::filesystem::equivalent(base, other)) {
      throw InputError(file, line, fmt::format("base '{}' is based on this file", *word));
    }
  }
  return base;
}

/// Reads `file` over what its base says. `below`: the files that it is the base of.
void read_file(GpuConfig& config, const std::vector<GpuConfig::Key>& keys, const std::string& file,
               std::map<std::string, bool>& seen, std::vector<std::string> below = {}) {
  toml::table table;
  try {
    table = toml::parse_file(file);
  } catch (const toml::parse_error& error) {
    throw InputError(file, error.source().begin.line, std::string(error.description()));
  }
  below.push_back(file);
  if (const auto base = base_of(table, file, below)) read_file(config, keys, *base, seen, below);
  assign_table(config, keys, table, "", file, seen);
}

}  // namespace

GpuConfig load_gpu(const std::string& preset_or_path) {
  const std::string file = file_of(preset_or_path);
  GpuConfig config;
  config.name = std::filesystem::path(file).stem().string();
  const std::vector<GpuConfig::Key> keys = config.keys();
  std::map<std::string, bool> seen;
  read_file(config, keys, file, seen);
  for (const GpuConfig::Key& key : keys) {
    if (!seen.contains(key.name) && !has_default(key.name)) {
      throw InputError(file,
                       fmt::format("key '{}' is missing ({}); base = \"m2090\" takes what the "
                                   "file does not say from that preset",
                                   key.name, key.meaning));
    }
  }
  config.says_yield_after = seen.contains(kYieldAfterKey);
  config.says_capability = seen.contains(kCapabilityKey);
  schedule_threads(config, false);
  try {
    check(config);
  } catch (const InputError& error) {
    throw InputError(file, error.what());
  }
  return config;
}

void schedule_threads(GpuConfig& config, bool told) {
  if (config.says_yield_after) return;
  const bool independent = !config.barrel() && (config.says_capability || told) &&
                           config.device.capability >= kIndependentThreads;
  config.frontend.yield_after = independent ? kYieldAfter : 0;
}

void set_key(GpuConfig& config, std::string_view assignment) {
  const std::size_t equals = assignment.find('=');
  if (equals == std::string_view::npos) {
    throw InputError(fmt::format("--set {}: expected key=value", assignment));
  }
  const std::string_view name = assignment.substr(0, equals);
  const std::string_view value = assignment.substr(equals + 1);
  if (name.starts_with(kPolicy)) {
    if (!assign_policy(config, name, whole_number(value), fmt::format("--set {}", assignment))) {
      throw InputError(fmt::format("--set {}: the value must be {}", assignment, kWholeNumber));
    }
    return;
  }
  const std::vector<GpuConfig::Key> keys = config.keys();
  const GpuConfig::Key* key = find_key(keys, name);
  if (key == nullptr) throw InputError(fmt::format("--set: {}", unknown_key(keys, name)));
  if (!assign_text(*key, value)) {
    throw InputError(fmt::format("--set {}: the value must be {}", assignment, kind_of(*key)));
  }
  config.says_yield_after = config.says_yield_after || name == kYieldAfterKey;
  config.says_capability = config.says_capability || name == kCapabilityKey;
}

namespace {

/// A cache is a whole number of sets.
void check_sets(const char* what, unsigned bytes, unsigned ways, unsigned line_bytes) {
  const unsigned set = ways * line_bytes;
  if (bytes >= set && bytes % set == 0) return;
  throw InputError(
      fmt::format("{} ({}) is not a multiple of a set of {} ways of {} bytes, {} bytes", what,
                  bytes, ways, line_bytes, set));
}

/// What a core with core.pipeline_stages needs.
void check_barrel(const GpuConfig& config) {
  constexpr unsigned kFrontStages = 2;  // fetch, and decode with the forming of sub-warps
  const CoreSettings& core = config.core;
  if (core.pipeline_stages < kFrontStages + core.memory_stage) {
    throw InputError(
        fmt::format("core.pipeline_stages ({}) has no stage {} behind fetch and decode "
                    "(core.memory_stage)",
                    core.pipeline_stages, core.memory_stage));
  }
  if (core.schedulers != 1 || core.issue_interval != 1) {
    throw InputError(
        fmt::format("a barrel core (core.pipeline_stages) has one scheduler that selects in every "
                    "cycle: core.schedulers is {}, core.issue_interval {}",
                    core.schedulers, core.issue_interval));
  }
  if (config.divergence() != Divergence::stack && core.warp_rows > 1) {
    throw InputError(
        fmt::format("core.divergence is {}: warps are formed anew of 32 threads, so there are no "
                    "large ones: core.warp_rows is {}",
                    core.divergence, core.warp_rows));
  }
  if (config.l1.write_back && config.cores > 1) {
    throw InputError(
        fmt::format("l1.write_back: the L1s of {} cores would need coherence, which the simulator "
                    "does not have",
                    config.cores));
  }
}

/// What only a core with core.pipeline_stages has. Such a core in turn has no path that gives way:
/// its warps have other ways to diverge.
void check_no_barrel(const GpuConfig& config) {
  const std::array<std::pair<const char*, bool>, 7> switches{
      {{"core.local_private", config.core.local_private},
       {"core.divergence", config.core.divergence != 0},
       {"large.global_by_rows", config.large.global_by_rows},
       {"large.jump_once", config.large.jump_once},
       {"large.pack_guard", config.large.pack_guard},
       {"large.refetch_first", config.large.refetch_first},
       {"l1.write_back", config.l1.write_back}}};
  for (const auto& [name, on] : switches) {
    if (on) throw InputError(fmt::format("{} needs a barrel core (core.pipeline_stages)", name));
  }
}

/// A core whose schedulers share the load-store unit alone.
void check_sub_cores(const GpuConfig& config) {
  if (!config.core.sub_cores) return;
  if (config.barrel()) {
    throw InputError("core.sub_cores: a barrel core (core.pipeline_stages) has one pipeline");
  }
  if (config.core.register_banks != 0) {
    throw InputError(
        fmt::format("core.sub_cores: the register banks of a core (core.register_banks, {}) serve "
                    "all schedulers; those of sub-cores are not modelled: 0",
                    config.core.register_banks));
  }
  if (config.core.memory_queue < config.core.schedulers) {
    throw InputError(
        fmt::format("core.sub_cores: core.memory_queue ({}) has no room for an instruction of each "
                    "of the {} schedulers",
                    config.core.memory_queue, config.core.schedulers));
  }
}

/// The host of a scheduler that places one warp in a cycle does not enable it right after an issue.
void check_compares(const GpuConfig& config) {
  if (!rests_after_issue(config.scheduler) || config.core.issue_interval > 1) return;
  throw InputError(
      fmt::format("scheduler {}: a scheduler that may issue in every cycle (core.issue_interval 1) "
                  "needs scheduler.compares = 2",
                  scheduler_name(config.scheduler)));
}

/// A code is compared as it is.
void check_codes(const GpuConfig& config) {
  constexpr unsigned kMeasured = 3;
  if (config.frontend.phase_code > config.scheduler.phase_bits) {
    throw InputError(fmt::format("phases.code ({}) is wider than scheduler.phase_bits ({})",
                                 config.frontend.phase_code, config.scheduler.phase_bits));
  }
  if (config.frontend.phase_code != 0 && config.scheduler.key_source == kMeasured) {
    throw InputError(
        "phases.code: the compiler has no codes of measured lengths "
        "(scheduler.key_source 3)");
  }
  if (config.frontend.common_code && config.frontend.phase_code == 0) {
    throw InputError("phases.common_code needs phases.code: there are no codes");
  }
}

/// A result is due within the span of a core's events (sim/core/event_wheel.h).
void check_subroutines(const GpuConfig& config) {
  constexpr unsigned kLongest = 2000;
  const SubroutineSettings& steps = config.subroutine;
  const unsigned longest = std::max(
      {steps.f32_div, steps.f32_root, steps.f64_div, steps.integer_div, steps.integer64_div});
  if (longest == 1 || longest * config.core.pipeline_latency <= kLongest) return;
  throw InputError(
      fmt::format("a division or root of {} instructions (subroutine.*) with {} cycles each "
                  "(core.pipeline_latency) takes more than {} cycles",
                  longest, config.core.pipeline_latency, kLongest));
}

}  // namespace

void check(const GpuConfig& config) {
  if (config.core.warps % config.core.schedulers != 0) {
    throw InputError(fmt::format("core.warps ({}) is not a multiple of core.schedulers ({})",
                                 config.core.warps, config.core.schedulers));
  }
  if (config.core.warps % config.core.warp_rows != 0) {
    throw InputError(fmt::format("core.warps ({}) is not a multiple of core.warp_rows ({})",
                                 config.core.warps, config.core.warp_rows));
  }
  check_codes(config);
  check_compares(config);
  check_sub_cores(config);
  if (config.barrel()) {
    check_barrel(config);
    if (config.frontend.yield_after != 0) {
      throw InputError("core.yield_after is not for a barrel core (core.pipeline_stages)");
    }
  } else {
    check_no_barrel(config);
  }
  if (config.warps_per_scheduler() < 4 || config.warps_per_scheduler() > 64) {
    throw InputError(
        fmt::format("core.warps / core.schedulers is {}, but a scheduler has 4 to 64 warps",
                    config.warps_per_scheduler()));
  }
  if (config.core.warp_rows == 1 && config.scheduler.ready > config.warps_per_scheduler()) {
    throw InputError(
        fmt::format("scheduler.ready ({}) is larger than the warps of a scheduler ({})",
                    config.scheduler.ready, config.warps_per_scheduler()));
  }
  if (config.l2.slices % config.dram.channels != 0) {
    throw InputError(fmt::format("l2.slices ({}) is not a multiple of dram.channels ({})",
                                 config.l2.slices, config.dram.channels));
  }
  if (!std::has_single_bit(config.icache.line_bytes)) {
    throw InputError(
        fmt::format("icache.line_bytes ({}) is not a power of two", config.icache.line_bytes));
  }
  if (config.icache.bytes != 0) {
    check_sets("icache.bytes", config.icache.bytes, config.icache.ways, config.icache.line_bytes);
  }
  if (config.icache.l15_bytes != 0) {
    check_sets("icache.l15_bytes", config.icache.l15_bytes, config.icache.l15_ways,
               config.icache.line_bytes);
  }
  constexpr unsigned kLine = 128;
  check_sets("l1.bytes", config.l1.bytes, config.l1.ways, kLine);
  if (config.l1.bytes + config.core.shared_bytes > config.l1.array_bytes) {
    throw InputError(
        fmt::format("l1.bytes ({}) and core.shared_bytes ({}) are more than the {} bytes of "
                    "l1.array_bytes",
                    config.l1.bytes, config.core.shared_bytes, config.l1.array_bytes));
  }
  if (config.l2.bytes != 0 && config.l2.bytes % config.l2.slices != 0) {
    throw InputError(fmt::format("l2.bytes ({}) is not a multiple of l2.slices ({})",
                                 config.l2.bytes, config.l2.slices));
  }
  if (config.l2.bytes != 0) {
    check_sets("l2.bytes / l2.slices", config.l2.bytes / config.l2.slices, config.l2.ways, kLine);
  }
  if (config.dram.row_bytes % kLine != 0) {
    throw InputError(fmt::format("dram.row_bytes ({}) is not a multiple of a line of {} bytes",
                                 config.dram.row_bytes, kLine));
  }
  check_subroutines(config);
  if (config.dyncta.memory_low > config.dyncta.memory_high) {
    throw InputError(fmt::format("dyncta.memory_low ({}) is larger than dyncta.memory_high ({})",
                                 config.dyncta.memory_low, config.dyncta.memory_high));
  }
  const RegisterFile& file = config.frontend.register_file;
  if (config.frontend.registers_per_thread > file.per_thread) {
    throw InputError(
        fmt::format("frontend.registers_per_thread ({}) is more than core.thread_registers ({})",
                    config.frontend.registers_per_thread, file.per_thread));
  }
}

namespace {

template <typename Value>
std::string text_of(Value value) {
  if constexpr (std::is_same_v<Value, Affinity>) {
    return fmt::format("\"{}\"", name_of(value));
  } else {
    return fmt::format("{}", value);
  }
}

}  // namespace

std::string to_toml(const GpuConfig& config) {
  GpuConfig copy = config;
  std::string text = fmt::format("# GPU '{}'\n", config.name);
  std::string section;
  for (const GpuConfig::Key& key : copy.keys()) {
    const std::size_t dot = key.name.find('.');
    const std::string in = dot == std::string::npos ? "" : key.name.substr(0, dot);
    if (in != section) text += fmt::format("\n[{}]\n", in);
    section = in;
    const std::string value =
        std::visit([](const auto* field) { return text_of(*field); }, key.field);
    text += fmt::format("{} = {}  # {}{}\n", key.name.substr(in.empty() ? 0 : dot + 1), value,
                        key.unit.empty() ? "" : key.unit + ": ", key.meaning);
  }
  if (!config.policy.empty()) text += "\n[policy]\n";
  for (const auto& [name, setting] : config.policy) {
    text += fmt::format("{} = {}\n", name, setting.value);
  }
  return text;
}

}  // namespace paws
