// SPDX-License-Identifier: MIT
// Runs a launch for its values alone, without timing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "sim/exec/kernel_runner.h"
#include "sim/exec/side_by_side.h"
#include "sim/support/worker_pool.h"

namespace paws::exec {

/// Block after block, the warps of a block in turn; or its large warps. A kernel that can never end
/// is an InputError: when every warp left stands at a barrier, and when the launch exceeds
/// `max_instructions` warp instructions. `interrupted`, asked now and then, ends the launch with
/// Interrupted.
///
/// With warps of several rows a kernel gives the same results, unless it has races or its rows wait
/// for one another (docs/reference/simulator.md, "Values of large warps").
class FunctionalRunner : public KernelRunner {
 public:
  /// What a GPU of 16 cores can issue in a cycle. So a limit of cycles is one of instructions.
  static constexpr std::uint64_t kInstructionsPerCycle = 16;
  /// As many as the default of --max-cycles lets such a GPU issue.
  static constexpr std::uint64_t kDefaultMaxInstructions = 50'000'000 * kInstructionsPerCycle;

  /// Threads of a launch for which several host threads are worth starting.
  static constexpr std::uint64_t kWorthThreads = 8192;

  explicit FunctionalRunner(std::uint64_t max_instructions = kDefaultMaxInstructions,
                            std::function<bool()> interrupted = {})
      : max_instructions_(max_instructions), interrupted_(std::move(interrupted)) {}

  /// Rows of 32 threads that a warp has from now on: 1 to 32, else std::logic_error. 1 at first.
  void use_rows(unsigned rows);

  /// LaunchShape::yield_after of later launches, for warps of one row.
  void yield_after(unsigned branches) { yield_after_ = branches; }

  /// Whether later launches run many instructions at a time where nobody watches (Block::run()), as
  /// they do at first, or one by one. The values are the same.
  void quick(bool is) { quick_ = is; }

  /// Host threads for later launches of `worth` or more threads whose blocks may run side by side
  /// (sim/exec/side_by_side.h); 1 at first. The values are the same.
  void use_threads(unsigned threads, std::uint64_t worth = kWorthThreads) {
    threads_ = std::min(threads, SharedAccesses::kMostThreads);
    worth_ = worth;
    pool_.reset();
  }

  /// Told of later launches, block by block: the blocks that have ended, and all. Those of a
  /// cooperative launch end together.
  void report_to(std::function<void(std::uint64_t ended, std::uint64_t blocks)> progress) {
    progress_ = std::move(progress);
  }

  void run(const KernelLaunch& launch, DeviceMemory& memory) override;
  /// Runs these blocks of a launch alone, in this order, and tells no progress. The launch is not
  /// cooperative.
  void run_blocks(const KernelLaunch& launch, DeviceMemory& memory,
                  std::span<const std::uint64_t> blocks);

  /// Of all launches so far: warp instructions, of a large warp as many as it has rows on the path;
  /// and the lanes that executed them.
  [[nodiscard]] std::uint64_t warp_instructions() const { return warp_instructions_; }
  [[nodiscard]] std::uint64_t thread_instructions() const { return thread_instructions_; }
  /// Launches, so far, whose blocks have run side by side.
  [[nodiscard]] std::uint64_t side_by_side() const { return side_by_side_; }

 private:
  /// Those with these indices, or all.
  using Blocks = std::optional<std::span<const std::uint64_t>>;
  struct Prepared {
    explicit Prepared(const ir::Kernel& kernel) : executable(kernel) {}
    Executable executable;
    bool in_order = false;  ///< its blocks have not run side by side, though they were tried
  };
  /// A launch's kernel, if it has no number into `own`. Until the next call.
  Prepared& prepare(const ir::Kernel& kernel, std::optional<Prepared>& own);
  void run_in_turn(const KernelLaunch& launch, DeviceMemory& memory, const Blocks& blocks);
  template <class Warps>
  void run_in_turn(Warps warps, const KernelLaunch& launch, const Blocks& blocks);
  /// On several host threads, if that is worth it. False: the launch is still to be run.
  bool run_side_by_side(Prepared& prepared, const LaunchShape& shape, const KernelLaunch& launch,
                        DeviceMemory& memory, const Blocks& blocks);
  /// All blocks of a cooperative launch in turn, since they wait for each other.
  void run_cooperative(const Executable& executable, const LaunchShape& shape,
                       const KernelLaunch& launch, DeviceMemory& memory);
  template <class Warps>
  void run_block(Warps& warps, const ir::Kernel& kernel, std::uint64_t limit);
  /// Each warp of the block that can run, for a while. False when all have ended.
  template <class Warps>
  bool turn(Warps& warps, const ir::Kernel& kernel, std::uint64_t limit);

  std::uint64_t max_instructions_;
  std::function<bool()> interrupted_;
  std::function<void(std::uint64_t ended, std::uint64_t blocks)> progress_;
  unsigned rows_ = 1;
  unsigned yield_after_ = 0;
  bool quick_ = true;
  unsigned threads_ = 1;
  std::uint64_t worth_ = kWorthThreads;
  std::uint64_t side_by_side_ = 0;
  std::map<std::uint64_t, Prepared> prepared_;  ///< by KernelNumber
  SharedAccesses::Room room_;
  std::unique_ptr<WorkerPool> pool_;  ///< when it is needed first
  std::uint64_t warp_instructions_ = 0;
  std::uint64_t thread_instructions_ = 0;
};

}  // namespace paws::exec
