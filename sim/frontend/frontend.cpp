// SPDX-License-Identifier: MIT
#include "sim/frontend/frontend.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <utility>

#include "sim/frontend/call_params.h"
#include "sim/frontend/liveness.h"
#include "sim/frontend/lower.h"
#include "sim/frontend/machine_registers.h"
#include "sim/frontend/phase_codes.h"
#include "sim/frontend/phases.h"
#include "sim/frontend/program.h"
#include "sim/frontend/schedule.h"
#include "sim/frontend/simplify.h"
#include "sim/frontend/stack_frames.h"
#include "sim/ptx/parser.h"
#include "sim/support/error.h"
#include "sim/support/input_file.h"

namespace paws::frontend {
namespace {

/// Most registers that a thread may have, and what allows no more.
struct RegisterCap {
  unsigned registers = 0;
  const char* cause = "";
};

/// As in ptxas the size of a block bounds the registers, so that one block fits in any case, and
/// .minnctapersm counts for nothing without it. ptxas knows the size from .maxntid or .reqntid
/// alone, and a larger block then fails to launch; here the launches say it where those do not.
RegisterCap register_cap(const Program& program, const FrontendOptions& options) {
  const RegisterFile& file = options.register_file;
  RegisterCap cap{file.per_thread, "core.thread_registers"};
  const auto bound = [&cap](unsigned registers, const char* cause) {
    if (registers < cap.registers) cap = {registers, cause};
  };
  const std::array<std::uint32_t, 3>& required = program.kernel.required_block;
  unsigned threads = std::max(program.kernel.max_threads, required[0] * required[1] * required[2]);
  bound(most_registers(threads, program.min_blocks, file), ".minnctapersm");
  if (threads == 0 && options.launched_threads) {
    threads = options.launched_threads(program.kernel.name);
  }
  bound(most_registers(threads, 1, file), kBlockBound);
  if (program.max_registers != 0) bound(program.max_registers, ".maxnreg");
  cap.registers = std::max(1U, cap.registers);
  return cap;
}

unsigned registers_needed(const Program& program, const FrontendOptions& options) {
  return std::max(1u, max_pressure(program) + options.reserved_registers);
}

void count_registers(Program& program, const FrontendOptions& options) {
  ir::Kernel& kernel = program.kernel;
  if (options.registers_per_thread != 0) {
    kernel.registers_per_thread = options.registers_per_thread;
    kernel.registers_given = true;
    return;
  }
  const unsigned estimate = registers_needed(program, options);
  const RegisterCap cap = register_cap(program, options);
  kernel.registers_per_thread = std::min(estimate, cap.registers);
  kernel.spilled_registers = estimate - kernel.registers_per_thread;
  if (kernel.spilled_registers != 0) kernel.register_bound = cap.cause;
}

ScheduleOptions schedule_options(const FrontendOptions& options) {
  ScheduleOptions result;
  result.lanes_apart = options.yield_after != 0;
  result.latencies = options.latencies;
  result.load_latency = options.load_latency;
  result.shared_load_latency = options.shared_load_latency;
  result.pressure_limit = options.pressure_limit;
  return result;
}

/// Schedules for latency. If that takes more registers than a thread may have, the order that saves
/// registers is taken instead, unless it does not fit either: then values are spilled in any case.
void schedule_within_cap(Program& program, const FrontendOptions& options) {
  ScheduleOptions schedule_for = schedule_options(options);
  schedule(program, schedule_for);
  const unsigned cap = register_cap(program, options).registers;
  if (registers_needed(program, options) <= cap || cap <= options.reserved_registers) return;
  schedule_for.pressure_limit =
      std::min(schedule_for.pressure_limit, cap - options.reserved_registers);
  Program saving = program;
  schedule(saving, schedule_for);
  if (registers_needed(saving, options) <= cap) program = std::move(saving);
}

ir::Kernel compile_kernel(Draft draft, const FrontendOptions& options) {
  place_call_params(draft);
  Program program = build_program(std::move(draft));
  if (options.remove_copies) remove_copies(program);
  if (options.remove_dead_code) remove_dead_code(program);
  lay_out_frames(program);
  if (options.schedule) schedule_within_cap(program, options);
  count_registers(program, options);
  number_registers(program);
  ir::Kernel kernel = lay_out(std::move(program));
  assign_phases(kernel, options.latencies, options.phases);
  return kernel;
}

}  // namespace

ir::Module compile_text(std::string text, const std::string& name, const FrontendOptions& options) {
  const ptx::Module source = ptx::parse(std::move(text), name);
  ir::Module module;
  module.global_bytes = options.taken.global_bytes;
  module.constant_bytes = options.taken.constant_bytes;
  for (const ptx::Warning& warning : source.warnings) {
    module.warnings.push_back(name + ":" + std::to_string(warning.line) +
                              ": warning: " + warning.text);
  }
  for (Draft& draft : lower(source, options.wanted, options.stack_bytes, module)) {
    module.kernels.push_back(compile_kernel(std::move(draft), options));
  }
  assign_codes({&module, 1}, options);
  return module;
}

ir::Module compile_file(const std::string& path, const FrontendOptions& options) {
  if (const auto why = why_unreadable(path)) throw InputError(path, *why);
  std::ifstream input(path, std::ios::binary);
  std::ostringstream text;
  text << input.rdbuf();
  if (text.bad()) throw InputError(path, "cannot be read");
  return compile_text(std::move(text).str(), path, options);
}

}  // namespace paws::frontend
