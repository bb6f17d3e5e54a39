// SPDX-License-Identifier: MIT
#include "engine/on_demand.h"

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <mutex>
#include <vector>

#include "engine/cached_library.h"
#include "engine/engine_fields.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

/// Everything an engine is made from, in a fixed order.
std::vector<fs::path> engine_sources() {
  std::vector<fs::path> sources;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(source_dir() / "rtl", error)) {
    if (entry.is_regular_file()) sources.push_back(entry.path());
  }
  for (const char* own :
       {"build_engine.sh", "engine_parameters.h", "engine_top.sv", "instrument.h", "module.sh",
        "parameters.def", "rtl_engine.h", "rtl_queues.h", "verilated_adapter.cpp",
        "verilated_runtime.cpp", "verilated_runtime.h"}) {
    sources.push_back(source_dir() / "engine" / own);
  }
  for (const char* of_model : {"affinity.h", "policies.toml", "scheduler.h"}) {
    sources.push_back(source_dir() / "model" / of_model);
  }
  std::sort(sources.begin(), sources.end());
  return sources;
}

/// As PAWS_INSTRUMENT of build_engine.sh, and in names of files.
const char* name_of(Instrument instrument) {
  switch (instrument) {
    case Instrument::coverage:
      return "coverage";
    case Instrument::waves:
      return "waves";
    case Instrument::none:
      break;
  }
  return "none";
}

std::vector<std::string> build_command(const EngineParameters& parameters, Instrument instrument,
                                       const fs::path& netlist, const fs::path& output,
                                       const fs::path& work) {
  std::vector<std::string> command{
      "env", "CXX=" + compiler(), std::string("PAWS_INSTRUMENT=") + name_of(instrument), "bash",
      (source_dir() / "engine/build_engine.sh").string(), output.string(), work.string(),
      "on_demand", std::string(parameters.module),
      // What is looked at need not be fast, and a netlist is long.
      instrument != Instrument::none ? "-O0"
      : netlist.empty()              ? "-O2"
                                     : "-O1",
      parameters.checked ? "CHECKED=1" : "CHECKED=0"};
  if (!netlist.empty()) command.push_back("NETLIST=" + netlist.string());
  std::ranges::copy(settings_of(parameters), std::back_inserter(command));
  return command;
}

EngineFactory build_or_load(const EngineParameters& parameters, Instrument instrument,
                            const fs::path& netlist, const std::string& name) {
  LibraryRecipe recipe;
  recipe.name = name;
  recipe.what = "RTL engine " + name;
  recipe.why = "not among those built with the project";
  recipe.sources = engine_sources();
  recipe.policies = parameters.policies;
  if (!netlist.empty()) recipe.sources.push_back(netlist);
  recipe.command = [&](const fs::path& output, const fs::path& work) {
    return build_command(parameters, instrument, netlist, output, work);
  };
  recipe.entry = "paws_engine_on_demand";
  return reinterpret_cast<EngineFactory>(load_library(recipe));
}

}  // namespace

BuiltEngine build_on_demand(const EngineParameters& parameters, Instrument instrument,
                            const fs::path& netlist) {
  static std::mutex mutex;
  static std::map<std::string, EngineFactory> loaded;
  const std::lock_guard lock(mutex);
  std::string name = engine_name(parameters);
  if (instrument != Instrument::none) name.append("_").append(name_of(instrument));
  if (!netlist.empty()) name.append("_").append(netlist.stem().string());
  auto& [label, factory] = *loaded.emplace(name, nullptr).first;
  if (factory == nullptr) factory = build_or_load(parameters, instrument, netlist, name);
  return {parameters, factory, label};
}

}  // namespace paws
