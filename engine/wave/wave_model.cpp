// SPDX-License-Identifier: MIT
#include "engine/wave/wave_model.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <system_error>

#include "engine/cached_library.h"
#include "engine/engine_fields.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> wave_sources() {
  std::vector<fs::path> sources;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(source_dir() / "rtl", error)) {
    if (entry.is_regular_file()) sources.push_back(entry.path());
  }
  for (const char* own :
       {"engine/wave/build_wave.sh", "engine/wave/wave_adapter.cpp", "engine/wave/wave_model.h",
        "engine/wave/wave_top.sv", "engine/verilated_runtime.cpp", "engine/verilated_runtime.h",
        "engine/module.sh", "engine/parameters.def", "model/affinity.h", "model/policies.toml",
        "model/scheduler.h"}) {
    sources.push_back(source_dir() / own);
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

}  // namespace

std::unique_ptr<WaveModel> make_wave_model(const SchedulerConfig& config, unsigned schedulers) {
  const unsigned code = policy_code(config.level, config.policy);
  const EngineParameters parameters =
      engine_parameters(config, Sorter::ranks, kDefaultPicker, /*checked=*/false);
  LibraryRecipe recipe;
  recipe.name = "wave_" + std::to_string(schedulers) + "_" + engine_name(parameters);
  recipe.what =
      "RTL for waves, " + std::to_string(schedulers) + " times " + engine_name(parameters);
  recipe.why = "kept for the next time";
  recipe.sources = wave_sources();
  recipe.policies = parameters.policies;
  recipe.command = [&](const fs::path& output, const fs::path& work) {
    std::vector<std::string> command{"env",
                                     "CXX=" + compiler(),
                                     "bash",
                                     (source_dir() / "engine/wave/build_wave.sh").string(),
                                     output.string(),
                                     work.string(),
                                     std::to_string(schedulers),
                                     std::string(parameters.module)};
    std::ranges::copy(settings_of(parameters), std::back_inserter(command));
    return command;
  };
  recipe.entry = "paws_wave";
  using Create = WaveModel* (*)(unsigned policy_code);
  const auto create = reinterpret_cast<Create>(load_library(recipe));
  return std::unique_ptr<WaveModel>(create(code));
}

}  // namespace paws
