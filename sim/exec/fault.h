// SPDX-License-Identifier: MIT
// Errors of a running kernel: one line with PTX position, kernel, block, warp, thread and cause.
#pragma once

#include <cstdint>
#include <string>

#include "sim/exec/decoded.h"

namespace paws::exec {

/// Throws InputError for a whole warp (`lane` < 0) or for one of its lanes.
[[noreturn]] void fault(const Decoded& in, const WarpContext& ctx, int lane,
                        const std::string& cause);

/// An access of `bytes` at `address` of `space` by `lane` lies outside: throws InputError, or adds
/// it to the errors that are tolerated.
void outside(const Decoded& in, const WarpContext& ctx, unsigned lane, ir::Space space,
             std::uint64_t address, unsigned bytes);

/// Throws InputError for an access of `bytes` at `address` of `space` by `lane`: not a multiple of
/// `alignment`, outside, or a write to read-only memory. Global addresses are told relative to the
/// nearest allocation.
[[noreturn]] void access_fault(const Decoded& in, const WarpContext& ctx, unsigned lane,
                               ir::Space space, std::uint64_t address, unsigned bytes,
                               unsigned alignment);
/// The same of an access that is aligned to its size.
[[noreturn]] inline void access_fault(const Decoded& in, const WarpContext& ctx, unsigned lane,
                                      ir::Space space, std::uint64_t address, unsigned bytes) {
  access_fault(in, ctx, lane, space, address, bytes, bytes);
}

}  // namespace paws::exec
