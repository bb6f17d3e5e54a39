// SPDX-License-Identifier: MIT
#include "sim/run/simulation.h"

#include <chrono>
#include <utility>

#include "sim/launch/modules.h"
#include "sim/launch/run.h"
#include "sim/run/compile.h"
#include "sim/run/machine.h"
#include "sim/support/error.h"

namespace paws {

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
  Machine machine(request);
  const Workload workload = named_workload(request.workload, request.load);
  const std::vector<ir::Module> modules = compile_modules(workload, {machine.config().frontend});
  for (const ir::Module& module : modules) {
    for (const std::string& warning : module.warnings) {
      if (request.warn) request.warn(warning);
    }
  }
  machine.start(workload.max_cycles, [&](const KernelLaunch& launch) -> std::string {
    if (modules.size() == 1) return "";
    return workload.modules[static_cast<std::size_t>(launch.module - modules.data())].name;
  });
  DeviceMemory memory;
  memory.print_to(request.print);
  const auto start = std::chrono::steady_clock::now();
  WorkloadReport report;
  try {
    report = run_workload(workload, modules, machine, memory);
  } catch (const CheckError&) {
    throw;
  } catch (...) {
    if (request.found_before_failure != nullptr) *request.found_before_failure = machine.found();
    throw;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  SimulationResult result;
  result.workload = workload.name;
  machine.report(result);
  result.verified = report.verified;
  result.messages = report.messages;
  result.host_seconds = seconds.count();
  result.seed = workload.seed;
  return result;
}

}  // namespace paws
