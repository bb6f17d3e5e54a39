// SPDX-License-Identifier: MIT
// From the addresses of a warp to memory transactions and shared-memory passes.
#pragma once

#include <array>
#include <cstdint>

#include "sim/exec/resident_block.h"
#include "sim/exec/texel_sampler.h"
#include "sim/memory/sectors.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

struct Transaction {
  std::uint64_t line = 0;       ///< 128-byte line address
  std::uint32_t bytes = 0;      ///< payload of a store: touched 32-byte sectors
  std::uint32_t conflicts = 1;  ///< lanes on the most contended word (atomics)
  memory::SectorMask sectors = memory::kAllSectors;  ///< touched
  std::uint8_t turn = 0;  ///< transactions of one turn are looked up together (take_turns)
};

/// A 16-byte vector access of 32 lanes can touch two lines a lane, one to local memory, whose words
/// lie apart, four, and a texture fetch a line for each texel that it filters.
inline constexpr unsigned kMaxTransactions = exec::kMaxTexels * ir::kWarpSize;

struct Transactions {
  std::array<Transaction, kMaxTransactions> list;
  unsigned count = 0;
};

/// The distinct 128-byte lines that the active lanes touch, in lane order (one transaction each,
/// as compute capability 2.x does through its L1); of a texture fetch those of all its texels.
/// `conflicts` is worked out for atomics only.
void coalesce(const exec::Outcome& outcome, bool atomic, Transactions& transactions);

/// Makes a transaction of every line of `line_bytes` (32, 64 or 128) that they touch, of which it
/// asks for all. Of texels, none of which crosses a line, these are no more than kMaxTransactions.
void split_lines(Transactions& transactions, unsigned line_bytes);

/// Counts a load whose threads all access global memory. Its transactions are sectors in an L1 that
/// is `sectored`, else lines.
void count_global_load(const exec::Outcome& outcome, const Transactions& transactions,
                       bool sectored, CoreStatistics& statistics);

/// Gives every transaction its turn, and puts them in this order: each of `banks` banks of tags (a
/// power of two) looks up one line per turn. The bank of a line is the exclusive or of all digits
/// of its number to the base `banks`: with four banks this is within 2 % of the measured turns of
/// an A100 over 128 strides, and the plain last digit within 16 % (docs/reference/simulator.md, "L1
/// look-ups").
void take_turns(Transactions& transactions, unsigned banks);

/// Passes that a shared-memory access needs: the largest number of distinct words that one bank
/// must deliver; lanes that read the same word share it. Accesses of 8 and 16 bytes go by half and
/// quarter warps. Atomics: lanes of one bank go one after another.
unsigned shared_passes(const exec::Outcome& outcome, unsigned banks, bool atomic);

}  // namespace paws::core
