// SPDX-License-Identifier: MIT
// Running a workload: memory, launches in order, results against what is expected.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/exec/device_memory.h"
#include "sim/exec/kernel_runner.h"
#include "sim/launch/compare.h"
#include "sim/launch/workload.h"

namespace paws {

struct CheckReport {
  std::string buffer;
  Comparison comparison;
};

struct WorkloadReport {
  std::uint64_t launches = 0;
  std::optional<bool> verified;       ///< nothing: the description expects nothing
  std::vector<CheckReport> checks;    ///< one per [[expect]]
  std::vector<std::string> messages;  ///< what a user should read of the checks, one line each
  std::vector<std::filesystem::path> saved;
};

struct RunOptions {
  /// Called before each launch with its number, from 0.
  std::function<void(std::uint64_t number, const KernelLaunch& launch)> progress;
  std::filesystem::path output_directory;  ///< for "save"; empty: the working directory
};

/// Runs `workload` with `modules`, compiled from workload.modules in their order (modules.h).
/// `memory` is fresh.
/// Buffers are allocated in their order, all launches are checked against their kernels before the
/// first one starts. Wrong results are in the report, not thrown; throws InputError on everything
/// that keeps the workload from running.
WorkloadReport run_workload(const Workload& workload, std::span<const ir::Module> modules,
                            KernelRunner& runner, DeviceMemory& memory,
                            const RunOptions& options = {});

}  // namespace paws
