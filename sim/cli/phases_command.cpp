// SPDX-License-Identifier: MIT
// paws phases: the phases that the front-end finds in a PTX file.

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "sim/cli/commands.h"
#include "sim/cli/output_file.h"
#include "sim/cli/simulation.h"
#include "sim/frontend/frontend.h"
#include "sim/frontend/report.h"
#include "sim/launch/kernel_name.h"
#include "sim/support/error.h"
#include "sim/support/suggestion.h"

namespace paws::cli {
namespace {

struct PhasesArguments {
  std::string file;
  std::string kernel;
  bool verbose = false;
  SimulationRequest request;
  std::string json;
};

int phases(const PhasesArguments& arguments) {
  if (!arguments.json.empty()) check_writable(arguments.json);
  const GpuConfig config = gpu_of(arguments.request);
  const ir::Module module = frontend::compile_file(arguments.file, config.frontend);
  std::vector<const ir::Kernel*> kernels;
  std::vector<std::string> names;
  for (const ir::Kernel& kernel : module.kernels) {
    names.push_back(kernel.name);
    if (arguments.kernel.empty() || can_mean(arguments.kernel, kernel.name)) {
      kernels.push_back(&kernel);
    }
  }
  if (kernels.empty()) {
    throw InputError(arguments.file, arguments.kernel.empty()
                                         ? std::string("holds no kernel")
                                         : fmt::format("holds no kernel '{}'{}", arguments.kernel,
                                                       suggestion(arguments.kernel, names)));
  }
  nlohmann::json list = nlohmann::json::array();
  for (const ir::Kernel* kernel : kernels) {
    fmt::print("{}", frontend::phase_table(*kernel, arguments.verbose));
    list.push_back(frontend::phase_report(*kernel));
  }
  if (!arguments.json.empty()) write_file(arguments.json, list.dump(2) + "\n");
  return 0;
}

}  // namespace

void add_phases(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("phases", "Show the phases of a PTX file's kernels");
  auto arguments = std::make_shared<PhasesArguments>();
  command->add_option("file", arguments->file, "PTX file")->required();
  command->add_option("--kernel", arguments->kernel, "only this kernel");
  command->add_flag("--verbose", arguments->verbose,
                    "every instruction with line, block, latency, phase and distance");
  command
      ->add_option("--gpu", arguments->request.gpu,
                   "whose latencies and phase rule: preset or file")
      ->capture_default_str();
  command->add_option("--set", arguments->request.settings, "change a key, key=value")
      ->allow_extra_args(false);
  command->add_option("--json", arguments->json, "write the phases to this file");
  command->callback([arguments, &status] { status = phases(*arguments); });
}

}  // namespace paws::cli
