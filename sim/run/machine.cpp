// SPDX-License-Identifier: MIT
#include "sim/run/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "sim/observe/fan_out.h"
#include "sim/observe/line_profile.h"
#include "sim/observe/queue_observer.h"
#include "sim/observe/warp_series.h"
#include "sim/run/engine.h"
#include "sim/run/provenance.h"
#include "sim/run/reproduce.h"
#include "sim/run/subject.h"
#include "sim/sanitize/checking_runner.h"
#include "sim/sass/trace_writer.h"
#include "sim/support/error.h"

namespace paws {
namespace {

using ModuleName = std::function<std::string(const KernelLaunch&)>;

void warn(const SimulationRequest& request, const std::string& warning) {
  if (request.warn) request.warn(warning);
}

/// Passes launches on, notes how each kernel fills a core, and tells progress.
class ReportingRunner : public KernelRunner {
 public:
  ReportingRunner(KernelRunner& runner, const SimulationRequest& request, const GpuConfig& config,
                  ModuleName module_name)
      : runner_(runner), request_(request), config_(config), module_name_(std::move(module_name)) {}
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    run_together({&launch, 1}, memory);
  }
  void run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) override {
    if (launches.size() > 1 && (request_.options.observe || request_.samples)) {
      launches.front().where.fail(
          "traces, waves and samples show one launch at a time: this step has several");
    }
    for (const KernelLaunch& launch : launches) {
      launch_modules_.push_back(module_name_(launch));
      note_occupancy(launch);
      if (request_.progress) request_.progress(this->launches(), launch.kernel->name);
    }
    runner_.run_together(launches, memory);
  }
  [[nodiscard]] std::uint64_t launches() const { return launch_modules_.size(); }
  /// The module of each launch; empty names when the workload has one module.
  [[nodiscard]] const std::vector<std::string>& launch_modules() const { return launch_modules_; }
  [[nodiscard]] const std::vector<KernelOccupancy>& kernels() const { return kernels_; }

 private:
  void note_occupancy(const KernelLaunch& launch) {
    const ir::Kernel& kernel = *launch.kernel;
    KernelOccupancy entry;
    entry.kernel = kernel.name;
    entry.module = launch_modules_.back();
    entry.threads = static_cast<unsigned>(launch.shape.block.count());
    entry.registers = core::thread_registers(kernel, launch.shape, config_.frontend.register_file);
    entry.shared_bytes = kernel.shared_bytes + launch.shape.dynamic_shared;
    const bool known = std::any_of(kernels_.begin(), kernels_.end(), [&](const auto& other) {
      return other.kernel == entry.kernel && other.module == entry.module &&
             other.threads == entry.threads && other.registers.held == entry.registers.held &&
             other.shared_bytes == entry.shared_bytes;
    });
    if (known) return;
    entry.occupancy = core::occupancy(kernel, launch.shape, config_);
    if (request_.timing && entry.registers.bound == kBlockBound) {
      note_spills(launch, entry);
    }
    kernels_.push_back(std::move(entry));
  }

  /// Spills that the size of a block causes deserve a note: no directive of the kernel asks for
  /// them.
  void note_spills(const KernelLaunch& launch, const KernelOccupancy& entry) const {
    const bool described = !launch.where.file.empty();
    warn(request_,
         fmt::format(
             "{}:{}: note: kernel '{}': a block of {} threads leaves each {} registers; {} "
             "more are taken to be spilled, at no cost in cycles (docs/reference/simulator.md)",
             described ? launch.where.file : launch.kernel->file,
             described ? launch.where.line : launch.kernel->line, entry.kernel, entry.threads,
             entry.registers.held, entry.registers.spilled));
  }

  KernelRunner& runner_;
  const SimulationRequest& request_;
  const GpuConfig& config_;
  ModuleName module_name_;
  std::vector<KernelOccupancy> kernels_;
  std::vector<std::string> launch_modules_;
};

/// What is watched in a run, besides what request.options.observe watches.
class Watches {
 public:
  Watches(const SimulationRequest& request, const SchedulerConfig& scheduler, std::uint32_t cores) {
    if (request.queues && scheduler.level == Level::two_level) queues_.emplace(cores);
    if (request.samples) samples_.emplace(*request.samples, cores);
    if (request.profile) profile_.emplace(cores);
    if (request.warps) warps_.emplace(cores);
  }

  /// `observe` and the watches together.
  [[nodiscard]] observe::ObserverFactory with(observe::ObserverFactory observe) {
    auto add = [&observe](auto& watch) {
      if (!watch) return;
      observe = observe::both(std::move(observe),
                              [&watch](std::uint32_t core) { return watch->observer(core); });
    };
    add(queues_);
    add(samples_);
    add(profile_);
    add(warps_);
    return observe;
  }

  void report(SimulationResult& result) const {
    if (queues_) result.statistics.queues = queues_->total();
    if (samples_) result.samples = samples_->csv();
    if (profile_) result.profile = profile_->total();
    if (warps_) result.warps = warps_->total();
  }

 private:
  std::optional<observe::QueueWatch> queues_;
  std::optional<observe::SampleTable> samples_;
  std::optional<observe::LineProfile> profile_;
  std::optional<observe::WarpWatch> warps_;
};

/// Of a launch without timing.
std::uint64_t max_instructions(const SimulationRequest& request,
                               const std::optional<std::uint64_t>& max_cycles) {
  using exec::FunctionalRunner;
  if (request.max_instructions) return *request.max_instructions;
  if (max_cycles) return *max_cycles * FunctionalRunner::kInstructionsPerCycle;
  return FunctionalRunner::kDefaultMaxInstructions;
}

}  // namespace

struct Machine::Parts {
  explicit Parts(const SimulationRequest& asked)
      : request(asked),
        config(gpu_of(asked)),
        scheduler(scheduler_config(config, asked.scheduler)),
        factory(engine_factory(asked.engine, scheduler, mismatch_command(asked))),
        watches(asked, scheduler, config.cores) {}

  const SimulationRequest& request;
  GpuConfig config;
  SchedulerConfig scheduler;
  core::SchedulerFactory factory;
  Watches watches;
  sanitize::Report found;
  std::optional<Gpu> gpu;
  std::optional<exec::FunctionalRunner> functional;
  std::optional<sanitize::CheckingRunner> checking;
  std::optional<sass::TraceWriter> writer;
  std::optional<ReportingRunner> runner;
};

Machine::Machine(const SimulationRequest& request) : parts_(std::make_unique<Parts>(request)) {}
Machine::~Machine() = default;

const GpuConfig& Machine::config() const { return parts_->config; }

void Machine::start(std::optional<std::uint64_t> max_cycles, ModuleName module_name) {
  Parts& parts = *parts_;
  const SimulationRequest& request = parts.request;
  GpuOptions options = request.options;
  options.block_scheduler = block_scheduler(request.blocks, parts.config.distributor);
  options.filter = throttle_factory(request.throttle, parts.config);
  options.block_monitor = block_monitor_factory(request.engine, rerun_command(request));
  options.subwarp_packer = subwarp_packer_factory(request.engine, rerun_command(request));
  options.branch_masks = branch_masks_factory(request.engine, rerun_command(request));
  options.observe = parts.watches.with(std::move(options.observe));
  options.max_cycles = request.max_cycles.value_or(max_cycles.value_or(options.max_cycles));
  parts.functional.emplace(max_instructions(request, max_cycles), request.options.interrupted);
  parts.functional->quick(request.quick);
  parts.functional->use_threads(request.options.threads);
  parts.functional->use_rows(parts.config.core.warp_rows);
  parts.functional->yield_after(parts.config.frontend.yield_after);
  if (const auto& progress = request.options.progress) {
    parts.functional->report_to(
        [&progress](std::uint64_t ended, std::uint64_t blocks) { progress(0, ended, blocks); });
  }
  options.functional = &*parts.functional;
  if (request.timing) parts.gpu.emplace(parts.config, parts.scheduler, parts.factory, options);
  KernelRunner& executing = parts.gpu ? static_cast<KernelRunner&>(*parts.gpu) : *parts.functional;
  if (request.check) parts.checking.emplace(executing, parts.found);
  KernelRunner* passed_to = &executing;
  if (parts.checking) passed_to = &*parts.checking;
  if (!request.write_traces.empty()) {
    const auto registers = [&parts](const KernelLaunch& launch) {
      return core::thread_registers(*launch.kernel, launch.shape,
                                    parts.config.frontend.register_file)
          .held;
    };
    const SubjectName subject = name_of_subject(request);
    parts.writer.emplace(request.write_traces, *passed_to, registers,
                         as_line(provenance_of(request, subject.name, subject.seed)));
    passed_to = &*parts.writer;
  }
  parts.runner.emplace(*passed_to, request, parts.config, std::move(module_name));
}

void Machine::run(const KernelLaunch& launch, DeviceMemory& memory) {
  run_together({&launch, 1}, memory);
}

void Machine::run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) {
  try {
    parts_->runner->run_together(launches, memory);
  } catch (const LockstepMismatch& mismatch) {
    throw CheckError(mismatch.what());
  } catch (const ContractViolation& violation) {
    throw CheckError(violation.what());
  }
}

void Machine::finish() {
  if (parts_->writer) parts_->writer->finish();
}

void Machine::run_for_values(const KernelLaunch& launch, DeviceMemory& memory, bool touch) {
  if (touch && parts_->gpu) {
    parts_->gpu->run_for_values(launch, memory);
  } else {
    parts_->functional->run(launch, memory);
  }
}

std::uint64_t Machine::warp_instructions_for_values() const {
  return parts_->functional->warp_instructions();
}

std::uint64_t Machine::cycles() const { return parts_->gpu ? parts_->gpu->cycles() : 0; }

const LaunchStatistics* Machine::last_launch() const {
  if (!parts_->gpu || parts_->gpu->launches().empty()) return nullptr;
  return &parts_->gpu->launches().back();
}

const sanitize::Report& Machine::found() const { return parts_->found; }

void Machine::report(SimulationResult& result) const {
  const Parts& parts = *parts_;
  const SimulationRequest& request = parts.request;
  result.gpu = parts.config.name;
  result.scheduler = scheduler_name(parts.scheduler);
  result.policy_parameters = policy_parameters(parts.scheduler);
  result.engine = request.engine;
  result.blocks = request.blocks;
  result.throttle = request.throttle;
  result.timed = request.timing;
  if (parts.gpu) {
    result.statistics = parts.gpu->statistics();
    parts.watches.report(result);
    result.warp_instructions = result.statistics.cores.warp_instructions();
    result.thread_instructions = result.statistics.cores.thread_instructions();
  } else if (parts.functional) {
    result.warp_instructions = parts.functional->warp_instructions();
    result.thread_instructions = parts.functional->thread_instructions();
  }
  if (parts.runner) {
    result.launches = parts.runner->launches();
    result.kernels = parts.runner->kernels();
    result.launch_modules = parts.runner->launch_modules();
  }
  if (request.check) result.check = parts.found;
  result.cores = parts.config.cores;
}

}  // namespace paws
