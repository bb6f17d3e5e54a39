#include "sim/frontend/frontend.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "sim/frontend/call_params.h"
#include "sim/frontend/liveness.h"
#include "sim/frontend/lower.h"
#include "sim/frontend/machine_registers.h"
#include "sim/frontend/program.h"
#include "sim/frontend/schedule.h"
#include "sim/frontend/simplify.h"
#include "sim/ptx/parser.h"
#include "sim/support/error.h"

namespace paws::frontend {
namespace {

unsigned registers_per_thread(const Program& program, const FrontendOptions& options) {
  if (options.registers_per_thread != 0) return options.registers_per_thread;
  const unsigned estimate = std::max(1u, max_pressure(program) + options.reserved_registers);
  return program.max_registers == 0 ? estimate : std::min(estimate, program.max_registers);
}

ScheduleOptions schedule_options(const Program& program, const FrontendOptions& options) {
  ScheduleOptions result;
  result.latencies = options.latencies;
  result.load_latency = options.load_latency;
  result.shared_load_latency = options.shared_load_latency;
  result.pressure_limit = options.pressure_limit;
  if (program.max_registers != 0) {
    result.pressure_limit = std::min(result.pressure_limit, program.max_registers);
  }
  return result;
}

ir::Kernel compile_kernel(Draft draft, const FrontendOptions& options) {
  place_call_params(draft);
  Program program = build_program(std::move(draft));
  if (options.remove_copies) remove_copies(program);
  if (options.remove_dead_code) remove_dead_code(program);
  if (options.schedule) schedule(program, schedule_options(program, options));
  program.kernel.registers_per_thread = registers_per_thread(program, options);
  number_registers(program);
  ir::Kernel kernel = lay_out(std::move(program));
  assign_phases(kernel, options.latencies, options.phases);
  return kernel;
}

}  // namespace

ir::Module compile_text(std::string text, const std::string& name, const FrontendOptions& options) {
  const ptx::Module source = ptx::parse(std::move(text), name);
  ir::Module module;
  for (Draft& draft : lower(source, options.wanted, module)) {
    module.kernels.push_back(compile_kernel(std::move(draft), options));
  }
  return module;
}

ir::Module compile_file(const std::string& path, const FrontendOptions& options) {
  if (std::filesystem::is_directory(path)) throw InputError(path, "is a directory");
  std::ifstream input(path, std::ios::binary);
  if (!input) throw InputError(path, "cannot be opened");
  std::ostringstream text;
  text << input.rdbuf();
  if (text.bad()) throw InputError(path, "cannot be read");
  return compile_text(std::move(text).str(), path, options);
}

}  // namespace paws::frontend
