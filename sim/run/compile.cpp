// SPDX-License-Identifier: MIT
#include "sim/run/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "sim/frontend/frontend.h"
#include "sim/launch/kernel_name.h"
#include "sim/launch/modules.h"
#include "sim/sass/traced_program.h"
#include "sim/support/error.h"
#include "sim/support/installation.h"
#include "sim/support/suggestion.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

/// Whether `word` means a PTX file, there or not, rather than a workload.
bool is_ptx(const std::string& word) {
  const fs::path path(word);
  std::error_code ignored;
  if (path.extension() == ".toml") return false;
  return fs::exists(path, ignored) || path.extension() == ".ptx" || path.has_parent_path();
}

[[noreturn]] void fail_without_kernel(const std::vector<ir::Module>& modules,
                                      const std::string& kernel) {
  std::vector<std::string> files;
  std::vector<std::string> known;
  for (const ir::Module& module : modules) {
    files.push_back(module.file);
    for (const std::string& entry : module.entries) known.push_back(demangle(entry));
  }
  const std::string where = fmt::format("{}", fmt::join(files, ", "));
  if (kernel.empty()) throw InputError(where, "no kernel");
  throw InputError(where, fmt::format("no kernel '{}'{}", kernel, suggestion(kernel, known)));
}

}  // namespace

std::string workload_folder() { return (project_folder() / "workloads").string(); }

Workload named_workload(const std::string& word, LoadOptions options) {
  options.ptx_directories.push_back(build_folder() / "workloads");
  return load_workload(find_workload(word, workload_folder()), options);
}

std::vector<ir::Module> compile_named(const std::string& word, const std::string& kernel,
                                      GpuConfig config) {
  const FrontendSettings& settings = config.frontend;
  frontend::FrontendOptions options{settings};
  const auto wanted = [&kernel](const std::string& name) { return can_mean(kernel, name); };
  // Common codes are of all kernels, whichever is asked for.
  if (!kernel.empty() && !settings.common_code) options.wanted = wanted;
  std::vector<ir::Module> modules;
  if (sass::is_trace(word)) {
    modules.push_back(sass::TracedProgram(word, settings, {}).module());
    std::erase_if(modules.front().kernels,
                  [&](const ir::Kernel& each) { return !kernel.empty() && !wanted(each.name); });
  } else if (is_ptx(word)) {
    modules.push_back(frontend::compile_file(word, options));
  } else {
    const Workload workload = named_workload(word, {});
    schedule_threads(config, workload.independent_threads);
    static_cast<FrontendSettings&>(options) = settings;
    modules = compile_modules(workload, options);
  }
  if (!kernel.empty() && settings.common_code) {
    for (ir::Module& module : modules) {
      std::erase_if(module.kernels, [&](const ir::Kernel& each) { return !wanted(each.name); });
    }
  }
  const bool any = std::any_of(modules.begin(), modules.end(),
                               [](const ir::Module& module) { return !module.kernels.empty(); });
  if (!any) fail_without_kernel(modules, kernel);
  return modules;
}

}  // namespace paws
