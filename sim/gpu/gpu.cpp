// SPDX-License-Identifier: MIT
#include "sim/gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>
#include <stdexcept>
#include <utility>

#include "sim/blocks/blocks_in_turn.h"
#include "sim/core/formed_warp_core.h"
#include "sim/core/occupancy.h"
#include "sim/core/scoreboard_core.h"
#include "sim/core/timed_kernel.h"
#include "sim/exec/formed_warp_block.h"
#include "sim/exec/large_warp_block.h"
#include "sim/exec/listened_block.h"
#include "sim/exec/warp_executor.h"
#include "sim/gpu/l2_toucher.h"
#include "sim/stats/conservation.h"
#include "sim/support/error.h"

namespace paws {
namespace {

static_assert(BlockScheduler::kAlone == core::BlockTable::kAlone);
constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kWindowsBetweenReports = 256;
constexpr std::uint32_t kMemoryTask = std::numeric_limits<std::uint32_t>::max();

std::string kernels_of(std::span<const KernelLaunch> launches) {
  std::string names;
  for (const KernelLaunch& launch : launches) {
    names += fmt::format("{}kernel '{}'", names.empty() ? "" : " and ", launch.kernel->name);
  }
  return names;
}

/// Where the launch is described, else its kernel.
Location place_of(const KernelLaunch& launch) {
  if (!launch.where.file.empty()) return launch.where;
  return {launch.kernel->file, launch.kernel->line};
}

/// Of all blocks that are resident on a core each may be in a pair of its own, or in none.
unsigned pair_bits(const GpuConfig& config, const SchedulerConfig& scheduler) {
  constexpr unsigned kFewest = 3;
  constexpr unsigned kMost = 5;
  const auto needed = static_cast<unsigned>(std::bit_width(config.core.blocks - 1));
  if (needed > kMost && knows_groups(scheduler)) {
    throw InputError(
        fmt::format("core.blocks is {}, but {} tells {} blocks of a core apart at most",
                    config.core.blocks, scheduler_name(scheduler), 1U << kMost));
  }
  return std::clamp(needed, kFewest, kMost);
}

}  // namespace

SchedulerConfig scheduler_config(const GpuConfig& config, const std::string& name) {
  SchedulerConfig scheduler = config.scheduler;
  scheduler.warps = config.warps_per_scheduler();
  // Of warps of 32 threads more find room than of large warps.
  if (config.core.warp_rows > 1) scheduler.ready = std::min(scheduler.ready, scheduler.warps);
  if (const auto wrong = set_scheduler_name(scheduler, name)) throw InputError(*wrong);
  scheduler.pair_bits = pair_bits(config, scheduler);
  for (const auto& [parameter, setting] : config.policy) {
    if (const auto wrong = check_parameter(scheduler, parameter, setting.value)) {
      throw InputError(setting.where, *wrong);
    }
    scheduler.parameters[parameter] = setting.value;
  }
  if (const auto wrong = check(scheduler)) throw InputError(*wrong);
  return scheduler;
}

Gpu::Gpu(const GpuConfig& config, const SchedulerConfig& scheduler,
         const core::SchedulerFactory& factory, const GpuOptions& options)
    : config_(config),
      options_(options),
      scheduler_knows_groups_(knows_groups(scheduler)),
      memory_system_(config_),
      block_scheduler_(
          options_.block_scheduler
              ? options_.block_scheduler(config_.cores, config_.distributor.latency)
              : std::make_unique<BlocksInTurn>(config_.cores, config_.distributor.latency)),
      pool_(std::clamp(options_.threads, 1U, config_.cores)),
      failures_(config_.cores),
      performed_(config_.cores) {
  check(config_);
  check_core_kind(scheduler);
  block_scheduler_->pace(config_.distributor.interval);
  for (std::uint32_t i = 0; i < config_.cores; ++i) {
    cores_.push_back(make_core(scheduler, factory, i));
  }
  // What is sent in one window is worked on during the next, and answered in the one after it. A
  // crossbar too quick for that is advanced between windows of one cycle.
  const std::uint64_t round_trip = memory_system_.round_trip();
  memory_beside_cores_ = round_trip >= 2;
  const unsigned shortest_load =
      config_.barrel() ? config_.core.pipeline_stages : core::LoadStoreUnit::shortest_load(config_);
  window_ = std::min<std::uint64_t>(
      {shortest_load, config_.distributor.latency, memory_beside_cores_ ? round_trip / 2 : 1});
  if (options_.longest_window != 0) {
    window_ = std::min<std::uint64_t>(window_, options_.longest_window);
  }
}

std::unique_ptr<core::Core> Gpu::make_core(const SchedulerConfig& scheduler,
                                           const core::SchedulerFactory& factory,
                                           std::uint32_t number) {
  memory::Port& port = memory_system_.port(number);
  std::unique_ptr<core::CoreObserver> observer =
      options_.observe ? options_.observe(number) : nullptr;
  if (!config_.barrel()) {
    return std::make_unique<core::ScoreboardCore>(
        config_, scheduler, factory, number, port, std::move(observer),
        options_.filter ? options_.filter(number) : nullptr, block_monitor());
  }
  if (config_.divergence() != Divergence::stack) {
    return std::make_unique<core::FormedWarpCore>(config_, number, port);
  }
  const core::LargeWarpEngines engines{
      factory, options_.subwarp_packer ? options_.subwarp_packer : make_subwarp_packer,
      options_.branch_masks ? options_.branch_masks : make_branch_masks};
  return std::make_unique<core::LargeWarpCore>(config_, scheduler, engines, number, port,
                                               std::move(observer));
}

void Gpu::check_core_kind(const SchedulerConfig& scheduler) const {
  if (!config_.barrel()) {
    if (config_.core.warp_rows == 1) return;
    throw InputError(
        fmt::format("core.warp_rows is {}: large warps need a barrel core "
                    "(core.pipeline_stages)",
                    config_.core.warp_rows));
  }
  if (options_.filter) throw InputError("a barrel core (core.pipeline_stages) has no throttle");
  if (block_scheduler_->monitors()) {
    throw InputError("a barrel core (core.pipeline_stages) has no block monitor");
  }
  if (config_.divergence() != Divergence::stack) {
    if (scheduler_name(scheduler) != "single:rr") {
      throw InputError(
          fmt::format("core.divergence is {}: the former of warps selects them, not {}; say "
                      "single:rr",
                      config_.core.divergence, scheduler_name(scheduler)));
    }
    if (options_.observe) {
      throw InputError(
          fmt::format("core.divergence is {}: formed warps do not last, so they cannot be recorded "
                      "or sampled",
                      config_.core.divergence));
    }
  }
  if (scheduler.affinity != Affinity::none) {
    throw InputError(
        fmt::format("scheduler.affinity is {}: a barrel core (core.pipeline_stages) does not tell "
                    "its scheduler about blocks",
                    name_of(scheduler.affinity)));
  }
  if (knows_groups(scheduler) || knows_yields(scheduler)) {
    throw InputError(
        fmt::format("a barrel core (core.pipeline_stages) does not tell a scheduler what {} asks "
                    "for",
                    scheduler_name(scheduler)));
  }
}

std::unique_ptr<BlockMonitor> Gpu::block_monitor() const {
  if (!block_scheduler_->monitors()) return nullptr;
  BlockMonitorConfig monitor;
  monitor.slots = config_.core.blocks;
  monitor.ports = config_.core.schedulers;
  monitor.rounding = static_cast<Rounding>(config_.distributor.rounding);
  if (monitor.slots > kMonitorSlots || monitor.ports > kMonitorPorts) {
    throw InputError(
        fmt::format("the block monitors of LCS have room for {} block slots and {} schedulers: "
                    "core.blocks is {}, core.schedulers {}",
                    kMonitorSlots, kMonitorPorts, monitor.slots, monitor.ports));
  }
  return options_.block_monitor ? options_.block_monitor(monitor) : make_block_monitor(monitor);
}

void Gpu::check_fits(const KernelLaunch& launch) const {
  const ir::Kernel& kernel = *launch.kernel;
  if (launch.source != nullptr && config_.barrel()) {
    place_of(launch).fail(
        fmt::format("kernel '{}' is a trace of warps of 32 threads: a barrel core "
                    "(core.pipeline_stages) forms its warps from threads, which a trace does not "
                    "have",
                    kernel.name));
  }
  if (launch.listen && config_.barrel()) {
    place_of(launch).fail(
        fmt::format("kernel '{}' cannot be traced on a barrel core (core.pipeline_stages): traces "
                    "are of warps of 32 threads",
                    kernel.name));
  }
  if (launch.observe && config_.divergence() != Divergence::stack) {
    place_of(launch).fail(
        fmt::format("kernel '{}' cannot be checked with core.divergence {}: the check follows the "
                    "warps of the program",
                    kernel.name, config_.core.divergence));
  }
  const std::uint64_t large_warp = std::uint64_t{config_.core.warp_rows} * ir::kWarpSize;
  const std::uint64_t whole_warps =
      (launch.shape.block.count() + ir::kWarpSize - 1) / ir::kWarpSize * ir::kWarpSize;
  if (large_warp > whole_warps) {
    place_of(launch).fail(
        fmt::format("kernel '{}': a block of {} threads does not fill a large warp of {} "
                    "(core.warp_rows is {})",
                    kernel.name, launch.shape.block.count(), large_warp, config_.core.warp_rows));
  }
  const std::uint64_t resident =
      std::uint64_t{core::occupancy(kernel, launch.shape, config_).blocks} * config_.cores;
  if (kernel.cooperative && resident != 0 && launch.shape.grid.count() > resident) {
    place_of(launch).fail(fmt::format(
        "kernel '{}' waits for its whole grid of {} blocks (a cooperative launch), and {} fit on "
        "the {} cores at once",
        kernel.name, launch.shape.grid.count(), resident, config_.cores));
  }
  if (resident > 0) return;
  place_of(launch).fail(fmt::format("kernel '{}' does not fit on a core: {}", kernel.name,
                                    core::why_no_block_fits(kernel, launch.shape, config_)));
}

void Gpu::check_partners(std::span<const KernelLaunch> launches,
                         std::span<const LaunchBlocks> blocks) const {
  for (std::uint32_t i = 0; i < launches.size(); ++i) {
    const std::uint64_t warps = blocks[i].needs[core::Resource::warps];
    if (!block_scheduler_->pairs(i) || warps % config_.core.schedulers == 0) continue;
    place_of(launches[i])
        .fail(fmt::format(
            "kernel '{}': {} warps per block do not divide by the {} schedulers of a core, so the "
            "warps that take turns under SCA in a pair of blocks (--blocks) would be on different "
            "schedulers",
            launches[i].kernel->name, warps, config_.core.schedulers));
  }
}

void Gpu::run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) {
  if (launches.size() > block_scheduler_->most_launches()) {
    launches[block_scheduler_->most_launches()].where.fail(
        fmt::format("{} launches together: the block scheduler (--blocks) takes {} at most",
                    launches.size(), block_scheduler_->most_launches()));
  }
  if (launches.size() > cores_.front()->most_launches()) {
    launches[cores_.front()->most_launches()].where.fail(
        fmt::format("{} launches together: the throttle (--throttle) takes {} at most",
                    launches.size(), cores_.front()->most_launches()));
  }
  for (const KernelLaunch& launch : launches) check_fits(launch);
  std::deque<exec::Executable> executables;
  std::deque<core::TimedKernel> timed;
  core::RunningKernels running;
  running.skip_idle_cycles = options_.skip_idle_cycles;
  std::vector<LaunchBlocks> blocks;
  orders_.clear();
  sampled_ = sample(launches, memory);
  for (const KernelLaunch& launch : launches) {
    core::RunningKernel& added = running.launches.emplace_back();
    added.timed = &timed.emplace_back(*launch.kernel, config_, code_base(*launch.kernel));
    added.needs = core::block_resources(*launch.kernel, launch.shape, config_);
    added.first_block = next_block_;
    next_block_ += 2 * launch.shape.grid.count();
    blocks.push_back({sampled_ ? sampled_->timed() : launch.shape.grid.count(), added.needs,
                      launch.shape.block.y > 1, launch.shape.grid.x, code_base(*launch.kernel)});
    if (launch.source != nullptr) {
      added.make_block = [&launch](std::uint32_t) { return launch.source->make_block(); };
      continue;
    }
    const exec::Executable& executable = executables.emplace_back(*launch.kernel);
    added.make_block = [&, this](std::uint32_t core) -> std::unique_ptr<exec::StandingBlock> {
      const auto watched = [&launch](auto block) {
        if (launch.observe) block->watch(launch.observe());
        return block;
      };
      if (config_.divergence() != Divergence::stack) {
        return std::make_unique<exec::FormedWarpBlock>(
            executable, launch.shape, launch.params.data(), memory, core, config_.cores);
      }
      if (config_.barrel()) {
        return watched(std::make_unique<exec::LargeWarpBlock>(
            executable, launch.shape, config_.core.warp_rows, launch.params.data(), memory, core,
            config_.cores));
      }
      exec::LaunchShape shape = launch.shape;
      shape.yield_after = config_.frontend.yield_after;
      auto block = watched(std::make_unique<exec::Block>(executable, shape, launch.params.data(),
                                                         memory, core, config_.cores));
      if (!launch.listen) return block;
      const unsigned warps = block->warps();
      return std::make_unique<exec::ListenedBlock>(std::move(block), warps, launch.listen());
    };
  }
  const core::Resources all = core::core_resources(config_);
  if (const auto refused = block_scheduler_->refuses(blocks, all)) {
    const KernelLaunch& launch = launches[refused->launch];
    place_of(launch).fail(fmt::format("kernel '{}': {}", launch.kernel->name, refused->why));
  }
  for (auto& core : cores_) core->begin(running, cycle_);
  const GpuStatistics before = totals();
  const std::uint64_t first = cycle_ + config_.distributor.start_latency;
  block_scheduler_->begin(blocks, all, first);
  if (scheduler_knows_groups_) check_partners(launches, blocks);
  for (const auto& core : cores_) {
    if (core->block_limit() != core::IssueFilter::kNoBlockLimit) {
      block_scheduler_->cap(core->number(), core->block_limit(), first);
    }
  }
  for (std::uint32_t i = 0; i < launches.size(); ++i) {
    orders_.emplace_back(config_.noise, block_scheduler_->together(i))
        .begin(launches_.size() + i, launches[i].shape.grid.count());
  }
  if (sampled_) sampled_->begin(cycle_, issued());
  simulate(launches);
  const GpuStatistics after = totals();
  check_conservation(after);
  const std::size_t before_these = launches_.size();
  for (std::uint32_t i = 0; i < launches.size(); ++i) {
    LaunchStatistics& figures = launches_.emplace_back();
    figures.kernel = launches[i].kernel->name;
    figures.cycles = after.cycles - before.cycles;
    for (const auto& core : cores_) figures += core->counts(i);
  }
  if (sampled_) launches_.back().waves = sampled_->end(cycle_, issued());
  sampled_.reset();
  for (BlockLimit limit : block_scheduler_->limits()) {
    limit.cycle -= before.cycles;
    launches_[before_these + limit.launch].limits.push_back(limit);
  }
  check_launches(before.cores, after.cores, std::span(launches_).subspan(before_these));
}

std::uint64_t Gpu::code_base(const ir::Kernel& kernel) {
  const auto [found, added] = code_bases_.try_emplace(&kernel, next_code_);
  if (added) {
    const std::uint64_t bytes = kernel.code.size() * std::uint64_t{core::kInstructionBytes};
    next_code_ += (bytes + memory::kLineBytes - 1) / memory::kLineBytes * memory::kLineBytes;
  }
  return found->second;
}

void Gpu::simulate(std::span<const KernelLaunch> launches) {
  const std::uint64_t first = cycle_;
  const std::uint64_t limit = first + std::min(options_.max_cycles, kNever - first - 1);
  std::uint64_t end = first;
  ended_blocks_ = 0;
  for (std::uint64_t windows = 0; !finished(); ++windows) {
    if (windows % kWindowsBetweenReports == 0) {
      const std::uint64_t started = block_scheduler_->started();
      if (options_.progress) {
        options_.progress(end - first, ended_blocks_, block_scheduler_->blocks());
      }
      if (options_.interrupted && options_.interrupted()) {
        throw Interrupted(
            fmt::format("interrupted in launch {} ({}), cycle {}, {} of {} blocks started",
                        launches_.size() + 1, kernels_of(launches), end - first, started,
                        block_scheduler_->blocks()));
      }
    }
    const std::uint64_t start = next_window(end);
    if (start == kNever) fail(launches, "no warp can ever issue again");
    if (start >= limit) {
      fail(launches,
           fmt::format("not finished after {} cycles (--max-cycles)", options_.max_cycles));
    }
    end = std::min(start + window_, limit);
    hand_out_blocks(start, end);
    run_window(start, end);
    access_global_memory(start, end);
    report_to_block_scheduler();
  }
  for (const auto& core : cores_) cycle_ = std::max(cycle_, core->idle_since() + 1);
  for (auto& core : cores_) core->end(cycle_);
  memory_system_.exchange();
  known_ = memory_system_.advance(cycle_);
}

void Gpu::hand_out_blocks(std::uint64_t start, std::uint64_t end) {
  const bool blocks_waited = block_scheduler_->started() != block_scheduler_->blocks();
  std::uint64_t last = 0;
  block_scheduler_->hand_out(end, [&](const BlockScheduler::Start& next) {
    const std::uint64_t place =
        sampled_ ? sampled_->reach(next.place, start, [this] { return issued(); }) : next.place;
    cores_[next.core]->add_block(next.launch, orders_[next.launch].at(place), next.cycle, next.pair,
                                 next.fills, next.number);
    last = next.cycle;
  });
  if (blocks_waited && block_scheduler_->started() == block_scheduler_->blocks()) {
    for (auto& core : cores_) core->grid_exhausted(last);
  }
}

/// The first cycle from `end` on in which a core has anything to do.
std::uint64_t Gpu::next_activity(std::uint64_t end) const {
  if (!options_.skip_idle_cycles) return end;
  std::uint64_t next = block_scheduler_->next_start();
  for (const auto& core : cores_) next = std::min(next, core->next_activity());
  return next;
}

/// Where the window after the one that ended at `end` starts, all that happens in it known as far
/// as it comes from outside the cores; kNever when nothing can happen any more.
std::uint64_t Gpu::next_window(std::uint64_t end) {
  memory_system_.exchange();
  if (!memory_beside_cores_) {
    known_ = memory_system_.advance(end);
    memory_system_.exchange();
  }
  const std::uint64_t reach = memory_system_.round_trip();
  for (;;) {
    const std::uint64_t next = next_activity(end);
    if (next != kNever && next + window_ <= known_ + reach) return next;
    if (next == kNever && !memory_system_.busy()) return kNever;
    // The cores wait, and the memory system is behind: it goes on alone until it wakes one.
    known_ = memory_system_.advance(next);
    memory_system_.exchange();
  }
}

void Gpu::run_window(std::uint64_t start, std::uint64_t end) {
  tasks_.clear();
  if (memory_beside_cores_ && known_ < start) tasks_.push_back(kMemoryTask);
  for (std::uint32_t i = 0; i < config_.cores; ++i) {
    if (cores_[i]->due(start, end)) tasks_.push_back(i);
  }
  const auto bounds = std::pair{start, end};
  pool_.run(static_cast<unsigned>(tasks_.size()), [this, &bounds](unsigned task) {
    if (tasks_[task] == kMemoryTask) {
      known_ = memory_system_.advance(bounds.first);
    } else {
      run_core(tasks_[task], bounds.first, bounds.second);
    }
  });
  if (known_ < start) throw std::logic_error("the memory system is behind its cores");
}

void Gpu::run_core(std::uint32_t core, std::uint64_t start, std::uint64_t end) {
  try {
    cores_[core]->run(start, end);
  } catch (...) {
    // Which core's failure is the first is known when all have run.
    failures_[core] = {cores_[core]->now(), std::current_exception()};
  }
}

/// Does the accesses that the cores have put off in the window, in order of cycle and core, up to
/// the first failure.
void Gpu::access_global_memory(std::uint64_t start, std::uint64_t end) {
  std::fill(performed_.begin(), performed_.end(), 0);
  tasks_.clear();
  for (std::uint32_t i = 0; i < config_.cores; ++i) {
    if (!cores_[i]->deferred().empty() || failures_[i].cause) tasks_.push_back(i);
  }
  if (tasks_.empty()) return;
  for (std::uint64_t cycle = start; cycle < end; ++cycle) {
    for (const std::uint32_t i : tasks_) {
      exec::DeferredAccesses& accesses = cores_[i]->deferred();
      for (std::size_t& n = performed_[i]; n < accesses.size() && accesses[n].clock == cycle; ++n) {
        exec::perform(accesses, n);
      }
      if (failures_[i].cause && failures_[i].cycle == cycle) {
        std::rethrow_exception(failures_[i].cause);
      }
    }
  }
  for (const std::uint32_t i : tasks_) {
    if (performed_[i] != cores_[i]->deferred().size()) {
      throw std::logic_error("an access to global memory lies outside its window");
    }
    cores_[i]->deferred().clear();
  }
}

void Gpu::report_to_block_scheduler() {
  for (std::uint32_t i = 0; i < config_.cores; ++i) {
    ended_blocks_ += cores_[i]->freed().size();
    for (const core::Core::Freed& freed : cores_[i]->freed()) {
      block_scheduler_->freed(i, freed.launch, freed.pair, freed.cycle);
    }
    for (const core::Core::Monitored& found : cores_[i]->monitored()) {
      block_scheduler_->monitored({i, found.launch, found.cycle, found.limit});
    }
    for (const core::Core::LimitChange& change : cores_[i]->limit_changes()) {
      block_scheduler_->cap(i, change.blocks, change.cycle + config_.distributor.latency);
    }
    cores_[i]->limit_changes().clear();
    cores_[i]->monitored().clear();
    cores_[i]->freed().clear();
  }
}

bool Gpu::finished() const {
  return block_scheduler_->started() == block_scheduler_->blocks() &&
         std::all_of(cores_.begin(), cores_.end(), [](const auto& core) { return core->idle(); });
}

void Gpu::fail(std::span<const KernelLaunch> launches, const std::string& cause) const {
  for (const auto& core : cores_) {
    if (const auto where = core->stuck_warp()) throw InputError(*where + ": " + cause);
  }
  throw InputError(launches.front().kernel->file, kernels_of(launches) + ": " + cause);
}

std::optional<SampledBlocks> Gpu::sample(std::span<const KernelLaunch> launches,
                                         DeviceMemory& memory) {
  const KernelLaunch& launch = launches.front();
  if (!options_.sample || launches.size() > 1 || launch.source != nullptr || launch.listen ||
      config_.barrel()) {
    return std::nullopt;
  }
  const std::uint64_t blocks = launch.shape.grid.count();
  const std::uint64_t wave =
      std::uint64_t{core::occupancy(*launch.kernel, launch.shape, config_).blocks} * config_.cores;
  const TimedWaves timed = options_.sample(launch, (blocks + wave - 1) / wave);
  if (!timed) return std::nullopt;
  filling_waves_ = kNever;
  return SampledBlocks(
      blocks, wave, timed,
      [this, &launch, &memory](std::uint64_t first, std::uint64_t last, std::uint64_t ahead) {
        return run_wave(launch, memory, first, last, ahead <= filling_waves_);
      });
}

KernelLaunch Gpu::touching(const KernelLaunch& launch, std::uint64_t first,
                           std::uint64_t& brought) {
  KernelLaunch heard = launch;
  heard.listen = [this, first, &brought] {
    return std::make_unique<L2Toucher>(config_, memory_system_, first, brought);
  };
  return heard;
}

void Gpu::run_for_values(const KernelLaunch& launch, DeviceMemory& memory) {
  if (config_.barrel()) {
    options_.functional->run(launch, memory);
    return;
  }
  std::uint64_t brought = 0;
  options_.functional->run(touching(launch, next_block_, brought), memory);
  next_block_ += launch.shape.grid.count();
}

std::uint64_t Gpu::run_wave(const KernelLaunch& launch, DeviceMemory& memory, std::uint64_t first,
                            std::uint64_t last, bool touch) {
  std::vector<std::uint64_t> blocks;
  for (std::uint64_t place = first; place < last; ++place) {
    blocks.push_back(orders_.front().at(place));
  }
  exec::FunctionalRunner& functional = *options_.functional;
  const std::uint64_t before = functional.warp_instructions();
  if (!touch) {
    functional.run_blocks(launch, memory, blocks);
    return functional.warp_instructions() - before;
  }
  const std::uint64_t first_number = next_block_ - 2 * launch.shape.grid.count();
  std::uint64_t brought = 0;
  functional.run_blocks(touching(launch, first_number, brought), memory, blocks);
  filling_waves_ = brought == 0
                       ? kNever
                       : std::uint64_t{2} * config_.l2.bytes / (memory::kLineBytes * brought) + 1;
  return functional.warp_instructions() - before;
}

std::uint64_t Gpu::issued() const {
  std::uint64_t sum = 0;
  for (const auto& core : cores_) sum += core->statistics().warp_instructions();
  return sum;
}

std::uint64_t Gpu::scheduler_cycles() const {
  std::uint64_t enabled = 0;
  for (unsigned s = 0; s < config_.core.schedulers; ++s) {
    const std::uint64_t interval = config_.core.issue_interval;
    enabled += (cycle_ + interval - 1 - s % interval) / interval;
  }
  return enabled;
}

void Gpu::check_conservation(const GpuStatistics& total) const {
  for (const auto& core : cores_) {
    check_core(core->number(), core->statistics(), cycle_, scheduler_cycles());
  }
  check_memory(total, memory_system_.residue());
}

GpuStatistics Gpu::statistics() const {
  GpuStatistics result = totals();
  result.kernels = launches_;
  return result;
}

GpuStatistics Gpu::totals() const {
  GpuStatistics total;
  total.cycles = cycle_;
  total.launches = launches_.size();
  for (const auto& core : cores_) total.cores += core->statistics();
  total.memory = memory_system_.statistics();
  total.core_count = config_.cores;
  total.warp_slots = config_.warp_slots();
  total.scheduler_cycles = scheduler_cycles() * config_.cores;
  total.dram_capacity_fs = memory_system_.bus_capacity_fs(cycle_);
  total.l2_capacity_fs = memory_system_.l2_capacity_fs(cycle_);
  return total;
}

}  // namespace paws
