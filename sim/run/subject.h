// SPDX-License-Identifier: MIT
// What a request runs: a workload, whose kernels are compiled and executed, or a trace of machine
// code.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/exec/kernel_runner.h"
#include "sim/ir/kernel.h"
#include "sim/launch/run.h"
#include "sim/run/simulation.h"

namespace paws {

struct Subject {
  std::string name;
  std::optional<std::uint64_t> seed;        ///< of a workload
  std::optional<std::uint64_t> max_cycles;  ///< SimulationRequest::max_cycles
  bool trace = false;                       ///< there are no values
  std::vector<ir::Module> modules;
  std::vector<std::string> module_names;  ///< in the order of the modules
  /// Runs the launches of `modules`, which are those above, where they are then.
  std::function<WorkloadReport(const std::vector<ir::Module>& modules, KernelRunner& runner,
                               DeviceMemory& memory)>
      run;
};

/// Whether `word` means a trace rather than a workload.
bool is_trace_subject(const std::string& word);

/// Reads what the request names. Throws InputError, also for options that a trace does not have;
/// Interrupted.
Subject subject_of(const SimulationRequest& request, const GpuConfig& config);

/// Its name and its seed, without reading more than that needs.
struct SubjectName {
  std::string name;
  std::optional<std::uint64_t> seed;
};
SubjectName name_of_subject(const SimulationRequest& request);

/// Whether it relies on the compute capability of the machine (Workload::independent_threads). What
/// is wrong with it is said where it is run.
bool subject_was_told(const SimulationRequest& request);

/// What a table calls `word`, known before anything of it is read. Throws InputError when it names
/// nothing.
std::string short_name_of_subject(const std::string& word);

}  // namespace paws
