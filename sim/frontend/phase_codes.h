// SPDX-License-Identifier: MIT
// Codes of a few bits in place of phase lengths and distances.
//
// A scheduler compares lengths, so their order is all that counts, and the compiler knows every
// length of a kernel. It cuts their range into classes and numbers these from the shortest on: a
// shorter phase never has the larger code, and none is too long for the field.
//
// Where there are more lengths than codes, some that differ are equal to the scheduler. Running the
// longer of two phases first delays the sum of their ends by the difference of their lengths, so
// the borders are those with the least expected difference of two phases that meet in one class,
// each drawn as often as the static code says it runs.
//
// Codes of different kernels have nothing to do with each other, unless the kernels are coded
// together (phases.common_code): warps of kernels that share a core are compared.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sim/config/frontend_settings.h"
#include "sim/ir/kernel.h"

namespace paws::frontend {

/// A length, and how often it is drawn.
struct WeightedLength {
  std::uint32_t length = 0;  ///< cycles
  double weight = 1;         ///< above 0
};

/// The longest length of each class, ascending; at most 2^`bits` classes (`bits`: 1 to
/// paws::kMostCodeBits), and no more than there are lengths. In any order, and a length may be
/// named several times.
std::vector<std::uint32_t> class_borders(std::span<const WeightedLength> lengths, unsigned bits);

/// The class of `length`, which is no longer than the last border.
std::uint16_t code_of(std::uint32_t length, std::span<const std::uint32_t> borders);

/// How often each instruction runs for every time that the kernel does, as far as its loops say:
/// ten times as often for each backward branch around it.
std::vector<double> static_frequencies(const ir::Kernel& kernel);

/// Fills the codes of phases and instructions from their lengths and distances, in `bits` bits
/// (phases.code). 0: there are none. The kernels share their classes, and count the same in their
/// choice: how often each of them runs is not known.
void assign_codes(std::span<ir::Kernel* const> kernels, unsigned bits);

/// The same for every kernel of the modules, which are a program: each kernel alone, or all
/// together (phases.common_code).
void assign_codes(std::span<ir::Module> modules, const FrontendSettings& settings);

}  // namespace paws::frontend
