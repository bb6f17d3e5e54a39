// SPDX-License-Identifier: MIT
#include "sim/cli/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sim/cli/check_report.h"
#include "sim/cli/compile.h"
#include "sim/cli/engine.h"
#include "sim/cli/reproduce.h"
#include "sim/launch/modules.h"
#include "sim/launch/run.h"
#include "sim/observe/fan_out.h"
#include "sim/observe/queue_observer.h"
#include "sim/sanitize/checking_runner.h"
#include "sim/stats/statistics_table.h"
#include "tb/engine/rtl_engine.h"
#include "tb/lockstep/lockstep.h"

namespace paws::cli {
namespace {

/// Passes launches on and tells progress.
class ReportingRunner : public KernelRunner {
 public:
  ReportingRunner(KernelRunner& runner, const SimulationRequest& request, const GpuConfig& config,
                  const Workload& workload, const std::vector<ir::Module>& modules)
      : runner_(runner),
        request_(request),
        config_(config),
        workload_(workload),
        modules_(modules) {}
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    launch_modules_.push_back(module_of(launch));
    note_occupancy(launch);
    if (request_.progress) request_.progress(launches(), launch.kernel->name);
    runner_.run(launch, memory);
  }
  [[nodiscard]] std::uint64_t launches() const { return launch_modules_.size(); }
  /// The module of each launch; empty names when the workload has one module.
  [[nodiscard]] const std::vector<std::string>& launch_modules() const { return launch_modules_; }
  [[nodiscard]] const std::vector<KernelOccupancy>& kernels() const { return kernels_; }

 private:
  [[nodiscard]] std::string module_of(const KernelLaunch& launch) const {
    if (modules_.size() == 1) return "";
    return workload_.modules[static_cast<std::size_t>(launch.module - modules_.data())].name;
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
    if (request_.timing && entry.registers.bound == frontend::kBlockBound) {
      note_spills(launch, entry);
    }
    kernels_.push_back(std::move(entry));
  }

  /// Nobody asked for what the size of a block costs, unlike for what a directive does.
  void note_spills(const KernelLaunch& launch, const KernelOccupancy& entry) const {
    const bool described = !launch.where.file.empty();
    request_.warn(
        fmt::format("{}:{}: note: kernel '{}': a block of {} threads leaves each {} registers; {} "
                    "more are taken to be spilled, at no cost in cycles (docs/simulator.md)",
                    described ? launch.where.file : launch.kernel->file,
                    described ? launch.where.line : launch.kernel->line, entry.kernel,
                    entry.threads, entry.registers.held, entry.registers.spilled));
  }

  KernelRunner& runner_;
  const SimulationRequest& request_;
  const GpuConfig& config_;
  const Workload& workload_;
  const std::vector<ir::Module>& modules_;
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

nlohmann::json json_of(const StatisticValue& value) {
  return std::visit([](auto number) { return nlohmann::json(number); }, value);
}

template <typename Figures>
void add_statistics(nlohmann::json& json, const StatisticGroup<Figures>& group,
                    const Figures& figures) {
  for (const Statistic<Figures>& statistic : group.statistics) {
    // Of what differs from run to run, host_seconds says it all.
    if (statistic.of_host) continue;
    if (const auto value = statistic.value(figures)) json[statistic.name] = json_of(*value);
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
  const core::SchedulerFactory factory =
      engine_factory(request.engine, scheduler, mismatch_command(request));
  const Workload workload = named_workload(request.workload, request.load);
  const std::vector<ir::Module> modules = compile_modules(workload, config.frontend);
  for (const ir::Module& module : modules) {
    for (const std::string& warning : module.warnings) request.warn(warning);
  }

  Watches watches(request, scheduler, config.cores);
  GpuOptions options = request.options;
  options.observe = watches.with(std::move(options.observe));
  std::optional<Gpu> gpu;
  exec::FunctionalRunner functional(request.max_instructions, request.options.interrupted);
  if (request.timing) gpu.emplace(config, scheduler, factory, options);
  KernelRunner& executing = gpu ? static_cast<KernelRunner&>(*gpu) : functional;
  sanitize::Report found;
  sanitize::CheckingRunner checking(executing, found);
  ReportingRunner runner(request.check ? checking : executing, request, config, workload, modules);
  DeviceMemory memory;
  const auto start = std::chrono::steady_clock::now();
  WorkloadReport report;
  try {
    report = run_workload(workload, modules, runner, memory);
  } catch (const LockstepMismatch& mismatch) {
    throw CheckError(mismatch.what());
  } catch (const ContractViolation& violation) {
    throw CheckError(violation.what());
  } catch (...) {
    if (request.found_before_failure != nullptr) *request.found_before_failure = std::move(found);
    throw;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  SimulationResult result;
  result.workload = workload.name;
  result.gpu = config.name;
  result.scheduler = scheduler_name(scheduler);
  result.engine = request.engine;
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
  result.seed = workload.seed;
  return result;
}

const std::vector<RunField>& run_fields() {
  using Result = const SimulationResult&;
  using Json = nlohmann::json;
  static const std::vector<RunField> fields{
      {"workload", "Name of the workload.", [](Result r) { return Json(r.workload); }},
      {"gpu", "Name of the GPU configuration.", [](Result r) { return Json(r.gpu); }},
      {"seed", "Seed of the workload's random buffers.", [](Result r) { return Json(r.seed); }},
      {"timing", "Whether the run simulated schedulers and cycles (`--timing`).",
       [](Result r) { return Json(r.timed); }},
      {"verified", "Whether the results are right; null if the workload has no expected results.",
       [](Result r) { return r.verified ? Json(*r.verified) : Json(nullptr); }},
      {"launches", "Kernel launches.", [](Result r) { return Json(r.launches); }},
      {"instructions", "Thread instructions (gpu_tot_sim_insn).",
       [](Result r) { return Json(r.thread_instructions); }},
      {"warp_instructions", "Warp instructions (gpgpu_n_tot_w_icount).",
       [](Result r) { return Json(r.warp_instructions); }},
      {"host_seconds", "Host seconds that the simulation took.",
       [](Result r) { return Json(r.host_seconds); }, false, true},
      {"scheduler", "Level and policy of the scheduler.",
       [](Result r) { return Json(r.scheduler); }, true},
      {"engine", "The engine that made the decisions: rtl, model or lockstep.",
       [](Result r) { return Json(r.engine); }, true},
      {"cycles", "Core cycles (gpu_tot_sim_cycle).",
       [](Result r) { return Json(r.statistics.cycles); }, true},
      {"ipc", "Thread instructions per core cycle (gpu_tot_ipc).",
       [](Result r) { return Json(r.statistics.ipc()); }, true},
      {"blocks", "Thread blocks completed.",
       [](Result r) { return Json(r.statistics.cores.blocks); }, true}};
  return fields;
}

nlohmann::json to_json(const SimulationResult& result) {
  nlohmann::json json;
  for (const RunField& field : run_fields()) {
    if (result.timed || !field.needs_timing) json[field.name] = field.value(result);
  }
  nlohmann::json& kernels = json["kernels"] = nlohmann::json::array();
  for (const KernelOccupancy& kernel : result.kernels) {
    kernels.push_back({{"kernel", kernel.kernel},
                       {"threads_per_block", kernel.threads},
                       {"registers_per_thread", kernel.registers.held},
                       {"spilled_registers", kernel.registers.spilled},
                       {"register_bound", kernel.registers.bound},
                       {"shared_bytes", kernel.shared_bytes},
                       {"blocks_per_core", kernel.occupancy.blocks},
                       {"limit", kernel.occupancy.limit}});
    if (!kernel.module.empty()) kernels.back()["module"] = kernel.module;
  }
  if (result.check) json["check"] = to_json(*result.check);
  if (!result.timed) return json;
  const RunFigures figures{result.statistics, result.host_seconds};
  for (const auto& group : run_statistics()) add_statistics(json, group, figures);
  nlohmann::json& launches = json["per_launch"] = nlohmann::json::array();
  for_each_launch(result.statistics, [&](const LaunchFigures& launch) {
    const std::string& module = result.launch_modules[launches.size()];
    nlohmann::json entry;
    entry["kernel_name"] = launch.launch.kernel;
    if (!module.empty()) entry["module"] = module;
    add_statistics(entry, launch_statistics(), launch);
    launches.push_back(std::move(entry));
  });
  return json;
}

std::vector<std::pair<std::string, std::string>> to_columns(const SimulationResult& result) {
  std::vector<std::pair<std::string, std::string>> columns;
  auto add = [&columns](const std::string& name, const nlohmann::json& value) {
    std::string text;
    if (value.is_string()) {
      text = value.get<std::string>();
    } else if (!value.is_null()) {
      text = value.dump();
    }
    columns.emplace_back(name, std::move(text));
  };
  for (const RunField& field : run_fields()) {
    if (!field.of_host) add(field.name, field.value(result));
  }
  const RunFigures figures{result.statistics, result.host_seconds};
  for (const auto& group : run_statistics()) {
    for (const Statistic<RunFigures>& statistic : group.statistics) {
      if (statistic.of_host) continue;
      const auto value = statistic.value(figures);
      add(statistic.name, value ? json_of(*value) : nlohmann::json(nullptr));
    }
  }
  return columns;
}

}  // namespace paws::cli
