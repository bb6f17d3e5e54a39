// SPDX-License-Identifier: MIT
#include "sim/run/simulation.h"

#include <chrono>
#include <utility>

#include "sim/run/machine.h"
#include "sim/run/subject.h"
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
  schedule_threads(config, request.told_capability || subject_was_told(request));
  check(config);
  return config;
}

SimulationResult simulate(const SimulationRequest& request) {
  Machine machine(request);
  const Subject subject = subject_of(request, machine.config());
  for (const ir::Module& module : subject.modules) {
    for (const std::string& warning : module.warnings) {
      if (request.warn) request.warn(warning);
    }
  }
  machine.start(subject.max_cycles, [&](const KernelLaunch& launch) -> std::string {
    if (subject.modules.size() == 1) return "";
    return subject.module_names[static_cast<std::size_t>(launch.module - subject.modules.data())];
  });
  DeviceMemory memory;
  memory.print_to(request.print);
  const auto start = std::chrono::steady_clock::now();
  WorkloadReport report;
  try {
    report = subject.run(subject.modules, machine, memory);
    machine.finish();
  } catch (const CheckError&) {
    throw;
  } catch (...) {
    if (request.found_before_failure != nullptr) *request.found_before_failure = machine.found();
    throw;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;

  SimulationResult result;
  result.workload = subject.name;
  result.trace = subject.trace;
  machine.report(result);
  result.verified = report.verified;
  result.messages = report.messages;
  result.host_seconds = seconds.count();
  result.seed = subject.seed;
  result.made_by = provenance_of(request, subject.name, subject.seed);
  return result;
}

}  // namespace paws
