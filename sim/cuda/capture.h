// SPDX-License-Identifier: MIT
// A launch as a launch description (docs/guide/launch.md): the memory that it touches before and
// after it, and its code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

#include "sim/cuda/heap.h"
#include "sim/cuda/modules.h"
#include "sim/cuda/report.h"
#include "sim/exec/device_memory.h"
#include "sim/exec/kernel_runner.h"

namespace paws::cuda {

class Capture {
 public:
  /// Into `folder`, which is made if it is not there. `program` names the descriptions; `report`
  /// knows which names other processes of the run have taken. `independent_threads`: what the
  /// program is told of the machine.
  Capture(std::filesystem::path folder, const std::string& program, const ReportWriter& report,
          std::string made_by, bool independent_threads);

  /// Runs a launch with `run` and writes NAME-NUMBER.toml with its files; in the second process of
  /// a program, NAME.2-NUMBER.toml. A launch that fails, or whose files cannot be written, leaves
  /// none. Returns the description's path. Throws InputError, and what `run` throws.
  std::filesystem::path launch(std::uint64_t number, const Function& function,
                               const KernelLaunch& launch, const Modules& modules, const Heap& heap,
                               DeviceMemory& memory, const std::function<void()>& run);

 private:
  /// Names the files of this process.
  const std::string& name();

  std::filesystem::path folder_;
  std::string program_;
  const ReportWriter& report_;
  std::string made_by_;       ///< comment at the head of each description
  bool independent_threads_;  ///< Workload::independent_threads
  std::string name_;
  pid_t process_ = 0;  ///< whose name that is
};

}  // namespace paws::cuda
