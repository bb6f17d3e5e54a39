// SPDX-License-Identifier: MIT
// paws phases: the phases that the front-end finds in the kernels of a PTX file or a workload.

#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.h"
#include "sim/cli/options.h"
#include "sim/cli/output_file.h"
#include "sim/cli/say.h"
#include "sim/cli/warnings.h"
#include "sim/frontend/report.h"
#include "sim/run/compile.h"
#include "sim/run/simulation.h"

namespace paws::cli {
namespace {

struct PhasesArguments {
  std::string word;  ///< PTX file or workload
  std::string kernel;
  bool verbose = false;
  SimulationRequest request;
  std::string json;
};

int phases(const PhasesArguments& arguments) {
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
  CLI::App* command =
      app.add_subcommand("phases", "Show the phases of a PTX file's or a workload's kernels");
  auto arguments = std::make_shared<PhasesArguments>();
  add_compile_options(*command, arguments->word, arguments->kernel, arguments->request);
  command->add_flag("--verbose", arguments->verbose,
                    "every instruction with line, block, latency, phase and distance");
  command->add_option("--json", arguments->json, "write the phases to this file");
  command->callback([arguments, &status] { status = phases(*arguments); });
}

}  // namespace paws::cli
