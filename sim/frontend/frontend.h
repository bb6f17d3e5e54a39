// SPDX-License-Identifier: MIT
// From PTX text to kernels that the simulator runs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/config/frontend_settings.h"
#include "sim/ir/kernel.h"

namespace paws::frontend {

using KernelFilter = std::function<bool(const std::string& kernel)>;
using KernelBlock = std::function<unsigned(const std::string& kernel)>;

/// What other modules take of the memory for variables: Module::global_bytes and constant_bytes.
struct TakenMemory {
  std::uint64_t global_bytes = 0;
  std::uint64_t constant_bytes = 0;
};

/// cudaLimitStackSize until a program sets it.
inline constexpr std::uint32_t kDefaultStackBytes = 1024;

/// What one compilation is asked for, beside the settings of the GPU configuration.
struct FrontendOptions : FrontendSettings {
  /// Which kernels to compile, by their names in the file; empty: all. What the others contain need
  /// not be supported then.
  KernelFilter wanted{};

  /// The module's variables lie behind.
  TakenMemory taken{};

  /// Threads of the largest block that a kernel is launched with, for kernels that do not declare
  /// it (.maxntid, .reqntid); 0, or no function: not known, no bound.
  KernelBlock launched_threads{};

  /// Of a thread's stack, for calls of recursive functions; the default is CUDA's.
  std::uint32_t stack_bytes = kDefaultStackBytes;
};

/// Reads a PTX file. Throws InputError "file:line: cause".
ir::Module compile_file(const std::string& path, const FrontendOptions& options = {});

/// The same for text in memory; `name` stands for the file in messages.
ir::Module compile_text(std::string text, const std::string& name,
                        const FrontendOptions& options = {});

}  // namespace paws::frontend
