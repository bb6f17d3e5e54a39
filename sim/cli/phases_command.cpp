// SPDX-License-Identifier: MIT
// paws phases: the phases of the kernels of a PTX file or a workload, or of a RISC-V binary.

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/command_line.h"
#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/output_file.h"
#include "sim/cli/say.h"
#include "sim/cli/warnings.h"
#include "sim/frontend/report.h"
#include "sim/riscv/disassembler.h"
#include "sim/riscv/length_image.h"
#include "sim/riscv/machine_phases.h"
#include "sim/riscv/machine_report.h"
#include "sim/run/compile.h"
#include "sim/run/simulation.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

struct PhasesArguments {
  std::string word;  ///< PTX file, workload or RISC-V binary
  std::string kernel;
  bool verbose = false;
  SimulationRequest request;
  std::string json;
  // Of a binary alone:
  std::vector<std::string> near;
  std::string annotations;
  std::string image;
  bool image_has_distances = false;
};

std::vector<riscv::Register> registers(const std::vector<std::string>& names) {
  std::vector<riscv::Register> numbers;
  for (const std::string& name : names) {
    const unsigned number = riscv::register_number(name);
    if (number >= riscv::kRegisters)
      throw InputError(fmt::format("--near: '{}' is no register", name));
    numbers.push_back(static_cast<riscv::Register>(number));
  }
  return numbers;
}

int phases_of_binary(const PhasesArguments& arguments) {
  for (const std::string& file : {arguments.json, arguments.annotations, arguments.image}) {
    if (!file.empty()) check_writable(file);
  }
  const GpuConfig config = gpu_of(arguments.request);
  const std::vector<riscv::Register> near = registers(arguments.near);
  const std::string listing = riscv::disassemble(arguments.word);
  std::vector<riscv::Function> functions = riscv::functions_of(listing);
  if (!arguments.kernel.empty()) {
    std::erase_if(functions,
                  [&](const riscv::Function& each) { return each.name != arguments.kernel; });
  }
  if (functions.empty()) {
    throw InputError(arguments.word, arguments.kernel.empty()
                                         ? "has no code under a symbol"
                                         : fmt::format("has no function '{}'", arguments.kernel));
  }
  nlohmann::json list = nlohmann::json::array();
  std::size_t unknown = 0;
  for (riscv::Function& function : functions) {
    riscv::assign_phases(function, config.frontend.latencies, config.frontend.phases, near);
    unknown += riscv::unknown_instructions(function);
    say("{}", riscv::phase_table(function, arguments.verbose));
    list.push_back(riscv::phase_report(function));
  }
  if (unknown != 0) {
    warn(
        fmt::format("{}: {} instructions are not of RV32/RV64 IMAFD: latency.move, and the first "
                    "register is taken to be "
                    "written",
                    arguments.word, unknown));
  }
  std::vector<std::function<void()>> files;
  if (!arguments.json.empty()) files.emplace_back([&] { write_json(arguments.json, list); });
  if (!arguments.annotations.empty()) {
    files.emplace_back([&] { write_file(arguments.annotations, riscv::annotations(functions)); });
  }
  if (!arguments.image.empty()) {
    files.emplace_back([&] {
      const auto held = arguments.image_has_distances ? riscv::Held::distance : riscv::Held::length;
      write_file(arguments.image,
                 riscv::to_hexadecimal(riscv::length_image(arguments.word, functions, held,
                                                           config.scheduler.phase_bits)));
    });
  }
  write_all(files);
  return 0;
}

int phases(const CLI::App& command, const PhasesArguments& arguments) {
  if (riscv::is_elf(arguments.word)) return phases_of_binary(arguments);
  refuse(command, {"--near", "--annotations", "--image", "--image-of"},
         "of a file that is no RISC-V binary");
  if (!arguments.json.empty()) check_writable(arguments.json);
  const GpuConfig config = gpu_of(arguments.request);
  const bool coded = config.frontend.phase_code != 0;
  nlohmann::json list = nlohmann::json::array();
  for (const ir::Module& module : compile_named(arguments.word, arguments.kernel, config)) {
    for (const std::string& warning : module.warnings) warn(warning);
    for (const ir::Kernel& kernel : module.kernels) {
      say("{}", frontend::phase_table(kernel, arguments.verbose, coded));
      list.push_back(frontend::phase_report(kernel, coded));
    }
  }
  if (!arguments.json.empty()) write_json(arguments.json, list);
  return 0;
}

}  // namespace

void add_phases(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand(
      "phases", "Show the phases of a PTX file's or a workload's kernels, or of a RISC-V binary");
  auto arguments = std::make_shared<PhasesArguments>();
  add_compile_options(*command, arguments->word, arguments->kernel, arguments->request);
  command->add_flag("--verbose", arguments->verbose,
                    "every instruction with line, block, latency, phase and distance");
  command->add_option("--json", arguments->json, "write the phases to this file");
  command
      ->add_option("--near", arguments->near,
                   "binary: a register, loads through which are no long operations, such as sp")
      ->allow_extra_args(false);
  command->add_option(
      "--annotations", arguments->annotations,
      "binary: write length and distance of every instruction to this file, as CSV");
  command->add_option("--image", arguments->image,
                      "binary: write the lengths for $readmemh, scheduler.phase_bits wide");
  add_choice(*command, "--image-of", "distances", "lengths", arguments->image_has_distances,
             "what the image has: lengths of phases, for two levels, or distances");
  command->callback([arguments, command, &status] { status = phases(*command, *arguments); });
}

}  // namespace paws::cli
