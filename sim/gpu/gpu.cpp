#include "sim/gpu/gpu.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "sim/core/occupancy.h"
#include "sim/core/timed_kernel.h"
#include "sim/support/error.h"

namespace paws {
namespace {

constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kStepsBetweenReports = 1 << 14;

}  // namespace

double GpuStatistics::ipc() const {
  if (cycles == 0) return 0;
  return static_cast<double>(cores.thread_instructions()) / static_cast<double>(cycles);
}

SchedulerConfig scheduler_config(const GpuConfig& config, const std::string& name) {
  SchedulerConfig scheduler;
  scheduler.warps = config.warps_per_scheduler();
  scheduler.ready = config.scheduler.ready;
  scheduler.phase_bits = config.scheduler.phase_bits;
  scheduler.tie_by_arrival = config.scheduler.tie_by_arrival;
  if (const auto wrong = set_scheduler_name(scheduler, name)) throw InputError(*wrong);
  if (const auto wrong = check(scheduler)) throw InputError(*wrong);
  return scheduler;
}

Gpu::Gpu(const GpuConfig& config, const SchedulerConfig& scheduler,
         const core::SchedulerFactory& factory, const GpuOptions& options)
    : config_(config), options_(options), memory_system_(config_), wake_(config.cores, kNever) {
  check(config_);
  for (std::uint32_t i = 0; i < config_.cores; ++i) {
    cores_.push_back(
        std::make_unique<core::Core>(config_, scheduler, factory, i, memory_system_,
                                     options_.observe ? options_.observe(i) : nullptr));
  }
}

void Gpu::run(const KernelLaunch& launch, DeviceMemory& memory) {
  const ir::Kernel& kernel = *launch.kernel;
  const core::Occupancy occupancy = core::occupancy(kernel, launch.shape, config_);
  if (occupancy.blocks == 0) {
    throw InputError(
        kernel.file,
        fmt::format("kernel '{}': a block of {} threads, {} registers per thread and "
                    "{} bytes of shared memory does not fit on a core ({})",
                    kernel.name, launch.shape.block.count(), kernel.registers_per_thread,
                    kernel.shared_bytes + launch.shape.dynamic_shared, occupancy.limit));
  }
  const exec::Executable executable(kernel);
  const core::TimedKernel timed(kernel, config_, code_base(kernel));
  core::Launch shared;
  shared.executable = &executable;
  shared.timed = &timed;
  shared.shape = launch.shape;
  shared.params = launch.params.data();
  shared.memory = &memory;
  shared.warps_per_block = occupancy.warps_per_block;
  shared.blocks = occupancy.blocks;
  for (auto& core : cores_) core->begin(shared, cycle_);
  simulate(launch, launch.shape.grid.count());
  ++launches_;
  check_conservation();
}

std::uint64_t Gpu::code_base(const ir::Kernel& kernel) {
  const auto [found, added] = code_bases_.try_emplace(&kernel, next_code_);
  if (added) {
    const std::uint64_t bytes = kernel.code.size() * std::uint64_t{core::kInstructionBytes};
    next_code_ += (bytes + memory::kLineBytes - 1) / memory::kLineBytes * memory::kLineBytes;
  }
  return found->second;
}

void Gpu::simulate(const KernelLaunch& launch, std::uint64_t blocks) {
  next_block_ = 0;
  std::fill(wake_.begin(), wake_.end(), kNever);
  const std::uint64_t first = cycle_;
  std::uint64_t cycle = first;
  for (std::uint64_t steps = 0;; ++steps) {
    if (options_.progress && steps % kStepsBetweenReports == 0) {
      options_.progress(cycle - first, next_block_, blocks);
    }
    distribute(cycle, blocks);
    if (memory_system_.next_event() <= cycle) {
      responses_.clear();
      memory_system_.advance(cycle, responses_);
      for (const memory::Response& response : responses_) {
        cores_[response.core]->respond(response);
        wake_[response.core] = cycle;
      }
    }
    std::uint64_t next = kNever;
    for (std::uint32_t i = 0; i < config_.cores; ++i) {
      core::Core& core = *cores_[i];
      if (wake_[i] <= cycle || !options_.skip_idle_cycles) {
        core.step(cycle);
        wake_[i] = core.next_step(cycle);
      }
      next = std::min(next, wake_[i]);
      if (next_block_ < blocks && core.has_room()) next = cycle + 1;
    }
    if (finished(blocks)) break;
    next = std::min(next, memory_system_.next_event());
    if (next == kNever) fail(launch, "no warp can ever issue again");
    cycle = options_.skip_idle_cycles ? std::max(next, cycle + 1) : cycle + 1;
    if (cycle - first >= options_.max_cycles) {
      fail(launch, fmt::format("not finished after {} cycles (--max-cycles)", options_.max_cycles));
    }
  }
  cycle_ = cycle + 1;
  for (auto& core : cores_) core->end(cycle_);
}

void Gpu::distribute(std::uint64_t cycle, std::uint64_t blocks) {
  for (std::uint32_t i = 0; i < config_.cores && next_block_ < blocks; ++i) {
    if (!cores_[i]->has_room()) continue;
    cores_[i]->account_until(cycle);
    cores_[i]->start_block(next_block_++);
    wake_[i] = cycle;
  }
}

bool Gpu::finished(std::uint64_t blocks) const {
  return next_block_ == blocks &&
         std::all_of(cores_.begin(), cores_.end(), [](const auto& core) { return core->idle(); });
}

void Gpu::fail(const KernelLaunch& launch, const std::string& cause) const {
  for (const auto& core : cores_) {
    if (const auto where = core->stuck_warp()) throw InputError(*where + ": " + cause);
  }
  throw InputError(launch.kernel->file, fmt::format("kernel '{}': {}", launch.kernel->name, cause));
}

void Gpu::check_conservation() const {
  const GpuStatistics total = statistics();
  if (total.memory.requests != total.memory.responses) {
    throw std::logic_error("memory requests and responses differ at the end of a launch");
  }
  std::uint64_t enabled = 0;
  for (unsigned s = 0; s < config_.core.schedulers; ++s) {
    const std::uint64_t interval = config_.core.issue_interval;
    enabled += (cycle_ + interval - 1 - s % interval) / interval * config_.cores;
  }
  if (total.cores.enabled_cycles() != enabled) {
    throw std::logic_error("scheduler states do not add up to the enabled cycles");
  }
}

GpuStatistics Gpu::statistics() const {
  GpuStatistics total;
  total.cycles = cycle_;
  total.launches = launches_;
  for (const auto& core : cores_) total.cores += core->statistics();
  total.memory = memory_system_.statistics();
  return total;
}

}  // namespace paws
