// SPDX-License-Identifier: MIT
#include "sim/launch/modules.h"

#include <algorithm>
#include <set>
#include <string>

#include "sim/launch/kernel_name.h"

namespace paws {
namespace {

using Names = std::set<std::string>;

/// The modules, each with the kernels that `wanted` names for it; all kernels when it is empty.
std::vector<ir::Module> compile(const Workload& workload, frontend::FrontendOptions options,
                                const std::vector<Names>& wanted) {
  std::vector<ir::Module> modules;
  for (const ModuleFile& file : workload.modules) {
    options.wanted = nullptr;
    if (!wanted.empty()) {
      options.wanted = [&names = wanted[modules.size()]](const std::string& kernel) {
        return std::any_of(names.begin(), names.end(),
                           [&kernel](const std::string& name) { return can_mean(name, kernel); });
      };
    }
    modules.push_back(frontend::compile_file(file.ptx.string(), options));
    options.taken = {modules.back().global_bytes, modules.back().constant_bytes};
  }
  return modules;
}

/// Whether each name is a kernel of a module that may have it.
bool all_found(const std::vector<ir::Module>& modules, const std::vector<Names>& wanted) {
  Names missing;
  Names found;
  for (std::size_t i = 0; i < modules.size(); ++i) {
    for (const std::string& name : wanted[i]) {
      const auto& kernels = modules[i].kernels;
      const bool here =
          std::any_of(kernels.begin(), kernels.end(),
                      [&name](const ir::Kernel& kernel) { return can_mean(name, kernel.name); });
      (here ? found : missing).insert(name);
    }
  }
  return std::includes(found.begin(), found.end(), missing.begin(), missing.end());
}

}  // namespace

std::vector<ir::Module> compile_modules(const Workload& workload,
                                        frontend::FrontendOptions options) {
  std::vector<Names> wanted;
  for (std::size_t i = 0; i < workload.modules.size(); ++i) {
    wanted.push_back(launched_kernels(workload, i));
  }
  std::vector<ir::Module> modules = compile(workload, options, wanted);
  if (all_found(modules, wanted)) return modules;
  // A message about a name that is not there lists those that are.
  return compile(workload, std::move(options), {});
}

}  // namespace paws
