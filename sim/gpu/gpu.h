// SPDX-License-Identifier: MIT
// The GPU: block scheduler, cores and memory system on one clock.
//
// The clock goes in windows, short enough that nothing one core does in a window can reach another
// core, or come back to it, within the same one. In a window every core runs on its own, on one of
// several host threads; the memory system works beside them on the requests of the window before.
// Between windows, in a fixed order: accesses to global memory are done, requests and responses
// change hands, blocks are handed out. Windows are the same for every number of threads, and
// results are the same for every length of the windows.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/block_monitor.h"
#include "model/scheduler.h"
#include "sim/blocks/block_order.h"
#include "sim/blocks/block_scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/core/core.h"
#include "sim/core/issue_filter.h"
#include "sim/core/large_warp_core.h"
#include "sim/core/observer.h"
#include "sim/core/timed_kernel.h"
#include "sim/exec/functional_runner.h"
#include "sim/exec/kernel_runner.h"
#include "sim/gpu/sampled_blocks.h"
#include "sim/memory/memory_system.h"
#include "sim/stats/gpu_statistics.h"
#include "sim/support/worker_pool.h"

namespace paws {

/// Whether the wave with this number, from 1, is timed.
using TimedWaves = std::function<bool(std::uint64_t wave)>;

struct GpuOptions {
  /// Cycles after which a launch is taken to spin for ever.
  std::uint64_t max_cycles = 50'000'000;
  /// Cycles in which nothing can happen are skipped. Changes no result.
  bool skip_idle_cycles = true;
  /// Host threads; more than one per core are not used. Changes no result.
  unsigned threads = 1;
  /// Longest window, in core cycles; 0: as long as the configuration allows. Changes no result.
  unsigned longest_window = 0;
  /// Asked now and then, by the thread that calls run(): whether to give up.
  std::function<bool()> interrupted;
  /// Called now and then with the launch's cycles so far, the blocks that have ended, and all.
  std::function<void(std::uint64_t cycles, std::uint64_t ended, std::uint64_t blocks)> progress;
  /// Makes the observer of a core, or none (null). Lives as long as the Gpu.
  std::function<std::unique_ptr<core::CoreObserver>(std::uint32_t core)> observe;
  /// Makes the issue filter of a core, or none (null). Lives as long as the Gpu.
  std::function<std::unique_ptr<core::IssueFilter>(std::uint32_t core)> filter;
  /// Makes the block scheduler; empty: round robin.
  BlockSchedulerFactory block_scheduler;
  /// Makes the block monitor of a core, if the block scheduler asks for them; empty: the golden
  /// model.
  std::function<std::unique_ptr<BlockMonitor>(const BlockMonitorConfig& config)> block_monitor;
  /// Make the packer of sub-warps and the branch masks of a barrel core; empty: the golden models.
  core::SubwarpPackerFactory subwarp_packer;
  core::BranchMasksFactory branch_masks;
  /// Asked at the start of a launch of `waves` waves (Wave) whether its blocks are sampled, and if
  /// so, which waves are timed; the first and the last one always are. Empty, and an empty answer:
  /// all are. Not asked of launches that run together, are traces or are traced, nor of a barrel
  /// core. Of a sampled launch the length of the windows may change figures, but no number of
  /// threads.
  std::function<TimedWaves(const KernelLaunch& launch, std::uint64_t waves)> sample;
  /// Runs the blocks of the other waves; needed with `sample` and for run_for_values(). Lives as
  /// long as the Gpu.
  exec::FunctionalRunner* functional = nullptr;
};

class Gpu : public KernelRunner {
 public:
  /// `factory` makes one engine per scheduler of every core. Throws InputError for a configuration
  /// that cannot be.
  Gpu(const GpuConfig& config, const SchedulerConfig& scheduler,
      const core::SchedulerFactory& factory, const GpuOptions& options);

  /// Runs a launch to its end. Throws InputError when the kernel fails: illegal access, no warp can
  /// ever issue again, max_cycles reached, or a block that fits no core; Interrupted when asked to
  /// give up. After an error the Gpu is of no further use.
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    run_together({&launch, 1}, memory);
  }
  /// The same for launches that start in the same cycle and share the cores, to the end of all. In
  /// the statistics they are launches of their own, in this order.
  void run_together(std::span<const KernelLaunch> launches, DeviceMemory& memory) override;

  /// Runs a launch for its values between others: it takes no time and is in no statistics, but the
  /// L2 then has the lines that it has used (L2Toucher; not with barrel cores). Needs
  /// GpuOptions::functional.
  void run_for_values(const KernelLaunch& launch, DeviceMemory& memory);

  [[nodiscard]] GpuStatistics statistics() const;

  /// Of the launches that have ended, in order.
  [[nodiscard]] const std::vector<LaunchStatistics>& launches() const { return launches_; }

  /// Core cycles of all launches so far.
  [[nodiscard]] std::uint64_t cycles() const { return cycle_; }

  /// Core cycles of a window.
  [[nodiscard]] std::uint64_t window() const { return window_; }

 private:
  /// What has ended a core's window early.
  struct Failure {
    std::uint64_t cycle = 0;
    std::exception_ptr cause;
  };

  /// The statistics without those of each launch.
  [[nodiscard]] GpuStatistics totals() const;
  /// Where the machine code of `kernel` lies: behind that of the kernels launched before.
  std::uint64_t code_base(const ir::Kernel& kernel);
  void check_fits(const KernelLaunch& launch) const;
  /// Throws InputError if blocks come in pairs, and warps of one number are not on one scheduler.
  void check_partners(std::span<const KernelLaunch> launches,
                      std::span<const LaunchBlocks> blocks) const;
  void simulate(std::span<const KernelLaunch> launches);
  [[nodiscard]] std::uint64_t next_activity(std::uint64_t end) const;
  [[nodiscard]] std::uint64_t next_window(std::uint64_t end);
  /// To the cores, those that start in the window.
  void hand_out_blocks(std::uint64_t start, std::uint64_t end);
  void run_window(std::uint64_t start, std::uint64_t end);
  void run_core(std::uint32_t core, std::uint64_t start, std::uint64_t end);
  void access_global_memory(std::uint64_t start, std::uint64_t end);
  [[nodiscard]] std::unique_ptr<core::Core> make_core(const SchedulerConfig& scheduler,
                                                      const core::SchedulerFactory& factory,
                                                      std::uint32_t number);
  /// Throws InputError for what the kind of the cores does not have.
  void check_core_kind(const SchedulerConfig& scheduler) const;
  /// A core's block monitor, if the block scheduler asks for it; else null.
  [[nodiscard]] std::unique_ptr<BlockMonitor> block_monitor() const;
  /// What the cores have told in the window: blocks that have ended, monitors, block limits.
  void report_to_block_scheduler();
  [[nodiscard]] bool finished() const;
  /// Which of the launch's blocks are timed; nothing: all.
  [[nodiscard]] std::optional<SampledBlocks> sample(std::span<const KernelLaunch> launches,
                                                    DeviceMemory& memory);
  /// Runs the blocks at the places from `first` up to `last` of a launch for their values. With
  /// `touch` the L2 then has the lines that they have used. Returns their warp instructions.
  std::uint64_t run_wave(const KernelLaunch& launch, DeviceMemory& memory, std::uint64_t first,
                         std::uint64_t last, bool touch);
  /// The launch, whose blocks are numbered from `first` on, with a listener that touches the L2 and
  /// adds to `brought`; both must outlive it.
  [[nodiscard]] KernelLaunch touching(const KernelLaunch& launch, std::uint64_t first,
                                      std::uint64_t& brought);
  /// Warp instructions that the cores have issued so far.
  [[nodiscard]] std::uint64_t issued() const;
  /// Enabled cycles of a core's schedulers since the start.
  [[nodiscard]] std::uint64_t scheduler_cycles() const;
  void check_conservation(const GpuStatistics& total) const;
  [[noreturn]] void fail(std::span<const KernelLaunch> launches, const std::string& cause) const;

  GpuConfig config_;
  GpuOptions options_;
  bool scheduler_knows_groups_;
  memory::MemorySystem memory_system_;
  std::vector<std::unique_ptr<core::Core>> cores_;
  std::unique_ptr<BlockScheduler> block_scheduler_;
  std::vector<BlockOrder> orders_;        ///< by launch, of those that run
  std::optional<SampledBlocks> sampled_;  ///< of the launch that runs
  /// Of a sampled launch: waves that bring twice as many lines as the L2 has, as the last one did
  /// that has touched them; only so many in front of a timed wave touch the L2. kNever: all.
  std::uint64_t filling_waves_ = 0;
  WorkerPool pool_;
  bool memory_beside_cores_ = false;
  std::uint64_t window_ = 1;
  std::vector<std::uint32_t> tasks_;    ///< of the window: cores, and kMemoryTask
  std::vector<Failure> failures_;       ///< of the window, by core
  std::vector<std::size_t> performed_;  ///< of each core's deferred accesses
  std::uint64_t known_ = 0;             ///< the memory system has been advanced up to this cycle
  std::uint64_t cycle_ = 0;             ///< first cycle of the next launch
  std::vector<LaunchStatistics> launches_;
  std::unordered_map<const ir::Kernel*, std::uint64_t> code_bases_;
  std::uint64_t next_code_ = core::kCodeBase;
  std::uint64_t ended_blocks_ = 0;  ///< of the launches that run
  std::uint64_t next_block_ = 0;    ///< number of the first block of the next launch
};

/// The scheduler configuration that `config` asks for, with level and policy of `name`
/// ("two-level:paws"). Throws InputError.
SchedulerConfig scheduler_config(const GpuConfig& config, const std::string& name);

}  // namespace paws
