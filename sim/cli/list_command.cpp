// SPDX-License-Identifier: MIT
// paws list: what there is to run, and with what.

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "model/registry.h"
#include "sim/blocks/block_policies.h"
#include "sim/cli/commands.h"
#include "sim/cli/say.h"
#include "sim/cli/statistics_page.h"
#include "sim/config/gpu_config.h"
#include "sim/run/compile.h"
#include "sim/run/engine.h"
#include "sim/throttle/throttles.h"

namespace paws::cli {
namespace {

nlohmann::json workloads() {
  std::vector<std::filesystem::path> files;
  for (const auto& folder : std::filesystem::directory_iterator(workload_folder())) {
    const std::filesystem::path file =
        folder.path() / (folder.path().filename().string() + ".toml");
    if (std::filesystem::exists(file)) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  nlohmann::json list = nlohmann::json::array();
  for (const std::filesystem::path& file : files) {
    const Workload workload = named_workload(file.string(), {});
    list.push_back({{"name", workload.name}, {"description", workload.description}});
  }
  return list;
}

nlohmann::json parameters(const Policy& policy) {
  nlohmann::json list = nlohmann::json::array();
  for (const PolicyParameter& parameter : policy.parameters) {
    list.push_back({{"name", parameter.name},
                    {"default", parameter.standard},
                    {"smallest", parameter.smallest},
                    {"largest", parameter.largest},
                    {"meaning", parameter.meaning}});
  }
  return list;
}

nlohmann::json schedulers() {
  nlohmann::json list = nlohmann::json::array();
  for (const Policy& policy : policies()) {
    SchedulerConfig config;
    config.level = policy.level;
    config.policy = policy.name;
    const std::string name = scheduler_name(config);
    list.push_back({{"name", name},
                    {"level", name.substr(0, name.find(':'))},
                    {"policy", policy.name},
                    {"rule", policy.rule},
                    {"parameters", parameters(policy)},
                    {"rtl", policy.in_rtl()}});
  }
  return list;
}

nlohmann::json catalogue(const std::vector<NamedChoice>& entries) {
  nlohmann::json list = nlohmann::json::array();
  for (const NamedChoice& entry : entries) {
    if (entry.control) continue;
    list.push_back({{"name", entry.name}, {"parameter", entry.parameter}, {"rule", entry.rule}});
  }
  return list;
}

/// All that there is, as --json prints it. Throws InputError if a launch description is wrong.
nlohmann::json everything() {
  return {{"workloads", workloads()},
          {"schedulers", schedulers()},
          {"block_schedulers", catalogue(block_policies())},
          {"throttles", catalogue(throttles())},
          {"engines", engine_names()},
          {"presets", preset_names()}};
}

/// The same for people; made from the document, so that both say the same.
void print_text(const nlohmann::json& list) {
  const auto text = [](const nlohmann::json& value) { return value.get<std::string>(); };
  const auto names = [](const nlohmann::json& value) {
    return value.get<std::vector<std::string>>();
  };
  say("workloads\n");
  for (const nlohmann::json& workload : list.at("workloads")) {
    say("  {:<16} {}\n", text(workload.at("name")), text(workload.at("description")));
  }
  say("\nschedulers, and the warp that issues (single) or the order of promotion (two-level)\n");
  for (const nlohmann::json& scheduler : list.at("schedulers")) {
    say("  {:<22} {:<13}  {}\n", text(scheduler.at("name")),
        scheduler.at("rtl") ? "RTL and model" : "model only", text(scheduler.at("rule")));
    for (const nlohmann::json& parameter : scheduler.at("parameters")) {
      say("    policy.{} = {}, {} to {}: {}\n", text(parameter.at("name")),
          parameter.at("default").get<unsigned>(), parameter.at("smallest").get<unsigned>(),
          parameter.at("largest").get<unsigned>(), text(parameter.at("meaning")));
    }
  }
  for (const auto& [title, key] : {std::pair("block schedulers", "block_schedulers"),
                                   std::pair("throttles, under every scheduler", "throttles")}) {
    say("\n{}\n", title);
    for (const nlohmann::json& entry : list.at(key)) {
      const std::string parameter = text(entry.at("parameter"));
      say("  {:<16} {}\n", text(entry.at("name")) + (parameter.empty() ? "" : ":" + parameter),
          text(entry.at("rule")));
    }
  }
  say("\nengines\n  {}\n\nGPU presets\n  {}\n", fmt::join(names(list.at("engines")), ", "),
      fmt::join(names(list.at("presets")), ", "));
}

}  // namespace

void add_list(CLI::App& app, int& status) {
  CLI::App* command =
      app.add_subcommand("list",
                         "List workloads, schedulers, block schedulers, throttles, engines and "
                         "GPUs");
  auto statistics = std::make_shared<bool>(false);
  auto json = std::make_shared<bool>(false);
  CLI::Option* page = command->add_flag(
      "--statistics", *statistics,
      "list the statistics instead, each with its meaning (docs/reference/statistics.md)");
  command->add_flag("--json", *json, "print the list as one JSON document, for scripts")
      ->excludes(page);
  command->callback([statistics, json, &status] {
    if (*statistics) {
      say("{}", statistics_page());
    } else if (*json) {
      say("{}\n", everything().dump(2));
    } else {
      print_text(everything());
    }
    status = 0;
  });
}

}  // namespace paws::cli
