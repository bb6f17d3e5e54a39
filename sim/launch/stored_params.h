// SPDX-License-Identifier: MIT
// Which parameters of a kernel point to what it writes.
#pragma once

#include <cstdint>
#include <set>

#include "sim/ir/kernel.h"

namespace paws {

/// Places in the parameter block, in bytes, of the pointers by way of which a kernel writes to
/// global memory.
struct StoredParams {
  std::set<std::uint32_t> stores;
  std::set<std::uint32_t> atomics;  ///< atomics and reductions
};

/// Follows every 64-bit value of the parameter block through the registers, whichever way the
/// kernel takes: a value that an address comes from is taken for its pointer, so there may be too
/// many. Pointers that the kernel reads from memory are not seen.
StoredParams stored_params(const ir::Kernel& kernel);

}  // namespace paws
