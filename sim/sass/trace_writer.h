// SPDX-License-Identifier: MIT
// Writes what our own kernels execute as traces in Accel-Sim's format.
//
// A trace written here and read back is timed as the kernel itself: the code is all there, executed
// or not, and every virtual register keeps a name of its own. docs/reference/sass_traces.md says
// what these traces have beyond those of a machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "sim/exec/kernel_runner.h"

namespace paws::sass {

/// Passes launches on to another runner and writes the trace of each. Nothing of a launch that
/// fails is left, and the list is written by finish() alone.
class TraceWriter final : public KernelRunner {
 public:
  using Registers = std::function<unsigned(const KernelLaunch& launch)>;

  /// Traces go to `folder`, which is made if it is not there. `registers` says how many a thread of
  /// a launch holds; `made_by`, one line, what run the traces are of. Throws InputError when the
  /// folder cannot be used or has a list already.
  TraceWriter(std::filesystem::path folder, KernelRunner& runner, Registers registers,
              std::string made_by);

  void run(const KernelLaunch& launch, DeviceMemory& memory) override;
  /// Throws InputError for more than one launch: traces are one after the other.
  void run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) override;

  /// Writes the list.
  void finish();

  [[nodiscard]] std::filesystem::path list() const { return folder_ / "kernelslist.g"; }

  /// A kernel's code as it stands in traces.
  struct Code {
    std::vector<std::string> text;  ///< by pc: "1 R4 LDG.E 1 R2"
    std::vector<std::string> tail;  ///< by pc: the immediates
    std::string header;             ///< the lines "-paws ..."
  };

 private:
  [[nodiscard]] std::string header_of(const KernelLaunch& launch, const Code& code) const;

  std::filesystem::path folder_;
  KernelRunner& runner_;
  Registers registers_;
  std::string made_by_;
  std::string list_;
  std::uint64_t launches_ = 0;
  std::map<const ir::Kernel*, Code> codes_;
};

}  // namespace paws::sass
