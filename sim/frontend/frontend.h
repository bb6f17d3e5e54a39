// SPDX-License-Identifier: MIT
// From PTX text to kernels that the simulator runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/frontend/latency.h"
#include "sim/frontend/phases.h"
#include "sim/frontend/register_file.h"
#include "sim/ir/kernel.h"

namespace paws::frontend {

using KernelFilter = std::function<bool(const std::string& kernel)>;
using KernelBlock = std::function<unsigned(const std::string& kernel)>;

/// What other modules take of the memory for variables: Module::global_bytes and constant_bytes.
struct TakenMemory {
  std::uint64_t global_bytes = 0;
  std::uint64_t constant_bytes = 0;
};

struct FrontendOptions {
  /// Which kernels to compile, by their names in the file; empty: all. What the others contain need
  /// not be supported then.
  KernelFilter wanted;

  /// The module's variables lie behind.
  TakenMemory taken;

  LatencyTable latencies;
  PhaseRule phases;

  // What brings PTX closer to machine code; each step can be left out.
  bool remove_copies = true;  ///< propagate and coalesce moves, address conversions that do nothing
  bool remove_dead_code = true;       ///< drop instructions whose results nobody reads
  bool schedule = true;               ///< list scheduling inside basic blocks
  unsigned pressure_limit = 32;       ///< 32-bit registers beyond which scheduling saves registers
  unsigned load_latency = 200;        ///< cycles that scheduling expects of a long operation
  unsigned shared_load_latency = 24;  ///< cycles that scheduling expects of a shared load

  /// Added to the largest number of registers live at once: the stack pointer, which NVIDIA's ABI
  /// always reserves, and one that is lost to the alignment of 64-bit pairs.
  unsigned reserved_registers = 2;

  /// Bounds the registers of a thread: as many as an instruction can name, as .maxnreg says, and as
  /// let one block, or .minnctapersm of them, fit on a core. What a kernel needs beyond is spilled:
  /// it counts in Kernel::spilled_registers, and its loads and stores are not modelled.
  RegisterFile register_file;

  /// Threads of the largest block that a kernel is launched with, for kernels that do not declare
  /// it (.maxntid, .reqntid); 0, or no function: not known, no bound.
  KernelBlock launched_threads;

  /// Machine registers per thread, instead of the estimate; 0: estimate.
  unsigned registers_per_thread = 0;
};

/// Reads a PTX file. Throws InputError "file:line: cause".
ir::Module compile_file(const std::string& path, const FrontendOptions& options = {});

/// The same for text in memory; `name` stands for the file in messages.
ir::Module compile_text(std::string text, const std::string& name,
                        const FrontendOptions& options = {});

}  // namespace paws::frontend
