// SPDX-License-Identifier: MIT
// Lengths of machine code as the contents of a memory beside a decoder (rtl/paws_length_store.sv).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/riscv/machine_code.h"

namespace paws::riscv {

/// What the memory holds: the length of an instruction's phase (two levels), or what is left of it
/// (single level).
enum class Held : std::uint8_t { length, distance };

/// A memory with one entry for every 2^shift bytes from `base` on.
struct LengthImage {
  std::uint64_t base = 0;
  unsigned shift = 2;  ///< 1 if an instruction begins at an address that 4 does not divide
  unsigned bits = 9;
  std::vector<std::uint16_t> entries;  ///< the largest value where no instruction begins
};

/// Lengths of `bits` bits; longer ones are the largest value. Throws InputError if two instructions
/// of `path` have the same address, as in an object file that is not linked, or if the memory would
/// have more than 2^24 entries.
LengthImage length_image(const std::string& path, const std::vector<Function>& functions, Held held,
                         unsigned bits);

/// For $readmemh, an entry in a line, behind a comment that says base, shift and bits.
std::string to_hexadecimal(const LengthImage& image);

}  // namespace paws::riscv
