// SPDX-License-Identifier: MIT
// paws report: the page of a run that is over, from its JSON.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "sim/cli/commands.h"
#include "sim/cli/report_option.h"
#include "sim/cli/say.h"
#include "sim/config/gpu_config.h"
#include "sim/report/saved_run.h"
#include "sim/run/simulation.h"
#include "sim/support/error.h"

namespace paws::cli {
namespace {

struct ReportArguments {
  std::string json;  ///< file of the run
  std::string page;  ///< file; empty: beside the JSON
  std::string gpu;   ///< file or preset; empty: what the run names
};

/// The machine of the run. Throws InputError.
GpuConfig machine_of(const ReportArguments& arguments, const report::SavedRun& saved) {
  const std::string& name = saved.made_by.gpu;
  SimulationRequest request;
  request.settings = saved.settings;
  request.gpu = arguments.gpu.empty() ? name : arguments.gpu;
  const std::vector<std::string> presets = preset_names();
  if (arguments.gpu.empty() && std::find(presets.begin(), presets.end(), name) == presets.end()) {
    throw InputError(
        arguments.json,
        fmt::format("the GPU {} of the run is no preset: name its file with --gpu", name));
  }
  GpuConfig config;
  try {
    config = gpu_of(request);
  } catch (const InputError& error) {
    throw InputError(arguments.json, error.what());
  }
  if (config.name == name) return config;
  throw InputError(arguments.json, fmt::format("is of a run on {}: --gpu {} is {}", name,
                                               arguments.gpu, config.name));
}

}  // namespace

void add_report(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("report", "Write the page of a saved run (docs/guide/report.md)");
  auto arguments = std::make_shared<ReportArguments>();
  command->add_option("result", arguments->json, "what `paws run WORKLOAD --json FILE` has written")
      ->required();
  command->add_option("-o,--output", arguments->page,
                      "the page; without it the name of the result, with the ending .html");
  command->add_option("--gpu", arguments->gpu,
                      "configuration file of the run's GPU, if that is no preset");
  command->callback([arguments, &status] {
    const report::SavedRun saved = report::read_run(arguments->json);
    std::string& page = arguments->page;
    if (page.empty()) {
      page = std::filesystem::path(arguments->json).replace_extension(".html").string();
    }
    if (same_file(page, arguments->json))
      throw InputError(page, "is the result itself: -o takes the page");
    const GpuConfig config = machine_of(*arguments, saved);
    check_report_option(page, config);
    give_report(page, arguments->json, saved, config);
    say("{}\n", page);
    status = 0;
  });
}

}  // namespace paws::cli
