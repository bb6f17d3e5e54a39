// SPDX-License-Identifier: MIT
#include "sim/exec/functional_runner.h"

#include <bit>
#include <sstream>
#include <string>

#include "sim/exec/decoded.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

/// Instructions that a warp runs before its turn ends, so that one which polls memory lets the
/// others change it.
constexpr unsigned kTurn = 4096;

/// "kernel 'k', block (0,0,0)"
std::string place(const ir::Kernel& kernel, const Block& block) {
  const Dim3 at = block.coordinates();
  std::ostringstream text;
  text << "kernel '" << kernel.name << "', block (" << at.x << "," << at.y << "," << at.z << ")";
  return text.str();
}

[[noreturn]] void report_deadlock(const ir::Kernel& kernel, const Block& block) {
  std::ostringstream warps;
  std::uint32_t line = 0;
  for (unsigned warp = 0; warp < block.warps(); ++warp) {
    if (!block.at_barrier(warp)) continue;
    // The pc is behind the barrier, unless the barrier ended a path.
    const std::uint32_t pc = block.pc(warp);
    const std::uint32_t barrier = pc > 0 ? pc - 1 : pc;
    if (line == 0) line = kernel.code[barrier].line;
    warps << (warps.tellp() > 0 ? ", " : "") << warp;
  }
  throw InputError(kernel.file, line,
                   place(kernel, block) + ": deadlock, every warp that has not ended waits at a " +
                       "barrier that cannot complete (warps " + warps.str() + ")");
}

void check_launch(const KernelLaunch& launch) {
  const ir::Kernel& kernel = *launch.kernel;
  if (launch.params.size() != kernel.param_bytes) {
    throw InputError(kernel.file, "kernel '" + kernel.name + "' takes " +
                                      std::to_string(kernel.param_bytes) +
                                      " bytes of parameters, the launch gives " +
                                      std::to_string(launch.params.size()));
  }
}

}  // namespace

void FunctionalRunner::run(const KernelLaunch& launch, DeviceMemory& memory) {
  check_launch(launch);
  const Executable executable(*launch.kernel);
  Block block(executable, launch.shape, launch.params.data(), memory, 0, 1);
  if (launch.observe) block.watch(launch.observe());
  const std::uint64_t limit = warp_instructions_ + max_instructions_;
  for (std::uint64_t index = 0; index < launch.shape.grid.count(); ++index) {
    block.start(index);
    run_block(block, *launch.kernel, limit);
  }
}

void FunctionalRunner::run_block(Block& block, const ir::Kernel& kernel, std::uint64_t limit) {
  Outcome outcome;
  for (bool running = true; running;) {
    if (interrupted_ && interrupted_()) {
      throw Interrupted("interrupted in " + place(kernel, block) + ", after " +
                        std::to_string(warp_instructions_) + " warp instructions");
    }
    running = false;
    bool progress = false;
    for (unsigned warp = 0; warp < block.warps(); ++warp) {
      if (block.done(warp)) continue;
      running = true;
      for (unsigned turn = 0; turn < kTurn && !block.done(warp) && !block.at_barrier(warp);
           ++turn) {
        if (warp_instructions_ >= limit) {
          throw InputError(kernel.file, kernel.code[block.pc(warp)].line,
                           place(kernel, block) + ", warp " + std::to_string(warp) + ", pc " +
                               std::to_string(block.pc(warp)) + ": not finished after " +
                               std::to_string(max_instructions_) +
                               " warp instructions (--max-instructions)");
        }
        block.execute(warp, warp_instructions_, outcome);
        ++warp_instructions_;
        thread_instructions_ += outcome.active == kAllLanes
                                    ? ir::kWarpSize
                                    : static_cast<unsigned>(std::popcount(outcome.active));
        progress = true;
      }
    }
    if (running && !progress) report_deadlock(kernel, block);
  }
}

}  // namespace paws::exec
