// SPDX-License-Identifier: MIT
// What the numbers of a GPU configuration need of each other.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "sim/config/gpu_config.h"
#include "sim/support/error.h"

namespace paws {
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
  if (config.core.launch_interval > 1) {
    throw InputError(
        fmt::format("core.launch_interval ({}): a barrel core (core.pipeline_stages) starts a warp "
                    "per cycle: 0",
                    config.core.launch_interval));
  }
  if (config.l1.tag_banks > 1) {
    throw InputError(
        fmt::format("l1.tag_banks ({}): the back end of a barrel core (core.pipeline_stages) looks "
                    "up one line at a time: 1",
                    config.l1.tag_banks));
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
  constexpr unsigned kMeasured = 3;  // and the next one
  if (config.frontend.phase_code > config.scheduler.phase_bits) {
    throw InputError(fmt::format("phases.code ({}) is wider than scheduler.phase_bits ({})",
                                 config.frontend.phase_code, config.scheduler.phase_bits));
  }
  if (config.frontend.phase_code != 0 && config.scheduler.key_source >= kMeasured) {
    throw InputError(
        fmt::format("phases.code: the compiler has no codes of measured lengths "
                    "(scheduler.key_source {})",
                    config.scheduler.key_source));
  }
  if (config.frontend.common_code && config.frontend.phase_code == 0) {
    throw InputError("phases.common_code needs phases.code: there are no codes");
  }
}

/// An L2 of two parts.
void check_partitions(const GpuConfig& config) {
  const L2Settings& l2 = config.l2;
  if (l2.partitions == 1) return;
  if (l2.bytes == 0) throw InputError("l2.partitions: there is no L2 (l2.bytes) to have parts");
  if (l2.slices % l2.partitions != 0) {
    throw InputError(fmt::format("l2.slices ({}) is not a multiple of l2.partitions ({})",
                                 l2.slices, l2.partitions));
  }
  if (l2.far_latency == 0) {
    throw InputError("l2.partitions needs l2.far_latency: the way from one part to the other");
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
  if (!std::has_single_bit(config.l1.tag_banks)) {
    throw InputError(fmt::format("l1.tag_banks ({}) is not a power of two", config.l1.tag_banks));
  }
  check_sets("l1.bytes", config.l1.bytes, config.l1.ways, kLine);
  if (!std::has_single_bit(config.texture.line_bytes)) {
    throw InputError(
        fmt::format("texture.line_bytes ({}) is not a power of two", config.texture.line_bytes));
  }
  if (config.texture.bytes != 0) {
    check_sets("texture.bytes", config.texture.bytes, config.texture.ways,
               config.texture.line_bytes);
  }
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
  check_partitions(config);
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

}  // namespace paws
