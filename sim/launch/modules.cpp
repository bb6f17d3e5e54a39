// SPDX-License-Identifier: MIT
#include "sim/launch/modules.h"

#include <algorithm>
#include <cstdint>
#include <string>

#include "sim/frontend/phase_codes.h"
#include "sim/launch/kernel_name.h"

namespace paws {
namespace {

frontend::KernelFilter launched(const Workload& workload, std::size_t module) {
  return [names = launched_kernels(workload, module)](const std::string& kernel) {
    return std::any_of(names.begin(), names.end(),
                       [&kernel](const std::string& name) { return can_mean(name, kernel); });
  };
}

/// The largest block of a kernel, which the description may name in several ways.
frontend::KernelBlock launched_threads(const Workload& workload, std::size_t module) {
  return [blocks = largest_blocks(workload, module)](const std::string& kernel) {
    std::uint64_t largest = 0;
    for (const auto& [name, threads] : blocks) {
      if (can_mean(name, kernel)) largest = std::max(largest, threads);
    }
    return static_cast<unsigned>(largest);
  };
}

}  // namespace

std::vector<ir::Module> compile_modules(const Workload& workload,
                                        frontend::FrontendOptions options) {
  const bool chosen = options.wanted != nullptr;
  std::vector<ir::Module> modules;
  for (const ModuleFile& file : workload.modules) {
    const std::size_t module = modules.size();
    if (!chosen) options.wanted = launched(workload, module);
    options.taken.global_bytes = file.global_offset.value_or(options.taken.global_bytes);
    options.taken.constant_bytes = file.constant_offset.value_or(options.taken.constant_bytes);
    options.launched_threads = launched_threads(workload, module);
    modules.push_back(frontend::compile_file(file.ptx.string(), options));
    options.taken = {modules.back().global_bytes, modules.back().constant_bytes};
  }
  if (options.common_code) frontend::assign_codes(modules, options);
  return modules;
}

}  // namespace paws
