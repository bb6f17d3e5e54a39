#include "sim/cli/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "sim/cli/engine.h"
#include "sim/exec/functional_runner.h"
#include "sim/frontend/frontend.h"
#include "sim/launch/kernel_name.h"
#include "sim/launch/run.h"
#include "tb/engine/rtl_engine.h"
#include "tb/lockstep/lockstep.h"

namespace paws::cli {
namespace {

/// Passes launches on and tells progress.
class ReportingRunner : public KernelRunner {
 public:
  ReportingRunner(KernelRunner& runner, const SimulationRequest& request, const GpuConfig& config)
      : runner_(runner), request_(request), config_(config) {}
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    ++launches_;
    note_occupancy(launch);
    if (request_.progress) request_.progress(launches_, launch.kernel->name);
    runner_.run(launch, memory);
  }
  [[nodiscard]] std::uint64_t launches() const { return launches_; }
  [[nodiscard]] const std::vector<KernelOccupancy>& kernels() const { return kernels_; }

 private:
  void note_occupancy(const KernelLaunch& launch) {
    const ir::Kernel& kernel = *launch.kernel;
    KernelOccupancy entry;
    entry.kernel = kernel.name;
    entry.threads = static_cast<unsigned>(launch.shape.block.count());
    entry.registers = kernel.registers_per_thread;
    entry.spilled_registers = kernel.spilled_registers;
    if (launch.shape.registers != 0) {
      entry.registers = launch.shape.registers;
      entry.spilled_registers = 0;
    }
    entry.shared_bytes = kernel.shared_bytes + launch.shape.dynamic_shared;
    const bool known = std::any_of(kernels_.begin(), kernels_.end(), [&](const auto& other) {
      return other.kernel == entry.kernel && other.threads == entry.threads &&
             other.registers == entry.registers && other.shared_bytes == entry.shared_bytes;
    });
    if (known) return;
    entry.occupancy = core::occupancy(kernel, launch.shape, config_);
    kernels_.push_back(std::move(entry));
  }

  KernelRunner& runner_;
  const SimulationRequest& request_;
  const GpuConfig& config_;
  std::vector<KernelOccupancy> kernels_;
  std::uint64_t launches_ = 0;
};

/// Compiles the kernels that the workload launches; what else the file holds need not be supported.
ir::Module compile(const Workload& workload, frontend::FrontendOptions options) {
  const std::set<std::string> names = launched_kernels(workload);
  options.wanted = [&names](const std::string& kernel) {
    return std::any_of(names.begin(), names.end(),
                       [&kernel](const std::string& name) { return can_mean(name, kernel); });
  };
  ir::Module module = frontend::compile_file(workload.ptx.string(), options);
  const bool all_found = std::all_of(names.begin(), names.end(), [&module](const auto& name) {
    return std::any_of(module.kernels.begin(), module.kernels.end(),
                       [&name](const ir::Kernel& kernel) { return can_mean(name, kernel.name); });
  });
  if (all_found) return module;
  // A message about a name that is not there lists those that are.
  options.wanted = nullptr;
  return frontend::compile_file(workload.ptx.string(), options);
}

}  // namespace

std::string workload_folder() { return PAWS_WORKLOAD_DIR; }

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
  const core::SchedulerFactory factory = engine_factory(request.engine, scheduler);
  LoadOptions load = request.load;
  load.ptx_directories.emplace_back(PAWS_PTX_DIR);
  const Workload workload = load_workload(find_workload(request.workload, workload_folder()), load);
  const ir::Module module = compile(workload, config.frontend);

  std::optional<Gpu> gpu;
  exec::FunctionalRunner functional(exec::FunctionalRunner::kDefaultMaxInstructions,
                                    request.options.interrupted);
  if (request.timing) gpu.emplace(config, scheduler, factory, request.options);
  ReportingRunner runner(gpu ? static_cast<KernelRunner&>(*gpu) : functional, request, config);
  DeviceMemory memory;
  const auto start = std::chrono::steady_clock::now();
  WorkloadReport report;
  try {
    report = run_workload(workload, module, runner, memory);
  } catch (const LockstepMismatch& mismatch) {
    throw CheckError(mismatch.what());
  } catch (const ContractViolation& violation) {
    throw CheckError(violation.what());
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
    result.warp_instructions = result.statistics.cores.warp_instructions();
    result.thread_instructions = result.statistics.cores.thread_instructions();
  } else {
    result.warp_instructions = functional.warp_instructions();
    result.thread_instructions = functional.thread_instructions();
  }
  result.launches = runner.launches();
  result.kernels = runner.kernels();
  result.verified = report.verified;
  result.messages = report.messages;
  result.host_seconds = seconds.count();
  result.cores = config.cores;
  result.seed = workload.seed;
  return result;
}

nlohmann::json to_json(const SimulationResult& result) {
  const GpuStatistics& statistics = result.statistics;
  const CoreStatistics& cores = statistics.cores;
  nlohmann::json json;
  json["workload"] = result.workload;
  json["gpu"] = result.gpu;
  json["instructions"] = result.thread_instructions;
  json["warp_instructions"] = result.warp_instructions;
  json["launches"] = result.launches;
  nlohmann::json& kernels = json["kernels"] = nlohmann::json::array();
  for (const KernelOccupancy& kernel : result.kernels) {
    kernels.push_back({{"kernel", kernel.kernel},
                       {"threads_per_block", kernel.threads},
                       {"registers_per_thread", kernel.registers},
                       {"spilled_registers", kernel.spilled_registers},
                       {"shared_bytes", kernel.shared_bytes},
                       {"blocks_per_core", kernel.occupancy.blocks},
                       {"limit", kernel.occupancy.limit}});
  }
  json["verified"] = result.verified ? nlohmann::json(*result.verified) : nlohmann::json(nullptr);
  json["host_seconds"] = result.host_seconds;
  json["seed"] = result.seed;
  json["timing"] = result.timed;
  if (!result.timed) return json;
  json["scheduler"] = result.scheduler;
  json["engine"] = result.engine;
  json["cycles"] = statistics.cycles;
  json["ipc"] = statistics.ipc();
  json["idle_fraction"] = cores.idle_fraction();
  json["blocks"] = cores.blocks;
  nlohmann::json& states = json["scheduler_cycles"];
  const char* const names[kSchedulerStates] = {"no_instruction", "operand", "pipeline",
                                               "outside_ready", "issued"};
  for (unsigned i = 0; i < kSchedulerStates; ++i) states[names[i]] = cores.scheduler_cycles[i];
  json["icache"] = {{"accesses", cores.icache_accesses},
                    {"misses", cores.icache_misses},
                    {"pending_hits", cores.icache_pending_hits}};
  json["operands"] = {{"conflict_cycles", cores.operand_conflict_cycles}};
  json["l1"] = {{"accesses", cores.l1_accesses},
                {"misses", cores.l1_misses},
                {"pending_hits", cores.l1_pending_hits},
                {"reservation_fails", cores.l1_reservation_fails},
                {"l2_stop_cycles", cores.l2_stop_cycles}};
  json["l2"] = {{"accesses", statistics.memory.l2_accesses},
                {"misses", statistics.memory.l2_misses},
                {"pending_hits", statistics.memory.l2_pending_hits},
                {"queue_peak", statistics.memory.l2_queue_peak}};
  json["dram"] = {{"reads", statistics.memory.dram_reads},
                  {"writes", statistics.memory.dram_writes},
                  {"row_hits", statistics.memory.dram_row_hits},
                  {"queue_peak", statistics.memory.dram_queue_peak}};
  json["shared"] = {{"accesses", cores.shared_accesses},
                    {"conflict_cycles", cores.shared_conflict_cycles}};
  return json;
}

}  // namespace paws::cli
