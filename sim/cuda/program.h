// SPDX-License-Identifier: MIT
// A program as a file: whether this CUDA runtime can serve it.
#pragma once

#include <filesystem>
#include <string>

namespace paws::cuda {

enum class ProgramKind : std::uint8_t {
  shared_runtime,  ///< asks for libcudart.so
  static_runtime,  ///< has device code and the runtime within
  no_cuda,         ///< neither, as far as the file itself says; its libraries may
  other            ///< no ELF file of this machine: a script, for example
};

/// The file that `word` names, found as a shell finds it. Throws InputError when there is none that
/// can be executed.
std::filesystem::path find_program(const std::string& word);

/// Reads the file's headers. Throws InputError when it cannot be read.
ProgramKind kind_of(const std::filesystem::path& program);

}  // namespace paws::cuda
