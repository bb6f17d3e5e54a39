// SPDX-License-Identifier: MIT
// From names to workloads and compiled kernels.
#pragma once

#include <string>
#include <vector>

#include "sim/config/frontend_settings.h"
#include "sim/ir/kernel.h"
#include "sim/launch/workload.h"

namespace paws {

/// Folder of the built-in workloads' launch descriptions.
std::string workload_folder();

/// The workload that a word names: name of a built-in one or path of a launch description. The
/// build's PTX files are found too.
Workload named_workload(const std::string& word, LoadOptions options);

/// What a word means where PTX is wanted, compiled: the file of this name with all of its kernels,
/// or, of a launch description (.toml) or a built-in workload, its modules with the kernels that it
/// launches. With `kernel`, those kernels that it can mean, and no others. Other kernels need not
/// be supported. Throws InputError, also when no kernel is left.
std::vector<ir::Module> compile_named(const std::string& word, const std::string& kernel,
                                      const FrontendSettings& settings);

}  // namespace paws
