// SPDX-License-Identifier: MIT
// Writes what our own kernels execute as traces in Accel-Sim's format.
//
// A trace written here and read back is timed as the kernel itself: the code is all there, executed
// or not, and every virtual register keeps a name of its own. docs/reference/sass_traces.md says
// what these traces have beyond those of a machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "sim/exec/execution_listener.h"
#include "sim/exec/functional_runner.h"
#include "sim/exec/kernel_runner.h"

namespace paws::sass {

/// A runner that executes each launch for its values and writes its trace. Nothing of a launch that
/// fails is left, and the list is written by finish() alone.
class TraceWriter final : public KernelRunner, private exec::ExecutionListener {
 public:
  using Registers = std::function<unsigned(const KernelLaunch& launch)>;

  /// Traces go to `folder`, which is made if it is not there. `registers` says how many a thread of
  /// a launch holds. Throws InputError when the folder cannot be used or has a list already.
  TraceWriter(std::filesystem::path folder, exec::FunctionalRunner& runner, Registers registers);
  ~TraceWriter() override;
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;

  void run(const KernelLaunch& launch, DeviceMemory& memory) override;
  /// Throws InputError for more than one launch: traces are one after the other.
  void run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) override;

  /// Writes the list.
  void finish();

  [[nodiscard]] std::uint64_t launches() const { return launches_; }
  [[nodiscard]] std::filesystem::path list() const { return folder_ / "kernelslist.g"; }

 private:
  struct Code {
    std::vector<std::string> text;  ///< by pc: "1 R4 LDG.E 1 R2"
    std::vector<std::string> tail;  ///< by pc: the immediates
    std::string header;             ///< the lines "-paws ..."
  };

  void block_started(std::uint64_t index) override;
  void executed(unsigned warp, std::uint32_t pc, const exec::Outcome& outcome) override;
  void block_ended() override;
  static Code code_of(const ir::Kernel& kernel);
  void write_header(const KernelLaunch& launch);
  void append_addresses(std::string& to, const ir::Instruction& in,
                        const exec::Outcome& outcome) const;
  void put(const std::string& text);

  std::filesystem::path folder_;
  exec::FunctionalRunner& runner_;
  Registers registers_;
  std::string list_;
  std::uint64_t launches_ = 0;
  std::map<const ir::Kernel*, Code> codes_;
  // --- of the launch that runs ---
  const KernelLaunch* launch_ = nullptr;
  const Code* code_ = nullptr;
  std::filesystem::path part_;  ///< the unfinished file; empty: none
  std::ofstream file_;
  std::uint64_t block_ = 0;
  struct Warp {
    std::uint64_t instructions = 0;
    std::string lines;
  };
  std::vector<Warp> warps_;
};

}  // namespace paws::sass
