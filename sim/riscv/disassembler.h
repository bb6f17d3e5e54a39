// SPDX-License-Identifier: MIT
// LLVM's disassembler on a RISC-V binary.
#pragma once

#include <string>

namespace paws::riscv {

/// Whether `path` begins as an ELF file does; false for a file that cannot be read.
bool is_elf(const std::string& path);

/// What `llvm-objdump -d` prints for `path`: every executable section, registers by number. Throws
/// InputError for a file that is no RISC-V ELF file or has no code, and where the disassembler is
/// not installed.
std::string disassemble(const std::string& path);

}  // namespace paws::riscv
