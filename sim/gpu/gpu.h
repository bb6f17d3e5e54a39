// The GPU: block distributor, cores and memory system on one clock loop.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <unordered_map>
#include <vector>

#include "model/scheduler.h"
#include "sim/config/gpu_config.h"
#include "sim/core/core.h"
#include "sim/core/observer.h"
#include "sim/core/timed_kernel.h"
#include "sim/launch/kernel_runner.h"
#include "sim/memory/memory_system.h"
#include "sim/stats/core_statistics.h"

namespace paws {

struct GpuStatistics {
  std::uint64_t cycles = 0;    ///< core cycles, summed over the launches
  std::uint64_t launches = 0;  ///< kernel launches
  CoreStatistics cores;        ///< summed over the cores
  memory::Statistics memory;

  /// Thread instructions per core cycle, over the whole GPU.
  [[nodiscard]] double ipc() const;
};

struct GpuOptions {
  /// Cycles after which a launch is taken to spin for ever.
  std::uint64_t max_cycles = 50'000'000;
  /// Cycles in which nothing can happen are skipped. Changes no result.
  bool skip_idle_cycles = true;
  /// Called now and then with the launch's cycles so far, the blocks started, and all blocks.
  std::function<void(std::uint64_t cycles, std::uint64_t started, std::uint64_t blocks)> progress;
  /// Makes the observer of a core, or none (null). Lives as long as the Gpu.
  std::function<std::unique_ptr<core::CoreObserver>(std::uint32_t core)> observe;
};

class Gpu : public KernelRunner {
 public:
  /// `factory` makes one engine per scheduler of every core. Throws InputError for a configuration
  /// that cannot be.
  Gpu(const GpuConfig& config, const SchedulerConfig& scheduler,
      const core::SchedulerFactory& factory, const GpuOptions& options);

  /// Runs a launch to its end. Throws InputError when the kernel fails: illegal access, no warp can
  /// ever issue again, max_cycles reached, or a block that fits no core.
  void run(const KernelLaunch& launch, DeviceMemory& memory) override;

  [[nodiscard]] GpuStatistics statistics() const;

 private:
  /// Where the machine code of `kernel` lies: behind that of the kernels launched before.
  std::uint64_t code_base(const ir::Kernel& kernel);
  void simulate(const KernelLaunch& launch, std::uint64_t blocks);
  void distribute(std::uint64_t cycle, std::uint64_t blocks);
  [[nodiscard]] bool finished(std::uint64_t blocks) const;
  void check_conservation() const;
  [[noreturn]] void fail(const KernelLaunch& launch, const std::string& cause) const;

  GpuConfig config_;
  GpuOptions options_;
  memory::MemorySystem memory_system_;
  std::vector<std::unique_ptr<core::Core>> cores_;
  std::vector<std::uint64_t> wake_;  ///< next cycle in which each core must be stepped
  std::vector<memory::Response> responses_;
  std::uint64_t cycle_ = 0;  ///< first cycle of the next launch
  std::uint64_t next_block_ = 0;
  std::uint64_t launches_ = 0;
  std::unordered_map<const ir::Kernel*, std::uint64_t> code_bases_;
  std::uint64_t next_code_ = core::kCodeBase;
};

/// The scheduler configuration that `config` asks for, with level and policy of `name`
/// ("two-level:paws"). Throws InputError.
SchedulerConfig scheduler_config(const GpuConfig& config, const std::string& name);

}  // namespace paws
