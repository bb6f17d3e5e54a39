// SPDX-License-Identifier: MIT
#include "engine/plugin.h"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "engine/rtl_engine.h"
#include "engine_sources.h"  // written by cmake/engine_sources.cmake

namespace paws {
namespace {

namespace fs = std::filesystem;

struct Plugin {
  void* handle = nullptr;
  std::string problem;
};

/// Where an installed program has it, or where the build has put it.
fs::path plugin_file() {
  const char* prefix = std::getenv("PAWS_PREFIX");
  return prefix == nullptr ? fs::path(PAWS_ENGINES)
                           : fs::path(prefix) / "lib/paws/engine/libpaws_engines.so";
}

Plugin load_plugin() {
  const fs::path file = plugin_file();
  const std::string remedy = "; `scripts/build release paws_engines` makes it";
  std::error_code error;
  if (!fs::exists(file, error)) return {nullptr, file.string() + " is not built" + remedy};
  // Never closed: what was made by it may live as long as the program.
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return {nullptr, "cannot load " + file.string() + ": " + dlerror()};
  const auto sources = reinterpret_cast<const char* (*)()>(dlsym(handle, "paws_plugin_sources"));
  if (sources == nullptr || std::string(sources()) != kEngineSources) {
    return {nullptr, file.string() + " is of other sources than this program" + remedy};
  }
  return {handle, ""};
}

const Plugin& plugin() {
  static const Plugin loaded = load_plugin();
  return loaded;
}

}  // namespace

bool plugin_is_built() { return plugin().handle != nullptr; }

void* plugin_function(const char* name) {
  if (!plugin_is_built())
    throw EngineBuildError("this RTL engine is in a library: " + plugin().problem);
  void* function = dlsym(plugin().handle, name);
  if (function == nullptr) throw EngineBuildError(std::string("RTL engine: ") + dlerror());
  return function;
}

}  // namespace paws
