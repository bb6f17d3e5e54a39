// SPDX-License-Identifier: MIT
#include "sim/riscv/length_image.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "sim/support/error.h"

namespace paws::riscv {
namespace {

constexpr std::uint64_t kMostEntries = 1U << 24U;

}  // namespace

LengthImage length_image(const std::string& path, const std::vector<Function>& functions, Held held,
                         unsigned bits) {
  LengthImage image;
  image.bits = bits;
  std::uint64_t low = ~std::uint64_t{0};
  std::uint64_t high = 0;
  for (const Function& function : functions) {
    for (const Instruction& instruction : function.code) {
      low = std::min(low, instruction.address);
      high = std::max(high, instruction.address);
      if (instruction.address % 4 != 0) image.shift = 1;
    }
  }
  if (low > high) return image;
  image.base = low;
  const std::uint64_t count = ((high - low) >> image.shift) + 1;
  if (count > kMostEntries) {
    throw InputError(path, fmt::format("code from {:#x} to {:#x} needs {} entries, more than {}",
                                       low, high, count, kMostEntries));
  }
  const auto largest = static_cast<std::uint16_t>((1U << bits) - 1);
  image.entries.assign(count, largest);
  std::vector<bool> taken(count, false);
  for (const Function& function : functions) {
    for (const Instruction& instruction : function.code) {
      const std::uint64_t entry = (instruction.address - low) >> image.shift;
      if (taken[entry]) {
        throw InputError(path,
                         fmt::format("two instructions have the address {:#x}: link the file first",
                                     instruction.address));
      }
      taken[entry] = true;
      const std::uint32_t length =
          held == Held::length ? function.phases[instruction.phase].length : instruction.distance;
      image.entries[entry] = static_cast<std::uint16_t>(std::min<std::uint32_t>(length, largest));
    }
  }
  return image;
}

std::string to_hexadecimal(const LengthImage& image) {
  std::string text = fmt::format("// base {:#x}, {} bytes for each entry, {} entries of {} bits\n",
                                 image.base, 1U << image.shift, image.entries.size(), image.bits);
  for (const std::uint16_t entry : image.entries) {
    fmt::format_to(std::back_inserter(text), "{:0{}x}\n", entry, (image.bits + 3) / 4);
  }
  return text;
}

}  // namespace paws::riscv
