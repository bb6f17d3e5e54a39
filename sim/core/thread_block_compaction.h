// SPDX-License-Identifier: MIT
// Thread block compaction (Fung and Aamodt, HPCA 2011, section 4): a block has one stack, and
// where its control flow splits or meets, its warps wait for each other and are formed anew.
//
// Of a path of the stack every warp runs on its own, until it comes to a branch that can diverge or
// to the path's end, the point at which control flow meets again. There it waits until all warps of
// the path have come. If the threads then go on at several pcs, the stack gets a path for each, and
// the taken one runs first; if they all go on at one pc, their warps stay as they are.
//
// A path gets its warps when it comes to the top of the stack. The path of all threads has the
// block's rows: the warps of the program. Any other path is packed: in each lane the thread of the
// lowest row goes to the first warp, the next one to the second, and so on.
//
// The warp that has waited for longest is selected: round robin, since a warp that has executed
// waits behind the others. Warps of different blocks do not mix.
#pragma once

#include <cstddef>
#include <deque>

#include "sim/core/warp_former.h"
#include "sim/exec/simt_stack.h"
#include "sim/stats/core_statistics.h"

namespace paws::core {

class ThreadBlockCompaction final : public WarpFormer {
 public:
  /// `rows` of the core: at most 256.
  ThreadBlockCompaction(unsigned rows, FormationCounts& counts) : counts_(counts), homes_(rows) {}

  void begin() override;
  void add_launch(const ir::Kernel& kernel) override { kernels_.push_back(&kernel); }
  void start(std::uint32_t launch, std::span<const std::uint32_t> rows,
             const LargeWarpMask& threads) override;
  /// Lanes without a barrier of a warp that has some held wait with them.
  void retire(const FormedWarp& warp, const NextPcs& next, LaneBits ended, LaneBits held) override;
  void put_back(const FormedWarp& warp) override { waiting_.push_back(warp); }
  void release(std::span<const std::uint32_t> rows, const LargeWarpMask& threads) override;
  [[nodiscard]] bool empty() const override { return waiting_.empty(); }
  FormedWarp select() override;
  [[nodiscard]] std::vector<FormedWarp> waiting() const override {
    return {waiting_.begin(), waiting_.end()};
  }
  [[nodiscard]] std::vector<FormedWarp> held() const override;

 private:
  static constexpr std::uint32_t kNone = 0xffff'ffffU;
  using Stack = exec::SimtStack<LargeWarpMask>;  ///< rows of the block

  struct Block {
    std::uint32_t launch = 0;
    std::vector<std::uint32_t> rows;  ///< of the core
    Stack stack;
    unsigned running = 0;             ///< warps of the path that have not come to its end
    std::vector<FormedWarp> arrived;  ///< those that have
    std::vector<Stack::Leg> legs;     ///< where their threads go on
    std::uint32_t branch = kNone;     ///< pc of the branch that the path ends at
  };
  /// Of a row of the core.
  struct Home {
    std::size_t block = 0;  ///< index in blocks_
    std::size_t row = 0;    ///< of the block
  };
  struct Held {
    FormedWarp warp;
    LaneBits lanes = 0;  ///< at the barrier
  };

  [[nodiscard]] Block& block_of(const FormedWarp& warp);
  /// The threads as rows of the block.
  [[nodiscard]] LargeWarpMask threads_of(const FormedWarp& warp) const;
  /// The threads of the warp, one or more, go on together, at their lanes' next pcs.
  void go_on(const FormedWarp& warp, const NextPcs& next);
  /// All warps of the path have come to its end.
  void end_path(Block& block);
  /// Forms the warps of the path on top of the stack.
  void form(Block& block);

  FormationCounts& counts_;
  std::vector<const ir::Kernel*> kernels_;  ///< by launch
  std::vector<Home> homes_;                 ///< by row of the core
  std::vector<Block> blocks_;               ///< those that have ended are used again
  std::deque<FormedWarp> waiting_;
  std::vector<Held> held_;
};

}  // namespace paws::core
