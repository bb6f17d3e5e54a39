// SPDX-License-Identifier: MIT
#include "sim/run/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "sim/observe/fan_out.h"
#include "sim/observe/queue_observer.h"
#include "sim/run/engine.h"
#include "sim/run/reproduce.h"
#include "sim/run/subject.h"
#include "sim/sanitize/checking_runner.h"
#include "sim/sass/trace_writer.h"
#include "sim/support/error.h"

namespace paws {
namespace {

void warn(const SimulationRequest& request, const std::string& warning) {
  if (request.warn) request.warn(warning);
}

/// Passes launches on, notes how each kernel fills a core, and tells progress.
class ReportingRunner : public KernelRunner {
 public:
  ReportingRunner(KernelRunner& runner, const SimulationRequest& request, const GpuConfig& config,
                  const Subject& subject)
      : runner_(runner), request_(request), config_(config), subject_(subject) {}
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    run_together({&launch, 1}, memory);
  }
  void run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) override {
    if (launches.size() > 1 && (request_.options.observe || request_.samples)) {
      launches.front().where.fail(
          "traces, waves and samples show one launch at a time: this step has several");
    }
    for (const KernelLaunch& launch : launches) {
      launch_modules_.push_back(module_of(launch));
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
  [[nodiscard]] std::string module_of(const KernelLaunch& launch) const {
    if (subject_.modules.size() == 1) return "";
    return subject_.module_names[static_cast<std::size_t>(launch.module - subject_.modules.data())];
  }

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
  const Subject& subject_;
  std::vector<KernelOccupancy> kernels_;
  std::vector<std::string> launch_modules_;
};

/// What is watched in a run, besides what request.options.observe watches.
class Watches {
 public:
  Watches(const SimulationRequest& request, const SchedulerConfig& scheduler, std::uint32_t cores) {
    if (request.queues && scheduler.level == Level::two_level) queues_.emplace(cores);
    if (request.samples) samples_.emplace(*request.samples, cores);
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
    return observe;
  }

  void report(SimulationResult& result) const {
    if (queues_) result.statistics.queues = queues_->total();
    if (samples_) result.samples = samples_->csv();
  }

 private:
  std::optional<observe::QueueWatch> queues_;
  std::optional<observe::SampleTable> samples_;
};

/// Throws InputError for what schedulers that change their policy do not have.
void check_adaptation(const SimulationRequest& request) {
  if (request.engine != "model") {
    throw InputError(
        fmt::format("--adapt {}: schedulers that change their policy live in the model alone: use "
                    "--engine model",
                    request.adapt));
  }
  if (request.options.observe) {
    throw InputError(
        fmt::format("--adapt {}: traces and waves show schedulers with one policy", request.adapt));
  }
}

}  // namespace

double SimulationResult::rate() const {
  if (host_seconds <= 0) return 0;
  const auto work = timed ? statistics.cycles * cores : thread_instructions;
  return static_cast<double>(work) / host_seconds;
}

GpuConfig gpu_of(const SimulationRequest& request) {
  GpuConfig config = load_gpu(request.gpu);
  for (const std::string& setting : request.settings) set_key(config, setting);
  check(config);
  return config;
}

SimulationResult simulate(const SimulationRequest& request) {
  const GpuConfig config = gpu_of(request);
  const SchedulerConfig scheduler = scheduler_config(config, request.scheduler);
  const AdaptationFactory adaptation = adaptation_factory(request.adapt, config, scheduler);
  if (adaptation) check_adaptation(request);
  const core::SchedulerFactory factory =
      adaptation ? core::SchedulerFactory(make_switching)
                 : engine_factory(request.engine, scheduler, mismatch_command(request));
  const Subject subject = subject_of(request, config);
  for (const ir::Module& module : subject.modules) {
    for (const std::string& warning : module.warnings) warn(request, warning);
  }

  Watches watches(request, scheduler, config.cores);
  GpuOptions options = request.options;
  options.block_scheduler = block_scheduler(request.blocks, config.distributor);
  options.adaptation = adaptation;
  options.filter = throttle_factory(request.throttle, config);
  options.block_monitor = block_monitor_factory(request.engine, rerun_command(request));
  options.subwarp_packer = subwarp_packer_factory(request.engine, rerun_command(request));
  options.branch_masks = branch_masks_factory(request.engine, rerun_command(request));
  options.observe = watches.with(std::move(options.observe));
  options.max_cycles = request.max_cycles.value_or(subject.max_cycles.value_or(options.max_cycles));
  std::optional<Gpu> gpu;
  exec::FunctionalRunner functional(instruction_limit(request, subject),
                                    request.options.interrupted);
  functional.use_rows(config.core.warp_rows);
  if (request.timing) gpu.emplace(config, scheduler, factory, options);
  KernelRunner& executing = gpu ? static_cast<KernelRunner&>(*gpu) : functional;
  sanitize::Report found;
  sanitize::CheckingRunner checking(executing, found);
  KernelRunner* passed_to = request.check ? static_cast<KernelRunner*>(&checking) : &executing;
  std::optional<sass::TraceWriter> writer;
  if (!request.write_traces.empty()) {
    writer.emplace(request.write_traces, *passed_to, [&config](const KernelLaunch& launch) {
      return core::thread_registers(*launch.kernel, launch.shape, config.frontend.register_file)
          .held;
    });
    passed_to = &*writer;
  }
  ReportingRunner runner(*passed_to, request, config, subject);
  DeviceMemory memory;
  const auto start = std::chrono::steady_clock::now();
  WorkloadReport report;
  try {
    report = subject.run(subject.modules, runner, memory);
  } catch (const LockstepMismatch& mismatch) {
    throw CheckError(mismatch.what());
  } catch (const ContractViolation& violation) {
    throw CheckError(violation.what());
  } catch (...) {
    if (request.found_before_failure != nullptr) *request.found_before_failure = std::move(found);
    throw;
  }
  if (writer) writer->finish();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  SimulationResult result;
  result.workload = subject.name;
  result.trace = subject.trace;
  result.gpu = config.name;
  result.scheduler = scheduler_name(scheduler);
  result.policy_parameters = policy_parameters(scheduler);
  result.engine = request.engine;
  result.blocks = request.blocks;
  result.throttle = request.throttle;
  result.adapt = request.adapt;
  result.timed = request.timing;
  if (gpu) {
    result.statistics = gpu->statistics();
    watches.report(result);
    result.warp_instructions = result.statistics.cores.warp_instructions();
    result.thread_instructions = result.statistics.cores.thread_instructions();
  } else {
    result.warp_instructions = functional.warp_instructions();
    result.thread_instructions = functional.thread_instructions();
  }
  result.launches = runner.launches();
  result.kernels = runner.kernels();
  result.launch_modules = runner.launch_modules();
  result.verified = report.verified;
  if (request.check) result.check = std::move(found);
  result.messages = report.messages;
  result.host_seconds = seconds.count();
  result.cores = config.cores;
  result.seed = subject.seed;
  return result;
}

}  // namespace paws
