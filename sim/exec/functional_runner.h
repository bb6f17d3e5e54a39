// SPDX-License-Identifier: MIT
// Runs a launch for its values alone, without timing.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>

#include "sim/exec/kernel_runner.h"

namespace paws::exec {

/// Block after block, the warps of a block in turn. A kernel that can never end is an InputError:
/// when every warp left stands at a barrier, and when the launch exceeds `max_instructions` warp
/// instructions. `interrupted`, asked now and then, ends the launch with Interrupted.
class FunctionalRunner : public KernelRunner {
 public:
  /// What a GPU of 16 cores can issue in a cycle. So a limit of cycles is one of instructions.
  static constexpr std::uint64_t kInstructionsPerCycle = 16;
  /// As many as the default of --max-cycles lets such a GPU issue.
  static constexpr std::uint64_t kDefaultMaxInstructions = 50'000'000 * kInstructionsPerCycle;

  explicit FunctionalRunner(std::uint64_t max_instructions = kDefaultMaxInstructions,
                            std::function<bool()> interrupted = {})
      : max_instructions_(max_instructions), interrupted_(std::move(interrupted)) {}

  void run(const KernelLaunch& launch, DeviceMemory& memory) override;

  /// Of all launches so far: warp instructions, and the lanes that executed them.
  [[nodiscard]] std::uint64_t warp_instructions() const { return warp_instructions_; }
  [[nodiscard]] std::uint64_t thread_instructions() const { return thread_instructions_; }

 private:
  void run_block(Block& block, const ir::Kernel& kernel, std::uint64_t limit);

  std::uint64_t max_instructions_;
  std::function<bool()> interrupted_;
  std::uint64_t warp_instructions_ = 0;
  std::uint64_t thread_instructions_ = 0;
};

}  // namespace paws::exec
