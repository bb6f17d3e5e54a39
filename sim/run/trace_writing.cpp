// SPDX-License-Identifier: MIT
#include "sim/run/trace_writing.h"

#include "sim/core/occupancy.h"
#include "sim/exec/functional_runner.h"
#include "sim/run/subject.h"
#include "sim/sass/trace_writer.h"
#include "sim/sass/traced_program.h"
#include "sim/support/error.h"

namespace paws {

WrittenTraces write_traces(const SimulationRequest& request, const std::filesystem::path& folder) {
  if (sass::is_trace(request.workload)) {
    throw InputError(request.workload, "is a trace already");
  }
  const GpuConfig config = gpu_of(request);
  const Subject subject = subject_of(request, config);
  for (const ir::Module& module : subject.modules) {
    for (const std::string& warning : module.warnings) {
      if (request.warn) request.warn(warning);
    }
  }
  exec::FunctionalRunner functional(instruction_limit(request, subject),
                                    request.options.interrupted);
  sass::TraceWriter writer(folder, functional, [&config](const KernelLaunch& launch) {
    return core::thread_registers(*launch.kernel, launch.shape, config.frontend.register_file).held;
  });
  DeviceMemory memory;
  const WorkloadReport report = subject.run(subject.modules, writer, memory);
  writer.finish();
  return {subject.name,    writer.list(),  writer.launches(), functional.warp_instructions(),
          report.verified, report.messages};
}

}  // namespace paws
