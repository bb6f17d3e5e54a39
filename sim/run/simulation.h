// SPDX-License-Identifier: MIT
// One simulation from a request to its result: reads the configuration, compiles the workload, runs
// it on the GPU model and checks its results. Prints nothing and reads no command line.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/blocks/block_policies.h"
#include "sim/config/gpu_config.h"
#include "sim/core/occupancy.h"
#include "sim/exec/functional_runner.h"
#include "sim/gpu/gpu.h"
#include "sim/launch/workload.h"
#include "sim/observe/line_profile.h"
#include "sim/observe/phase_sampler.h"
#include "sim/observe/warp_series.h"
#include "sim/run/provenance.h"
#include "sim/sanitize/finding.h"
#include "sim/throttle/throttles.h"

namespace paws {

/// What to simulate.
struct SimulationRequest {
  /// Name of a built-in workload, path of a launch description, or path of a trace
  /// (docs/guide/sass_traces.md).
  std::string workload;
  std::string gpu = "m2090";
  std::string scheduler = "two-level:paws";
  std::string engine = "rtl";
  std::string blocks = kRoundRobinBlocks;  ///< block scheduler
  std::string throttle = kNoThrottle;      ///< of the warps that may issue
  std::vector<std::string> settings;       ///< key=value
  LoadOptions load;
  /// What runs has been told the machine's compute capability (schedule_threads()), as CUDA
  /// programs are; workloads say so themselves.
  bool told_capability = false;
  GpuOptions options;
  /// Writes a trace of each launch's machine code and their list to this folder; empty: none.
  std::string write_traces;
  std::string commit = "unknown";  ///< of the project, for the provenance
  bool queues = false;             ///< watch the queues of a two-level scheduler
  std::optional<observe::SampleSettings> samples;
  bool profile = false;  ///< count by line what instructions cost (docs/guide/profile.md)
  bool warps = false;    ///< watch how many warps wait and could issue over time
  bool check = false;    ///< check what the kernels do (docs/guide/check.md)
  /// Gets what the check has found when the simulation fails; may be null.
  sanitize::Report* found_before_failure = nullptr;
  bool timing = true;  ///< false: execute for the values alone, no scheduler and no cycles
  bool quick = true;   ///< FunctionalRunner::quick(), of what is executed for the values alone
  /// Cycles after which a launch is taken to spin for ever. Nothing: what the launch description
  /// says, else options.max_cycles.
  std::optional<std::uint64_t> max_cycles;
  /// Without timing: warp instructions after which a launch is taken to spin for ever. Nothing: as
  /// many as fit in what the launch description says, else the runner's default.
  std::optional<std::uint64_t> max_instructions;
  /// Called before each kernel launch with its number, from 1, and the kernel's name; may be null.
  std::function<void(std::uint64_t launch, const std::string& kernel)> progress;
  /// Takes what kernels print, in the order of issue. Null: it is dropped.
  std::function<void(std::string_view text)> print;
  /// Takes what a user should know before the results: of files, "file:line: warning: ...", and of
  /// launches, "file:line: note: ...". Null: warnings are dropped.
  std::function<void(const std::string& warning)> warn;
};

/// How a launched kernel fills a core.
struct KernelOccupancy {
  std::string kernel;
  std::string module;    ///< empty when the workload has one module
  unsigned threads = 0;  ///< per block
  core::ThreadRegisters registers;
  unsigned shared_bytes = 0;  ///< per block, static and dynamic
  core::Occupancy occupancy;
};

struct SimulationResult {
  std::string workload, gpu, scheduler, engine, blocks, throttle;
  Provenance made_by;
  std::map<std::string, unsigned> policy_parameters;  ///< of the scheduler, with their values
  bool trace = false;  ///< of machine code: there are no values, and `verified` is nothing
  bool timed = true;
  GpuStatistics statistics;  ///< of a timed run
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t launches = 0;
  std::vector<KernelOccupancy> kernels;     ///< of every kind of launch, in order of the first
  std::vector<std::string> launch_modules;  ///< of each launch; empty names: there is one module
  std::optional<bool> verified;
  std::optional<sanitize::Report> check;  ///< when asked for
  std::vector<std::string> messages;      ///< about checks that failed
  double host_seconds = 0;                ///< of the simulation proper
  unsigned cores = 0;
  std::optional<std::uint64_t> seed;        ///< of random buffers; nothing: unknown, or it has none
  std::string samples;                      ///< CSV, when asked for
  std::optional<observe::Profile> profile;  ///< when asked for
  std::optional<observe::WarpSeries> warps;  ///< when asked for

  /// Core cycles simulated per host second, all cores counted; of a run without timing, thread
  /// instructions.
  [[nodiscard]] double rate() const;
};

/// The request's GPU with its settings. Throws InputError for an unknown preset, file or key, or a
/// bad value.
GpuConfig gpu_of(const SimulationRequest& request);

/// Runs the request. Throws InputError for bad input, CheckError when lockstep finds a mismatch or
/// the scheduler's contract is broken, Interrupted.
SimulationResult simulate(const SimulationRequest& request);

}  // namespace paws
