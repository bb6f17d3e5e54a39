// SPDX-License-Identifier: MIT
#include "sim/exec/functional_runner.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <numeric>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/exec/lane_masks.h"
#include "sim/exec/large_warp_block.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

/// Instructions that a warp runs before its turn ends, so that one which polls memory lets the
/// others change it.
constexpr unsigned kTurn = 4096;

/// Portions of a launch's blocks for each host thread.
constexpr std::uint64_t kPortions = 8;
/// Of allocations that are stored to, for each thread: larger ones take too long to be put back.
constexpr std::uint64_t kStoredBytes = 64;

/// Kernels that are kept for their next launch.
constexpr std::size_t kMostPrepared = 256;

/// Instructions in numbers.
struct Executed {
  unsigned instructions = 0;
  unsigned warps = 0;         ///< of 32 threads
  std::uint64_t threads = 0;  ///< that executed them
};

/// The warps of a block.
class SmallWarps {
 public:
  static constexpr const char* kName = "warp";

  /// `quick`: by Block::run(); then without a listener.
  SmallWarps(Block& block, ExecutionListener* listener, bool quick)
      : block_(block), listener_(listener), quick_(quick) {}
  [[nodiscard]] Block& block() { return block_; }
  [[nodiscard]] unsigned count() const { return block_.warps(); }
  [[nodiscard]] std::string endless(unsigned warp) const {
    const std::string text = block_.endless(warp);
    return text.empty() ? text : "; it runs" + text;
  }
  Executed execute(unsigned warp, std::uint64_t clock, unsigned most) {
    Block::Run run;
    if (quick_) run = block_.run(warp, most);
    if (run.instructions > 0) return {run.instructions, run.instructions, run.threads};
    const std::uint32_t pc = block_.pc(warp);
    block_.execute(warp, clock, outcome_);
    if (listener_ != nullptr) listener_->executed(warp, pc, outcome_);
    return {1, 1, exec::count(outcome_.active)};
  }
  void started(std::uint64_t index) {
    if (listener_ != nullptr) listener_->started(index);
  }
  void ended() {
    if (listener_ != nullptr) listener_->ended();
  }

 private:
  Block& block_;
  ExecutionListener* listener_;
  bool quick_;
  Outcome outcome_;
};

/// Its large warps.
class LargeWarps {
 public:
  static constexpr const char* kName = "large warp";

  explicit LargeWarps(LargeWarpBlock& block) : block_(block) {}
  [[nodiscard]] LargeWarpBlock& block() { return block_; }
  [[nodiscard]] unsigned count() const { return block_.large_warps(); }
  [[nodiscard]] static std::string endless(unsigned /*large_warp*/) {
    return "; threads that spin until another thread of their large warp acts never end";
  }
  Executed execute(unsigned warp, std::uint64_t clock, unsigned /*most*/) {
    block_.execute(warp, clock, outcome_);
    Executed executed{1, 0, 0};
    for (const LaneBits row : outcome_.path) executed.warps += row != 0 ? 1 : 0;
    executed.threads = exec::count(outcome_.active);
    return executed;
  }
  void started(std::uint64_t /*index*/) {}
  void ended() {}

 private:
  LargeWarpBlock& block_;
  LargeOutcome outcome_;
};

/// "kernel 'k', block (0,0,0)"
template <class AnyBlock>
std::string place(const ir::Kernel& kernel, const AnyBlock& block) {
  const Dim3 at = block.coordinates();
  std::ostringstream text;
  text << "kernel '" << kernel.name << "', block (" << at.x << "," << at.y << "," << at.z << ")";
  return text.str();
}

template <class Warps>
[[noreturn]] void report_deadlock(const ir::Kernel& kernel, Warps& all) {
  const auto& block = all.block();
  std::ostringstream warps;
  std::uint32_t line = 0;
  for (unsigned warp = 0; warp < all.count(); ++warp) {
    if (!block.at_barrier(warp)) continue;
    // The pc is behind the barrier, unless the barrier ended a path.
    const std::uint32_t pc = block.pc(warp);
    const std::uint32_t barrier = pc > 0 ? pc - 1 : pc;
    if (line == 0) line = kernel.code[barrier].line;
    warps << (warps.tellp() > 0 ? ", " : "") << warp;
  }
  throw InputError(kernel.file, line,
                   place(kernel, block) + ": deadlock, every " + Warps::kName +
                       " that has not ended waits at a barrier that cannot complete (" +
                       Warps::kName + "s " + warps.str() + ")");
}

void check_launch(const KernelLaunch& launch) {
  const ir::Kernel& kernel = *launch.kernel;
  if (launch.source != nullptr) {
    throw InputError(kernel.file,
                     "kernel '" + kernel.name + "' is a trace, which has no values to execute for");
  }
  if (launch.params.size() != kernel.param_bytes) {
    throw InputError(kernel.file, "kernel '" + kernel.name + "' takes " +
                                      std::to_string(kernel.param_bytes) +
                                      " bytes of parameters, the launch gives " +
                                      std::to_string(launch.params.size()));
  }
}

}  // namespace

void FunctionalRunner::use_rows(unsigned rows) {
  if (rows == 0 || rows > kMaxRows) {
    throw std::logic_error("warps of " + std::to_string(rows) + " rows");
  }
  rows_ = rows;
}

void FunctionalRunner::run(const KernelLaunch& launch, DeviceMemory& memory) {
  run_in_turn(launch, memory, std::nullopt);
}

void FunctionalRunner::run_blocks(const KernelLaunch& launch, DeviceMemory& memory,
                                  std::span<const std::uint64_t> blocks) {
  run_in_turn(launch, memory, blocks);
}

FunctionalRunner::Prepared& FunctionalRunner::prepare(const ir::Kernel& kernel,
                                                      std::optional<Prepared>& own) {
  const std::uint64_t number = kernel.number.value();
  if (number == 0) return own.emplace(kernel);
  // A program may make new kernels without end.
  if (prepared_.size() == kMostPrepared && !prepared_.contains(number)) prepared_.clear();
  return prepared_.try_emplace(number, kernel).first->second;
}

void FunctionalRunner::run_in_turn(const KernelLaunch& launch, DeviceMemory& memory,
                                   const Blocks& blocks) {
  check_launch(launch);
  std::optional<Prepared> own;
  Prepared& prepared = prepare(*launch.kernel, own);
  const Executable& executable = prepared.executable;
  LaunchShape shape = launch.shape;
  shape.yield_after = yield_after_;
  if (launch.listen && (rows_ != 1 || launch.kernel->cooperative)) {
    throw InputError(launch.kernel->file,
                     "kernel '" + launch.kernel->name + "' cannot be traced " +
                         (rows_ == 1 ? "without timing: its blocks wait for each other"
                                     : "with core.warp_rows " + std::to_string(rows_) +
                                           ": traces are of warps of 32 threads"));
  }
  if (launch.kernel->cooperative && rows_ == 1) {
    run_cooperative(executable, shape, launch, memory);
  } else if (rows_ == 1) {
    if (run_side_by_side(prepared, shape, launch, memory, blocks)) return;
    Block block(executable, shape, launch.params.data(), memory, 0, 1);
    const std::unique_ptr<ExecutionListener> listener = launch.listen ? launch.listen() : nullptr;
    const bool quick = quick_ && !launch.listen && !launch.observe;
    run_in_turn(SmallWarps(block, listener.get(), quick), launch, blocks);
  } else {
    LargeWarpBlock block(executable, launch.shape, rows_, launch.params.data(), memory, 0, 1);
    run_in_turn(LargeWarps(block), launch, blocks);
  }
}

template <class Warps>
void FunctionalRunner::run_in_turn(Warps warps, const KernelLaunch& launch, const Blocks& blocks) {
  if (launch.observe) warps.block().watch(launch.observe());
  const std::uint64_t limit = warp_instructions_ + max_instructions_;
  const std::uint64_t count = blocks ? blocks->size() : launch.shape.grid.count();
  for (std::uint64_t place = 0; place < count; ++place) {
    if (progress_ && !blocks) progress_(place, count);
    const std::uint64_t index = blocks ? (*blocks)[place] : place;
    warps.block().start(index);
    warps.started(index);
    run_block(warps, *launch.kernel, limit);
    warps.ended();
  }
}

bool FunctionalRunner::run_side_by_side(Prepared& prepared, const LaunchShape& shape,
                                        const KernelLaunch& launch, DeviceMemory& memory,
                                        const Blocks& blocks) {
  const std::uint64_t count = blocks ? blocks->size() : shape.grid.count();
  const std::uint64_t threads = count * shape.block.count();
  const auto workers = static_cast<unsigned>(std::min<std::uint64_t>(threads_, count));
  if (workers < 2 || threads < worth_ || !quick_ || launch.listen || launch.observe ||
      memory.tolerated() != nullptr || prepared.in_order || !may_run_side_by_side(*launch.kernel)) {
    return false;
  }
  SharedAccesses shared(kStoredBytes * (threads + kWorthThreads), room_);
  std::atomic<bool> stop = false;
  const auto ends = [&] { return stop || (interrupted_ && interrupted_()); };
  std::vector<FunctionalRunner> runners;
  std::vector<ThreadAccesses> accesses;
  for (unsigned worker = 0; worker < workers; ++worker) {
    runners.emplace_back(max_instructions_, ends);
    accesses.emplace_back(shared, worker);
  }
  const std::uint64_t portion = std::max<std::uint64_t>(1, count / (kPortions * workers));
  std::atomic<std::uint64_t> next = portion * workers;  // behind everybody's first portion
  const auto work = [&](unsigned worker) {
    try {
      Block block(prepared.executable, shape, launch.params.data(), memory, 0, 1);
      block.tell(accesses[worker]);
      std::vector<std::uint64_t> places;
      for (std::uint64_t first = portion * worker; first < count; first = next.fetch_add(portion)) {
        if (worker == 0 && progress_ && !blocks) progress_(first, count);
        places.resize(std::min(portion, count - first));
        std::iota(places.begin(), places.end(), first);
        if (blocks) {
          for (std::uint64_t& place : places) place = (*blocks)[place];
        }
        runners[worker].run_in_turn(SmallWarps(block, nullptr, true), launch, places);
      }
    } catch (...) {
      stop = true;
      throw;
    }
  };
  bool same = true;
  try {
    if (!pool_) pool_ = std::make_unique<WorkerPool>(threads_);
    pool_->run(workers, work);
  } catch (const Interrupted&) {
    if (interrupted_ && interrupted_()) throw;  // else by another one's failure
    same = false;
  } catch (...) {  // the blocks in their order fail as they should, or do not
    same = false;
  }
  std::uint64_t warp_instructions = 0;
  for (const FunctionalRunner& runner : runners) warp_instructions += runner.warp_instructions_;
  if (!same || any_overlap(accesses) || warp_instructions > max_instructions_) {
    shared.put_back();
    prepared.in_order = true;
    return false;
  }
  warp_instructions_ += warp_instructions;
  for (const FunctionalRunner& runner : runners)
    thread_instructions_ += runner.thread_instructions_;
  ++side_by_side_;
  return true;
}

void FunctionalRunner::run_cooperative(const Executable& executable, const LaunchShape& shape,
                                       const KernelLaunch& launch, DeviceMemory& memory) {
  std::vector<std::unique_ptr<Block>> blocks;
  for (std::uint64_t index = 0; index < launch.shape.grid.count(); ++index) {
    blocks.push_back(
        std::make_unique<Block>(executable, shape, launch.params.data(), memory, 0, 1));
    if (launch.observe) blocks.back()->watch(launch.observe());
    blocks.back()->start(index);
  }
  const std::uint64_t limit = warp_instructions_ + max_instructions_;
  for (bool running = true; running;) {
    running = false;
    for (const std::unique_ptr<Block>& block : blocks) {
      SmallWarps warps(*block, nullptr, quick_ && !launch.observe);
      running = turn(warps, *launch.kernel, limit) || running;
    }
  }
}

template <class Warps>
void FunctionalRunner::run_block(Warps& warps, const ir::Kernel& kernel, std::uint64_t limit) {
  while (turn(warps, kernel, limit)) {
  }
}

template <class Warps>
bool FunctionalRunner::turn(Warps& warps, const ir::Kernel& kernel, std::uint64_t limit) {
  auto& block = warps.block();
  if (interrupted_ && interrupted_()) {
    throw Interrupted("interrupted in " + place(kernel, block) + ", after " +
                      std::to_string(warp_instructions_) + " warp instructions");
  }
  bool running = false;
  bool progress = false;
  for (unsigned warp = 0; warp < warps.count(); ++warp) {
    if (block.done(warp)) continue;
    running = true;
    for (unsigned turn = 0; turn < kTurn && !block.done(warp) && !block.at_barrier(warp);) {
      if (warp_instructions_ >= limit) {
        throw InputError(kernel.file, kernel.code[block.pc(warp)].line,
                         place(kernel, block) + ", " + Warps::kName + " " + std::to_string(warp) +
                             ", pc " + std::to_string(block.pc(warp)) + ": not finished after " +
                             std::to_string(max_instructions_) +
                             " warp instructions (--max-instructions)" + warps.endless(warp));
      }
      const auto most =
          static_cast<unsigned>(std::min<std::uint64_t>(kTurn - turn, limit - warp_instructions_));
      const Executed executed = warps.execute(warp, warp_instructions_, most);
      turn += executed.instructions;
      warp_instructions_ += executed.warps;
      thread_instructions_ += executed.threads;
      progress = true;
    }
  }
  if (running && !progress) report_deadlock(kernel, warps);
  return running;
}

}  // namespace paws::exec
