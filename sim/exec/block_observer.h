// SPDX-License-Identifier: MIT
// Watching a block execute, instruction by instruction: checks of kernels attach here. A block
// without an observer pays for this with a test of one pointer per instruction.
//
// An observer belongs to one block slot and is called by the host thread that executes that block.
// It must not change anything.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "sim/exec/barriers.h"
#include "sim/exec/warp_executor.h"
#include "sim/ir/kernel.h"

namespace paws::exec {

struct Decoded;
struct WarpContext;

using Lanes = std::array<std::uint64_t, ir::kWarpSize>;

/// An instruction that a warp executes next. Nothing of it has happened yet.
class PendingInstruction {
 public:
  PendingInstruction(const Decoded& in, const WarpContext& ctx, std::uint32_t pc, LaneMask live)
      : in_(in), ctx_(ctx), pc_(pc), live_(live) {}

  [[nodiscard]] const ir::Instruction& ir() const;
  [[nodiscard]] std::uint32_t pc() const { return pc_; }
  [[nodiscard]] unsigned warp() const;
  [[nodiscard]] LaneMask active() const;  ///< lanes that execute it, never 0
  /// Lanes of the warp that have not ended; those that wait for the others and can do nothing more
  /// but end count as ended, as behind `if (i >= n) return;`.
  [[nodiscard]] LaneMask live() const { return live_; }

  [[nodiscard]] bool has_source(unsigned n) const;
  /// Source `n` in every lane, to its width; predicates as 0 and 1.
  [[nodiscard]] Lanes source(unsigned n) const;
  /// Of a memory operation: the address of every lane, as the instruction's state space counts.
  [[nodiscard]] Lanes addresses() const;
  /// The block's shared memory.
  [[nodiscard]] const std::byte* shared() const;
  [[nodiscard]] const DeviceMemory& memory() const;

 private:
  const Decoded& in_;
  const WarpContext& ctx_;
  std::uint32_t pc_;
  LaneMask live_;
};

class BlockObserver {
 public:
  virtual ~BlockObserver() = default;
  /// The slot takes up a new block: its memory is clear, its warps are at their first instruction.
  virtual void started(const Dim3& block, std::uint64_t index) = 0;
  virtual void executing(const PendingInstruction& instruction) = 0;
  /// What an instruction that has been executing() does to global memory happens next, in the lanes
  /// that are active now. With timing that is later than the instruction's issue: a block's
  /// accesses come in the order of their issue, and those of all blocks one at a time, in the order
  /// in which they take effect. Not called for bulk copies into global memory.
  virtual void accessing(const PendingInstruction& instruction) = 0;
  /// The copies for which an instruction waits that has been executed (`in`, with
  /// ir::Instruction::after_copies) have come: its arrival takes effect next on the object in
  /// `shared` memory.
  virtual void arriving(const ir::Instruction& in, const LateArrival& arrival,
                        const std::byte* shared) = 0;
  /// A barrier has completed and lets these warps go on.
  virtual void released(BlockWarpMask warps) = 0;
};

/// Makes the observer of one block slot. Called by one thread.
using BlockObserverFactory = std::function<std::unique_ptr<BlockObserver>()>;

}  // namespace paws::exec
