// SPDX-License-Identifier: MIT
// Runs launches with every block checked.
#pragma once

#include <cstdint>

#include "sim/exec/kernel_runner.h"
#include "sim/sanitize/finding.h"

namespace paws::sanitize {

/// Passes launches on to a runner, which may have timing or not, and adds what it finds to a
/// report, after every launch, failed ones included.
class CheckingRunner : public KernelRunner {
 public:
  CheckingRunner(KernelRunner& runner, Report& report) : runner_(runner), report_(report) {}
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    run_together({&launch, 1}, memory);
  }
  void run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) override;

 private:
  KernelRunner& runner_;
  Report& report_;
  std::uint64_t launches_ = 0;
};

}  // namespace paws::sanitize
