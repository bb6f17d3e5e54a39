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
#include "sim/exec/device_memory.h"
#include "sim/exec/kernel_runner.h"

namespace paws::cuda {

class Capture {
 public:
  /// Into `folder`, which is made if it is not there. `program` names the descriptions.
  Capture(std::filesystem::path folder, std::string program);

  /// Runs a launch with `run` and writes NAME-NUMBER.toml with its files. A launch that fails, or
  /// whose files cannot be written, leaves none. Returns the description's path. Throws InputError,
  /// and what `run` throws.
  std::filesystem::path launch(std::uint64_t number, const Function& function,
                               const KernelLaunch& launch, const Heap& heap, DeviceMemory& memory,
                               const std::function<void()>& run);

 private:
  std::filesystem::path folder_;
  std::string program_;
};

}  // namespace paws::cuda
