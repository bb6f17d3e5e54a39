// SPDX-License-Identifier: MIT
// The state behind the API: one device, the program's code and memory on it, and its errors.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/core/occupancy.h"
#include "sim/cuda/capture.h"
#include "sim/cuda/graphs.h"
#include "sim/cuda/heap.h"
#include "sim/cuda/images.h"
#include "sim/cuda/include/cuda_runtime_api.h"
#include "sim/cuda/mem_pools.h"
#include "sim/cuda/modules.h"
#include "sim/cuda/options.h"
#include "sim/cuda/report.h"
#include "sim/cuda/sampling.h"
#include "sim/cuda/stream_timeline.h"
#include "sim/exec/access_errors.h"
#include "sim/exec/device_memory.h"
#include "sim/run/machine.h"
#include "sim/run/progress.h"
#include "sim/run/recordings.h"
#include "sim/support/error.h"

// The opaque types of the API.
struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  paws::cuda::StreamTime time;
};
struct CUevent_st {
  unsigned flags = 0;
  std::optional<double> milliseconds;                ///< on the timeline, when recorded
  std::optional<paws::cuda::CapturePoint> captured;  ///< or in a stream that captures
};

namespace paws::cuda {

/// Of streams. Priorities change nothing.
inline constexpr int kLeastPriority = 0;
inline constexpr int kGreatestPriority = -1;

struct LaunchCall {
  Function* function = nullptr;
  dim3 grid, block;
  void** arguments = nullptr;
  std::size_t shared = 0;
  bool cooperative = false;
  cudaStream_t stream = nullptr;
};

/// Makes a task of the launch, with copies of the kernel's arguments. What else may be wrong with
/// it is found when it is done.
cudaError_t record_launch(Runtime& runtime, const LaunchCall& call, Task& task);

/// Every member but those that say otherwise is called with the lock held.
class Runtime {
 public:
  /// The process's own. Ends the program with a message if it cannot be.
  static Runtime& instance();

  std::recursive_mutex& lock() { return mutex_; }

  /// Makes the device ready; before anything that needs it. Ends the program with a message if its
  /// device code cannot be used.
  void prepare();

  [[nodiscard]] const GpuConfig& config() const { return machine_->config(); }
  [[nodiscard]] DeviceMemory& memory() { return memory_; }
  [[nodiscard]] Heap& heap() { return heap_; }
  [[nodiscard]] MemPools& pools() { return pools_; }
  [[nodiscard]] Images& images() { return images_; }
  [[nodiscard]] Modules& modules() { return modules_; }
  [[nodiscard]] Graphs& graphs() { return graphs_; }

  /// Runs a kernel to its end. What the program did wrong is an error code, as on a GPU, and a
  /// message on stderr where the code alone would not say enough.
  cudaError_t launch(const LaunchCall& call);

  /// Bytes of shared memory that a block can have, static and dynamic.
  [[nodiscard]] unsigned block_shared_bytes() const {
    const CoreSettings& core = config().core;
    return core.shared_bytes - std::min(core.shared_bytes, core.shared_reserved);
  }

  /// How the blocks of a kernel fill a core.
  core::Occupancy occupancy(Function& function, unsigned threads, std::size_t shared);

  /// What the program has set. The size of the buffer for printf limits nothing here.
  [[nodiscard]] std::map<cudaLimit, std::size_t>& limits() { return limits_; }

  [[nodiscard]] StreamTimeline& timeline() { return timeline_; }
  /// Of a stream that is known; the default one of a thread is the calling thread's.
  [[nodiscard]] StreamTime& time_of(cudaStream_t stream);

  /// With --host-time simulated: the host's clocks read what the timeline says from now on.
  void set_clocks() const {
    if (set_clocks_ != nullptr) set_clocks_(timeline_.host());
  }

  /// The error that a fault or a refused kernel has left: no call after it succeeds.
  [[nodiscard]] cudaError_t sticky() const { return sticky_; }

  /// Tells why a kernel cannot be compiled. The error stays: what it should have computed is
  /// missing in everything that follows.
  cudaError_t refuse(const InputError& why);

  cudaStream_t new_stream(unsigned flags, int priority);
  bool delete_stream(cudaStream_t stream);
  [[nodiscard]] bool knows(cudaStream_t stream) const;
  cudaEvent_t new_event(unsigned flags);
  bool delete_event(cudaEvent_t event);
  [[nodiscard]] bool knows(cudaEvent_t event) const { return events_.contains(event); }

  /// Frees everything that the program has allocated on the device.
  void reset();

  /// The line of progress goes: the program may print.
  void clear_progress() { progress_.clear(); }

  /// Writes the totals into the report; takes the lock, or goes without when a launch is under way.
  void finish();

 private:
  Runtime();

  cudaError_t run(const LaunchCall& call, const KernelLaunch& launch);
  /// Opens the recordings and switches the machine on.
  void start();
  /// For a process that has forked from the one that made this, and launches its first kernel: it
  /// gets a report, recordings and a machine of its own. As on a GPU that is an error if the other
  /// one had used the device before, here: had launched a kernel.
  cudaError_t start_after_fork();
  /// False, with a message: a description could not say what the launch needs.
  [[nodiscard]] bool can_be_captured(const ir::Kernel& kernel);
  /// What `paws run --json` would say of the launches so far, and the timeline's sums.
  [[nodiscard]] nlohmann::json total() const;
  void execute(const KernelLaunch& launch, bool timed);
  cudaError_t check_shape(const LaunchCall& call) const;
  /// `instructions`: of warps, for values alone. `estimated`: of all waves, if its blocks have been
  /// sampled.
  void report_launch(const LaunchKind& kind, bool timed, std::uint64_t cycles,
                     std::uint64_t instructions, const std::optional<CyclesEstimate>& estimated);

  std::recursive_mutex mutex_;
  CudaOptions options_;
  ReportWriter report_;  // first: `paws cuda` sees that there is a runtime, even one that gives up
  std::unique_ptr<Recordings> recordings_;
  std::string timeline_file_;  ///< of the recordings
  std::unique_ptr<Machine> machine_;
  exec::AccessErrors access_errors_;
  DeviceMemory memory_;
  Heap heap_;
  MemPools pools_;
  Images images_;
  Modules modules_;
  Graphs graphs_;
  Capture capture_;
  StreamTimeline timeline_;
  LaunchProgressLine progress_;
  void (*set_clocks_)(double) = nullptr;  ///< of the library clocks.cpp; null: they are as they are
  StreamTime legacy_{StreamKind::legacy};
  std::optional<LaunchSampler> sampler_;  ///< with --sample-launches
  std::string whole_;  ///< with --sample-blocks: why the launch's blocks are not sampled
  std::uint64_t launches_ = 0;
  double host_seconds_ = 0;
  cudaError_t sticky_ = cudaSuccess;
  std::map<cudaLimit, std::size_t> limits_;
  std::set<cudaStream_t> streams_;
  std::set<cudaEvent_t> events_;
};

/// Prints "paws: " and the message on stderr.
void tell(const std::string& message);

}  // namespace paws::cuda
