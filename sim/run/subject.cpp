// SPDX-License-Identifier: MIT
#include "sim/run/subject.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "sim/launch/modules.h"
#include "sim/run/compile.h"
#include "sim/sass/traced_program.h"
#include "sim/support/error.h"
#include "sim/support/input_file.h"

namespace paws {
namespace {

Subject workload_subject(const SimulationRequest& request, const GpuConfig& config) {
  const auto workload =
      std::make_shared<const Workload>(named_workload(request.workload, request.load));
  Subject subject;
  subject.name = workload->name;
  subject.seed = workload->seed;
  subject.max_cycles = workload->max_cycles;
  subject.modules = compile_modules(*workload, {config.frontend});
  for (const ModuleFile& module : workload->modules) subject.module_names.push_back(module.name);
  subject.run = [workload](const std::vector<ir::Module>& modules, KernelRunner& runner,
                           DeviceMemory& memory) {
    return run_workload(*workload, modules, runner, memory);
  };
  return subject;
}

/// Options that a trace would ignore are errors.
void check_trace_options(const SimulationRequest& request) {
  const LoadOptions& load = request.load;
  const auto refuse = [&request](const char* option, const char* why) {
    throw InputError(request.workload, std::string(option) + ": " + why);
  };
  if (!request.timing) refuse("--timing off", "a trace has no values to execute for");
  if (request.check) refuse("--check", "a trace has no values to check");
  if (!request.write_traces.empty()) refuse("--write-trace", "this is a trace already");
  if (!load.size.empty()) refuse("--size", "a trace has the size that it was made with");
  if (!load.variables.empty()) refuse("--define", "a trace has the sizes that it was made with");
  if (load.seed) refuse("--seed", "a trace has no random buffers");
  if (!load.ptx.empty()) refuse("--ptx", "a trace is of machine code");
}

Subject traced_subject(const SimulationRequest& request, const GpuConfig& config) {
  check_trace_options(request);
  const auto program = std::make_shared<const sass::TracedProgram>(
      request.workload, config.frontend, request.options.interrupted);
  Subject subject;
  subject.name = program->name();
  subject.trace = true;
  subject.modules.push_back(program->module());
  subject.module_names.emplace_back();
  subject.run = [program](const std::vector<ir::Module>& modules, KernelRunner& runner,
                          DeviceMemory& /*memory*/) {
    program->run(modules.front(), runner);
    WorkloadReport report;
    report.launches = program->launches();
    return report;
  };
  return subject;
}

}  // namespace

bool is_trace_subject(const std::string& word) { return sass::is_trace(word); }

Subject subject_of(const SimulationRequest& request, const GpuConfig& config) {
  return sass::is_trace(request.workload) ? traced_subject(request, config)
                                          : workload_subject(request, config);
}

SubjectName name_of_subject(const SimulationRequest& request) {
  if (sass::is_trace(request.workload)) return {sass::name_of_trace(request.workload), {}};
  const Workload workload = named_workload(request.workload, request.load);
  return {workload.name, workload.seed};
}

bool subject_was_told(const SimulationRequest& request) {
  if (request.workload.empty() || sass::is_trace(request.workload)) return false;
  try {
    return named_workload(request.workload, request.load).independent_threads;
  } catch (const InputError&) {
    return false;
  }
}

std::string short_name_of_subject(const std::string& word) {
  if (!sass::is_trace(word)) return find_workload(word, workload_folder()).stem();
  if (const auto why = why_unreadable(word)) throw InputError(word, *why);
  return sass::name_of_trace(word);
}

}  // namespace paws
