// SPDX-License-Identifier: MIT
// Where the lanes of a memory instruction access.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/exec/decoded.h"

namespace paws::exec {

/// A stretch of memory: `data` is the byte at `base`. No data: not usable.
struct Window {
  std::uint64_t base = 0;
  std::uint64_t bytes = 0;
  std::byte* data = nullptr;
};

/// The window that holds a space's addresses as they stand; for global the allocation that the
/// instruction accessed last, which need not be the right one.
Window window_of(const Decoded& in, const WarpContext& ctx, ir::Space space);

/// The generic address of a space's address 0; 0 for global and generic addresses.
std::uint64_t window_base(ir::Space space);

/// Host pointer to `bytes` at a generic address as `lane` sees it; nullptr when any of them is
/// outside.
std::byte* host_address(const WarpContext& ctx, unsigned lane, std::uint64_t address,
                        std::uint64_t bytes);

/// Whether the instruction can access global memory.
bool may_access_global(const ir::Instruction& in);

/// Whether the instruction writes the memory whose addresses Outcome has.
bool stores(const ir::Instruction& in);

/// The address of every lane.
void addresses_of(const Decoded& in, const WarpContext& ctx,
                  std::array<std::uint64_t, ir::kWarpSize>& addresses);

/// The space of a generic address.
ir::Space space_of(std::uint64_t address);

/// Those of the active lanes whose generic address is a global one.
LaneMask global_lanes(const WarpContext& ctx,
                      const std::array<std::uint64_t, ir::kWarpSize>& addresses);

/// Generic addresses of the active lanes: resolved to one space (addresses become offsets in its
/// window) when they share one, else Space::generic and unchanged.
ir::Space resolve_generic(const WarpContext& ctx,
                          std::array<std::uint64_t, ir::kWarpSize>& addresses);

/// Host pointers of the active lanes, one by one, for accesses that the fast path could not
/// take in: several allocations, several windows, or an error, which throws InputError. An access
/// outside that is tolerated reads zeros, and writes what nobody reads.
void resolve_lanes(const Decoded& in, WarpContext& ctx, ir::Space space, unsigned bytes,
                   const std::array<std::uint64_t, ir::kWarpSize>& addresses,
                   std::array<std::byte*, ir::kWarpSize>& lanes);

/// Tells who watches (WarpContext::accesses is not null) of a store to global memory at `place` of
/// the allocation that the instruction accessed last. Throws OrderMatters.
void tell_store(const Decoded& in, const WarpContext& ctx, std::uint64_t place,
                std::uint64_t bytes);

}  // namespace paws::exec
