// SPDX-License-Identifier: MIT
// Handlers that do not compute lane by lane: they look across lanes or at memory one lane after
// the other. Each returns nullptr when it has none for the instruction.
#pragma once

#include <cstddef>
#include <vector>

#include "sim/exec/decoded.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

/// atom and red: lanes in order, each lane's read and write before the next one's.
Handler select_atomic(const ir::Instruction& in);

/// vote, match, redux, activemask, bar.warp.sync.
Handler select_warp_wide(const ir::Instruction& in);

/// mma, movmatrix, ldmatrix, stmatrix.
Handler select_matrix(const ir::Instruction& in);

/// cp.async, and operations on barrier objects.
Handler select_asynchronous(const ir::Instruction& in);

/// Active lanes whose cp.async fills shared memory with zeros and reads nothing; none of another
/// instruction.
LaneMask lanes_that_copy_nothing(const Decoded& in, const WarpContext& ctx);

/// What an instruction with ir::Instruction::after_copies, of `pc`, wants to do to barrier objects
/// goes to Outcome::arrivals.
void tell_arrivals(const Decoded& in, WarpContext& ctx, std::uint32_t pc);
/// Does one of them. Throws InputError when the object does not expect it.
void perform_arrival(const Decoded& in, WarpContext& ctx, const LateArrival& arrival);
/// How much each lane of a bulk copy copies goes to Outcome::bulk_bytes.
void tell_bulk_bytes(const Decoded& in, WarpContext& ctx);
/// What a bulk copy to global memory has read from shared memory, and where it is to go. Throws
/// InputError for a place outside shared memory, or not a multiple of 16.
std::vector<std::byte> captured_copies(const Decoded& in, WarpContext& ctx);
/// Writes it. Throws InputError for an address outside global memory, or not a multiple of 16.
void store_captured(const Decoded& in, const WarpContext& ctx,
                    const std::vector<std::byte>& captured);

/// tex, suld, sust and queries.
Handler select_texture(const ir::Instruction& in);

/// vprintf: all active lanes, lowest first.
Handler select_print(const ir::Instruction& in);

}  // namespace paws::exec
