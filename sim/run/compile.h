// SPDX-License-Identifier: MIT
// From names to workloads and compiled kernels.
#pragma once

#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/ir/kernel.h"
#include "sim/launch/workload.h"

namespace paws {

/// Folder of the built-in workloads' launch descriptions.
std::string workload_folder();

/// The workload that `word` names: the name of a built-in workload or the path of a launch
/// description. PTX files are also searched in the build's folder. Throws InputError.
Workload named_workload(const std::string& word, LoadOptions options);

/// Compiles what `word` names. A PTX file gives one module with all of its kernels, a trace
/// of machine code one with those that it launches. A built-in workload or a launch description
/// (.toml) gives its modules with the kernels that it launches, as they run on `config`. With
/// `kernel`, only kernels that this name can mean are compiled. The other kernels of a file may be
/// unsupported. Throws InputError, also when no kernel is left.
std::vector<ir::Module> compile_named(const std::string& word, const std::string& kernel,
                                      GpuConfig config);

}  // namespace paws
