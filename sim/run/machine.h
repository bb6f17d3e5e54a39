// SPDX-License-Identifier: MIT
// What runs the kernel launches of a request: the GPU model with its schedulers and everything that
// watches them, or functional execution alone.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/exec/kernel_runner.h"
#include "sim/run/simulation.h"

namespace paws {

class Machine : public KernelRunner {
 public:
  /// Reads and checks what the request says of GPU, schedulers and engine. `request` must outlive
  /// the machine. Throws InputError.
  explicit Machine(const SimulationRequest& request);
  ~Machine() override;
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  [[nodiscard]] const GpuConfig& config() const;

  /// Switches the machine on; before the first launch. `max_cycles`: of a launch, if the request
  /// says nothing; nothing: the default. `module_name` names the module of a launch, empty when
  /// there is only one.
  void start(std::optional<std::uint64_t> max_cycles,
             std::function<std::string(const KernelLaunch&)> module_name);

  /// Runs launches as the request says. Throws as simulate() does; after an error the machine is of
  /// no further use.
  void run(const KernelLaunch& launch, DeviceMemory& memory) override;
  void run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) override;

  /// Ends what is written beside the launches; after the last one, unless a launch has failed.
  void finish();

  /// Runs a launch for its values alone, whatever the request says of timing. It is not among the
  /// launches of the result. `touch`: the L2 then has the lines that it has used.
  void run_for_values(const KernelLaunch& launch, DeviceMemory& memory, bool touch);

  /// Warp instructions of all launches of run_for_values() so far.
  [[nodiscard]] std::uint64_t warp_instructions_for_values() const;

  /// Core cycles of all timed launches so far.
  [[nodiscard]] std::uint64_t cycles() const;
  /// Of the last timed launch; null: there was none.
  [[nodiscard]] const LaunchStatistics* last_launch() const;

  /// What the check has found so far.
  [[nodiscard]] const sanitize::Report& found() const;

  /// Fills in all that the machine knows: everything but workload, verdict and host time.
  void report(SimulationResult& result) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace paws
