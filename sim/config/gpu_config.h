// SPDX-License-Identifier: MIT
// The whole GPU as numbers. GpuConfig::keys() (gpu_keys.cpp) lists every key once, with unit,
// limits and meaning. TOML files, --set and listings all use this list.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/scheduler.h"
#include "sim/config/frontend_settings.h"

namespace paws {

/// Keys of which it matters whether a file says them (GpuConfig::says_yield_after and the other).
inline constexpr const char* kYieldAfterKey = "core.yield_after";
inline constexpr const char* kCapabilityKey = "device.capability";

/// The schedulers. Level, policy and warps are void here: scheduler_config() (sim/gpu/gpu.h) fills
/// them in.
struct SchedulerSettings : SchedulerConfig {
  unsigned key_source = 0;  ///< core::KeySource
  bool remaining_distance = false;
  bool branch_demotes = false;
};

/// What a barrel core does about branches that threads of a warp disagree on: the codes of
/// core.divergence.
enum class Divergence : std::uint8_t {
  stack,         ///< each warp has a stack
  dwf_majority,  ///< dynamic warp formation, majority priority
  dwf_pdom       ///< dynamic warp formation, post-dominator priority
};

struct CoreSettings {
  double clock_mhz = 0;
  unsigned warps = 0;
  unsigned warp_rows = 1;  ///< of 32 lanes each; large warps have several
  unsigned blocks = 0;
  unsigned schedulers = 0;
  unsigned issue_interval = 0;
  bool sub_cores = false;        ///< a scheduler has fetch and units of its own, see core::Unit
  unsigned launch_interval = 0;  ///< of warps; 0: one per scheduler and cycle
  unsigned shared_bytes = 0;
  unsigned shared_granule = 0;
  unsigned shared_reserved = 0;
  unsigned fetch_latency = 0;
  unsigned branch_latency = 0;
  unsigned ibuffer = 0;
  unsigned fetch = 0;  ///< core::FetchOrder
  unsigned pipeline_latency = 0;
  unsigned alu_interval = 0;
  unsigned half_rate_interval = 0;
  unsigned divide_interval = 0;
  unsigned integer_divide_interval = 0;
  unsigned sfu_interval = 0;
  unsigned double_interval = 0;
  unsigned memory_interval = 0;
  unsigned shared_latency = 0;
  unsigned shared_banks = 0;
  unsigned constant_latency = 0;
  unsigned memory_queue = 0;
  unsigned register_banks = 0;
  unsigned alu_collectors = 0;
  unsigned sfu_collectors = 0;
  unsigned double_collectors = 0;
  unsigned memory_collectors = 0;
  unsigned pipeline_stages = 0;  ///< of a barrel core; 0: warps issue one instruction upon another
  unsigned memory_stage = 1;     ///< of the back end of a barrel core, the first one is 1
  bool local_private = false;
  unsigned divergence = 0;  ///< GpuConfig::divergence()
};

/// The tensor cores, one of each scheduler. A configuration file need not name them: there are none
/// then.
struct TensorSettings {
  unsigned interval = 0;  ///< 0: none
  unsigned latency = 0;
};

/// The bulk copy engine of a core. A configuration file need not name it: there is none then.
struct BulkSettings {
  unsigned interval = 0;  ///< 0: none
};

/// What CUDA programs are told of the GPU, beyond what follows from the machine; no kernel's cycles
/// depend on it, but for schedule_threads(). A configuration file need not name these keys.
struct DeviceSettings {
  unsigned capability = 75;   ///< ten times the compute capability
  unsigned memory_mb = 6144;  ///< what a Tesla M2090 has
  double copy_gbps = 0;       ///< of the link to the host; 0: copies take no time
  double copy_latency_us = 0;
  double launch_latency_us = 0;
  unsigned copy_engines = 1;
};

/// How a barrel core forms and fetches sub-warps of large warps.
struct LargeWarpSettings {
  bool global_by_rows = false;
  bool jump_once = false;
  bool pack_guard = false;
  bool refetch_first = false;
};

/// Machine instructions of a subroutine that wait for one another, by what it computes.
struct SubroutineSettings {
  unsigned f32_div = 1;
  unsigned f32_root = 1;
  unsigned f64_div = 1;
  unsigned integer_div = 1;
  unsigned integer64_div = 1;
};

struct InstructionCacheSettings {
  unsigned bytes = 0;
  unsigned ways = 0;
  unsigned line_bytes = 0;
  unsigned latency = 0;
  unsigned mshrs = 0;
  unsigned prefetch = 0;
  unsigned l15_bytes = 0;
  unsigned l15_ways = 0;
  unsigned l15_latency = 0;
};

struct CacheSettings {
  unsigned bytes = 0;
  unsigned ways = 0;
  unsigned latency = 0;
  unsigned mshrs = 0;
  unsigned mshr_merges = 0;
  bool sectored = false;  ///< a miss fetches the sectors asked for, not the line
};

struct L1Settings : CacheSettings {
  unsigned stores = 0;
  unsigned array_bytes = 0;
  bool write_back = false;
  bool store_keeps = false;  ///< a store to global memory does not drop its line
  unsigned tag_banks = 1;    ///< each looks up a line of a load per core.memory_interval
};

/// The texture cache of a core. A configuration file need not name it: textures go through the L1
/// then, and the rest is what preset m2090 has.
struct TextureSettings {
  unsigned bytes = 0;  ///< 0: none
  unsigned line_bytes = 32;
  unsigned ways = 96;
  unsigned latency = 211;
  unsigned mshrs = 128;
};

struct InterconnectSettings {
  double clock_mhz = 0;
  unsigned latency = 0;
  unsigned flit_bytes = 0;
  unsigned buffer_flits = 0;
};

struct L2Settings : CacheSettings {
  unsigned slices = 0;
  unsigned queue = 0;
  unsigned interval = 0;
  unsigned atomic_interval = 0;
  unsigned partitions = 1;
  unsigned far_latency = 0;
};

struct DramSettings {
  double clock_mhz = 0;
  unsigned channels = 0;
  unsigned bytes_per_clock = 0;
  unsigned banks = 0;
  unsigned row_bytes = 0;
  unsigned queue = 0;
  unsigned reorder = 0;
  unsigned tcl = 0;
  unsigned trp = 0;
  unsigned trcd = 0;
  unsigned tras = 0;
  unsigned trrd = 0;
  unsigned turnaround = 0;
  unsigned fixed_latency = 0;
  unsigned twtr = 0;
  unsigned twr = 0;
};

struct DistributorSettings {
  unsigned latency = 0;
  unsigned interval = 0;       ///< 0: every core gets a block per cycle
  unsigned start_latency = 0;  ///< of launches, to their first block
  unsigned rounding = 0;       ///< Rounding of the block monitors (model/block_monitor.h)
  unsigned scope = 0;          ///< LimitScope (sim/blocks/monitored_limits.h)
  bool remember = false;       ///< LimitRules::remember, the same
  bool row = false;            ///< PairedBlocks::PairRules (sim/blocks/paired_blocks.h)
  bool single = false;         ///< the same
  bool expand = false;         ///< MixedBlocks (sim/blocks/concurrent_blocks.h)
  unsigned seed = 0;           ///< of RandomLimit and RandomPairs
};

/// The throttle DYNCTA (sim/throttle/dynamic_block_limit.h).
struct DynctaSettings {
  unsigned period = 0;
  unsigned idle = 0;
  unsigned memory_low = 0;
  unsigned memory_high = 0;
};

/// Perturbations that say how much of a result is noise.
struct NoiseSettings {
  unsigned seed = 0;  ///< 0: none
  unsigned blocks = 16;
  unsigned dram_jitter = 0;
};

/// A parameter of the scheduling policy (model/policies.toml). Whether the policy has it, and its
/// limits, are known only with the scheduler: scheduler_config() in sim/gpu/gpu.h checks.
struct PolicySetting {
  unsigned value = 0;
  std::string where;  ///< option, or file and line, for messages
};

struct GpuConfig {
  std::string name;  ///< of the preset or file
  unsigned cores = 0;
  DistributorSettings distributor;
  DynctaSettings dyncta;
  CoreSettings core;
  TensorSettings tensor;
  BulkSettings bulk;
  DeviceSettings device;
  LargeWarpSettings large;
  SubroutineSettings subroutine;
  SchedulerSettings scheduler;
  std::map<std::string, PolicySetting> policy;  ///< those that are set, by name
  InstructionCacheSettings icache;
  L1Settings l1;
  TextureSettings texture;
  InterconnectSettings interconnect;
  L2Settings l2;
  DramSettings dram;
  NoiseSettings noise;
  FrontendSettings frontend;      ///< phase rule, lowering, latencies
  bool says_yield_after = false;  ///< the file or --set say core.yield_after
  bool says_capability = false;   ///< and device.capability

  /// Where a key's value lives.
  using Field = std::variant<unsigned*, std::uint16_t*, double*, bool*, Affinity*>;
  struct Key {
    std::string name;  ///< dotted, as in --set
    Field field;
    double low = 0, high = 0;  ///< limits of numbers, inclusive
    std::string unit;
    std::string meaning;  ///< one sentence
  };
  /// Every key of this configuration, in the order of the listing; policy.* stand apart.
  std::vector<Key> keys();

  /// Whether an instruction of a warp issues only when the one before is done.
  [[nodiscard]] bool barrel() const { return core.pipeline_stages != 0; }
  [[nodiscard]] Divergence divergence() const { return static_cast<Divergence>(core.divergence); }
  /// Warps of a core: large warps if they have several rows.
  [[nodiscard]] unsigned warp_slots() const { return core.warps / core.warp_rows; }
  /// Warp slots of one scheduler. Schedulers have 4 at least: of fewer large warps some stay empty.
  [[nodiscard]] unsigned warps_per_scheduler() const {
    const unsigned slots = warp_slots() / core.schedulers;
    return core.warp_rows > 1 ? std::max(slots, 4U) : slots;
  }
};

/// Loads a preset by name ("m2090") or a TOML file by path. `base = "m2090"` (a preset, or a file)
/// in a file gives what it does not say itself. Without a base every key must be present but those
/// with a default (has_default in gpu_config.cpp). None may be unknown. Throws InputError with file
/// and line.
GpuConfig load_gpu(const std::string& preset_or_path);

/// Applies "key=value"; a key in bytes takes 16K and 2M, too. Throws InputError that names an
/// unknown key (and the nearest known one), a value of the wrong kind, or one outside its limits.
void set_key(GpuConfig& config, std::string_view assignment);

/// Where nothing says core.yield_after: threads of a warp are scheduled independently if the
/// machine has a compute capability of 7.0 or more, and says so or is told to a program (`told`).
void schedule_threads(GpuConfig& config, bool told);

/// Relations between keys (warps divide evenly, ready queue no larger than the warps, ...).
/// Throws InputError.
void check(const GpuConfig& config);

/// Names of the presets that come with the program.
std::vector<std::string> preset_names();

/// The whole configuration as TOML with units and meanings as comments.
std::string to_toml(const GpuConfig& config);

}  // namespace paws
