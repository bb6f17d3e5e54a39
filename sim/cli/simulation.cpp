#include "sim/cli/simulation.h"

#include <fmt/format.h>

#include <chrono>

#include "sim/cli/engine.h"
#include "sim/frontend/frontend.h"
#include "sim/launch/run.h"
#include "tb/lockstep/lockstep.h"

namespace paws::cli {
namespace {

/// Passes launches on to the GPU and tells progress.
class ReportingRunner : public KernelRunner {
 public:
  ReportingRunner(Gpu& gpu, const SimulationRequest& request) : gpu_(gpu), request_(request) {}
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    ++launches_;
    if (request_.progress) request_.progress(launches_, launch.kernel->name);
    gpu_.run(launch, memory);
  }

 private:
  Gpu& gpu_;
  const SimulationRequest& request_;
  std::uint64_t launches_ = 0;
};

}  // namespace

std::string workload_folder() { return PAWS_WORKLOAD_DIR; }

double SimulationResult::rate() const {
  return host_seconds > 0 ? static_cast<double>(statistics.cycles) * cores / host_seconds : 0;
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
  const ir::Module module = frontend::compile_file(workload.ptx.string(), config.frontend);

  Gpu gpu(config, scheduler, factory, request.options);
  ReportingRunner runner(gpu, request);
  DeviceMemory memory;
  const auto start = std::chrono::steady_clock::now();
  WorkloadReport report;
  try {
    report = run_workload(workload, module, runner, memory);
  } catch (const LockstepMismatch& mismatch) {
    throw CheckError(mismatch.what());
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  SimulationResult result;
  result.workload = workload.name;
  result.gpu = config.name;
  result.scheduler = scheduler_name(scheduler);
  result.engine = request.engine;
  result.statistics = gpu.statistics();
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
  json["scheduler"] = result.scheduler;
  json["engine"] = result.engine;
  json["cycles"] = statistics.cycles;
  json["instructions"] = cores.thread_instructions();
  json["warp_instructions"] = cores.warp_instructions();
  json["ipc"] = statistics.ipc();
  json["idle_fraction"] = cores.idle_fraction();
  json["verified"] = result.verified ? nlohmann::json(*result.verified) : nlohmann::json(nullptr);
  json["host_seconds"] = result.host_seconds;
  json["seed"] = result.seed;
  json["launches"] = statistics.launches;
  json["blocks"] = cores.blocks;
  nlohmann::json& states = json["scheduler_cycles"];
  const char* const names[kSchedulerStates] = {"no_instruction", "operand", "pipeline",
                                               "outside_ready", "issued"};
  for (unsigned i = 0; i < kSchedulerStates; ++i) states[names[i]] = cores.scheduler_cycles[i];
  json["l1"] = {{"accesses", cores.l1_accesses},
                {"misses", cores.l1_misses},
                {"pending_hits", cores.l1_pending_hits},
                {"reservation_fails", cores.l1_reservation_fails}};
  json["l2"] = {{"accesses", statistics.memory.l2_accesses},
                {"misses", statistics.memory.l2_misses},
                {"pending_hits", statistics.memory.l2_pending_hits}};
  json["dram"] = {{"reads", statistics.memory.dram_reads},
                  {"writes", statistics.memory.dram_writes},
                  {"row_hits", statistics.memory.dram_row_hits}};
  json["shared"] = {{"accesses", cores.shared_accesses},
                    {"conflict_cycles", cores.shared_conflict_cycles}};
  return json;
}

}  // namespace paws::cli
