// SPDX-License-Identifier: MIT
// Every case of workloads/starvation/cases.toml under every scheduler that has RTL: whether it
// starves without an age limit, and that it ends with one.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "model/scheduler.h"
#include "sim/gpu/gpu.h"
#include "sim/launch/modules.h"
#include "sim/launch/run.h"
#include "sim/support/error.h"

namespace paws {
namespace {

/// Several times what a case takes under any scheduler that does not starve.
constexpr std::uint64_t kMaxCycles = 400'000;
constexpr unsigned kAgeLimit = 64;

struct Case {
  std::string name, workload, scheduler;
  std::vector<std::pair<std::string, std::int64_t>> sizes;
  std::vector<std::string> settings;
  bool starves = false;
};

/// For GoogleTest's messages.
void PrintTo(const Case& each, std::ostream* out) { *out << each.name << ' ' << each.scheduler; }

std::vector<std::string> texts(const toml::node_view<const toml::node>& array) {
  std::vector<std::string> out;
  for (const toml::node& node : *array.as_array()) out.push_back(node.value<std::string>().value());
  return out;
}

std::vector<Case> load_cases() {
  const toml::table root = toml::parse_file(PAWS_STARVATION_DIR "/cases.toml");
  std::vector<Case> out;
  for (const toml::node& node : *root["case"].as_array()) {
    const toml::table& table = *node.as_table();
    Case each;
    each.name = table["name"].value<std::string>().value();
    each.workload = table["workload"].value<std::string>().value();
    for (const auto& [name, value] : *table["sizes"].as_table()) {
      each.sizes.emplace_back(name.str(), value.value<std::int64_t>().value());
    }
    each.settings = texts(table["settings"]);
    const std::vector<std::string> starved = texts(table["starved"]);
    for (const std::string& scheduler : scheduler_names()) {
      SchedulerConfig config;
      set_scheduler_name(config, scheduler);
      if (!has_rtl(config)) continue;
      each.scheduler = scheduler;
      each.starves = std::ranges::count(starved, scheduler) > 0;
      out.push_back(each);
    }
  }
  return out;
}

std::string test_name(const testing::TestParamInfo<Case>& test) {
  std::string name = test.param.name + "_" + test.param.scheduler;
  std::ranges::replace_if(name, [](char c) { return c == ':' || c == '-'; }, '_');
  return name;
}

/// Runs the case to its right end; the message of whatever keeps it from there.
std::string run(const Case& each, unsigned age_limit) {
  GpuConfig config = load_gpu("m2090");
  for (const std::string& setting : each.settings) set_key(config, setting);
  config.scheduler.age_limit = age_limit;
  config.scheduler.group_timeout = age_limit;  // fetch groups have it in place of an age limit
  LoadOptions load;
  load.ptx_directories = {PAWS_PTX_DIR};
  load.variables.insert(each.sizes.begin(), each.sizes.end());
  const Workload workload =
      load_workload(std::filesystem::path(PAWS_STARVATION_DIR) / (each.workload + ".toml"), load);
  const std::vector<ir::Module> modules = compile_modules(workload, {config.frontend});
  GpuOptions options;
  options.max_cycles = kMaxCycles;
  try {
    Gpu gpu(config, scheduler_config(config, each.scheduler), make_model, options);
    DeviceMemory memory;
    const WorkloadReport report = run_workload(workload, modules, gpu, memory);
    return report.verified == true ? "" : "wrong results: " + report.messages.front();
  } catch (const InputError& error) {
    return error.what();
  }
}

class Starvation : public testing::TestWithParam<Case> {};

TEST_P(Starvation, IsWhatTheTableSays) {
  const std::string message = run(GetParam(), 0);
  if (!GetParam().starves) {
    EXPECT_EQ(message, "");
    return;
  }
  for (const char* part :
       {"is still running", ": not finished after 400000 cycles (--max-cycles)"}) {
    EXPECT_NE(message.find(part), std::string::npos) << (message.empty() ? "it ended" : message);
  }
}

TEST_P(Starvation, IsEndedByAnAgeLimit) { EXPECT_EQ(run(GetParam(), kAgeLimit), ""); }

INSTANTIATE_TEST_SUITE_P(All, Starvation, testing::ValuesIn(load_cases()), test_name);

}  // namespace
}  // namespace paws
