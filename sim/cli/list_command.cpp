// SPDX-License-Identifier: MIT
// paws list: what there is to run, and with what.

#include <fmt/format.h>

#include <filesystem>

#include "model/registry.h"
#include "sim/cli/commands.h"
#include "sim/cli/compile.h"
#include "sim/cli/engine.h"
#include "sim/cli/simulation.h"
#include "sim/cli/statistics_page.h"

namespace paws::cli {
namespace {

void list() {
  fmt::print("workloads\n");
  std::vector<std::filesystem::path> files;
  for (const auto& folder : std::filesystem::directory_iterator(workload_folder())) {
    const std::filesystem::path file =
        folder.path() / (folder.path().filename().string() + ".toml");
    if (std::filesystem::exists(file)) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  LoadOptions options;
  options.ptx_directories.emplace_back(PAWS_PTX_DIR);
  for (const std::filesystem::path& file : files) {
    const Workload workload = load_workload(file, options);
    fmt::print("  {:<16} {}\n", workload.name, workload.description);
  }
  fmt::print("\nschedulers\n");
  for (const Policy& policy : policies()) {
    SchedulerConfig config;
    config.level = policy.level;
    config.policy = policy.name;
    fmt::print("  {:<16} {}\n", scheduler_name(config),
               policy.in_rtl ? "RTL and model" : "model only");
  }
  fmt::print("\nengines\n  {}\n\nGPU presets\n  {}\n", fmt::join(engine_names(), ", "),
             fmt::join(preset_names(), ", "));
}

}  // namespace

void add_list(CLI::App& app, int& status) {
  CLI::App* command = app.add_subcommand("list", "List workloads, schedulers, engines and GPUs");
  auto statistics = std::make_shared<bool>(false);
  command->add_flag("--statistics", *statistics,
                    "list the statistics instead, each with its meaning (docs/statistics.md)");
  command->callback([statistics, &status] {
    if (*statistics) {
      fmt::print("{}", statistics_page());
    } else {
      list();
    }
    status = 0;
  });
}

}  // namespace paws::cli
