// One simulation from words to result, as `run` and `compare` need it.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/core/occupancy.h"
#include "sim/gpu/gpu.h"
#include "sim/launch/workload.h"

namespace paws::cli {

/// What a user asks for.
struct SimulationRequest {
  std::string workload;  ///< name of a built-in workload or path of a launch description
  std::string gpu = "m2090";
  std::string scheduler = "two-level:paws";
  std::string engine = "rtl";
  std::vector<std::string> settings;  ///< key=value
  LoadOptions load;
  GpuOptions options;
  bool timing = true;  ///< false: execute for the values alone, no scheduler and no cycles
  /// Called before each kernel launch with its number, from 1, and the kernel's name.
  std::function<void(std::uint64_t launch, const std::string& kernel)> progress;
};

/// How a launched kernel fills a core.
struct KernelOccupancy {
  std::string kernel;
  unsigned threads = 0;            ///< per block
  unsigned registers = 0;          ///< per thread
  unsigned spilled_registers = 0;  ///< per thread, beyond what it may have
  unsigned shared_bytes = 0;       ///< per block, static and dynamic
  core::Occupancy occupancy;
};

struct SimulationResult {
  std::string workload, gpu, scheduler, engine;
  bool timed = true;
  GpuStatistics statistics;  ///< of a timed run
  std::uint64_t warp_instructions = 0;
  std::uint64_t thread_instructions = 0;
  std::uint64_t launches = 0;
  std::vector<KernelOccupancy> kernels;  ///< of every kind of launch, in order of the first
  std::optional<bool> verified;
  std::vector<std::string> messages;  ///< about checks that failed
  double host_seconds = 0;            ///< of the simulation proper
  unsigned cores = 0;
  std::uint64_t seed = 0;

  /// Core cycles simulated per host second, all cores counted; of a run without timing, thread
  /// instructions.
  [[nodiscard]] double rate() const;
};

GpuConfig gpu_of(const SimulationRequest& request);

/// Runs the request. Throws InputError, CheckError.
SimulationResult simulate(const SimulationRequest& request);

nlohmann::json to_json(const SimulationResult& result);

/// Folder of the built-in workloads' launch descriptions.
std::string workload_folder();

}  // namespace paws::cli
