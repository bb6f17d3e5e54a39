// SPDX-License-Identifier: MIT
// What a workload needs from the simulator: a way to run one kernel launch.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "sim/exec/block_observer.h"
#include "sim/exec/block_source.h"
#include "sim/exec/device_memory.h"
#include "sim/exec/execution_listener.h"
#include "sim/exec/warp_executor.h"
#include "sim/ir/kernel.h"
#include "sim/support/location.h"

namespace paws {

struct KernelLaunch {
  const ir::Module* module = nullptr;
  const ir::Kernel* kernel = nullptr;
  exec::LaunchShape shape;
  std::vector<std::byte> params;          ///< the parameter block, kernel->param_bytes long
  exec::BlockObserverFactory observe;     ///< of every block slot; null: no observer
  exec::ExecutionListenerFactory listen;  ///< of every block slot; null: no listener
  /// Of blocks that are not executed for their values: there are none, nor parameters; null: the
  /// kernel is executed.
  const exec::BlockSource* source = nullptr;
  Location where;  ///< in a launch description, for messages; no file: not from one
};

class KernelRunner {
 public:
  virtual ~KernelRunner() = default;
  /// Runs the launch to its end. Memory effects are complete on return.
  virtual void run(const KernelLaunch& launch, DeviceMemory& memory) = 0;
  /// Runs launches that may share the machine, to the end of all; if not overridden in turn.
  virtual void run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) {
    for (const KernelLaunch& launch : launches) run(launch, memory);
  }
};

}  // namespace paws
