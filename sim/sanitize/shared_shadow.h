// SPDX-License-Identifier: MIT
// The threads that last wrote and read each byte of a block's shared memory.
//
// Bytes that no instruction of the kernel tells apart share a cell: a cell is as wide as the
// narrowest access, and accesses are aligned, so every access covers whole cells.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/sanitize/barrier_clocks.h"

namespace paws::sanitize {

/// One thread's execution of an instruction.
struct Site {
  std::uint32_t pc = 0;
  std::uint8_t warp = 0;
  std::uint8_t lane = 0;
};

/// What an access meets.
struct Encounter {
  bool uninitialised = false;  ///< no thread of the block has written what is read
  bool written = false;        ///< an unordered write by another warp
  bool read = false;           ///< an unordered read by another warp
  Site writer, reader;         ///< of those
};

class SharedShadow {
 public:
  /// `bytes` of shared memory in cells of `cell` bytes, a power of two; for blocks of `warps`
  /// warps.
  SharedShadow(std::uint64_t bytes, unsigned cell, unsigned warps);

  /// A new block: no thread has written or read anything.
  void start();

  /// Each notes an access of `bytes` at `address`, within the memory and aligned to `bytes`, and
  /// returns what it meets.
  Encounter read(Site by, std::uint64_t address, unsigned bytes, const BarrierClocks& clocks);
  Encounter write(Site by, std::uint64_t address, unsigned bytes, const BarrierClocks& clocks);
  /// Reads and writes in one. Atomics do not race with each other.
  Encounter update(Site by, std::uint64_t address, unsigned bytes, const BarrierClocks& clocks);

  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }

 private:
  struct Cell {
    std::uint32_t period = 0;  ///< of the last writer's clock; 0: never written
    std::uint32_t pc = 0;
    exec::BlockWarpMask readers = 0;  ///< warps that have read since
    std::uint8_t warp = 0;
    std::uint8_t lane = 0;
    bool atomic = false;
  };
  struct Read {
    std::uint32_t period = 0;
    std::uint32_t pc = 0;
    std::uint8_t lane = 0;
  };

  void replace(Site by, std::size_t index, bool atomic, const BarrierClocks& clocks,
               Encounter& met);

  std::uint64_t bytes_;
  unsigned shift_;
  unsigned warps_;
  std::vector<Cell> cells_;
  std::vector<Read> reads_;  ///< per cell and warp; of no meaning where `readers` has no bit
};

}  // namespace paws::sanitize
