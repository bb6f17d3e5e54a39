// SPDX-License-Identifier: MIT
// A block in a block slot of a core, as far as it does not matter what its warps are: warps of 32
// threads (sim/exec/resident_block.h) or large warps (sim/exec/resident_large_block.h).
#pragma once

#include <cstdint>
#include <string>

namespace paws::exec {

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  [[nodiscard]] std::uint64_t count() const { return std::uint64_t{x} * y * z; }
};

/// Warps are numbered within the block. One host thread at a time calls.
class StandingBlock {
 public:
  virtual ~StandingBlock() = default;

  /// Takes up block `index` of the grid, linear, x fastest: every warp at its first instruction,
  /// nothing left of the block before.
  virtual void start(std::uint64_t index) = 0;

  [[nodiscard]] virtual std::uint64_t index() const = 0;
  [[nodiscard]] virtual Dim3 coordinates() const = 0;  ///< of the block, for messages

  /// The warp's next instruction: an index into the kernel's code, by which timing knows it. Void
  /// when the warp has ended.
  [[nodiscard]] virtual std::uint32_t pc(unsigned warp) const = 0;
  [[nodiscard]] virtual bool done(unsigned warp) const = 0;  ///< the warp has ended
  /// The warp stands at a barrier and must not execute. Its pc is behind the barrier.
  [[nodiscard]] virtual bool at_barrier(unsigned warp) const = 0;

  /// What a message is to add that the warp runs for ever: that its threads may wait for each
  /// other. Empty if they do not, as far as the block knows.
  [[nodiscard]] virtual std::string endless(unsigned /*warp*/) const { return {}; }

  /// Warp instructions executed since start().
  [[nodiscard]] virtual std::uint64_t executed() const = 0;
};

}  // namespace paws::exec
