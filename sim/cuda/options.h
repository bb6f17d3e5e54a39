// SPDX-License-Identifier: MIT
// What `paws cuda` and `paws capture` tell the runtime inside the program, in one environment
// variable.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/cuda/sampling.h"
#include "sim/run/recordings.h"
#include "sim/run/simulation.h"

namespace paws::cuda {

/// Name of the environment variable.
inline constexpr const char* kOptionsVariable = "PAWS_CUDA_OPTIONS";

/// The library that replaces the host's clocks (clocks.cpp), and its function that sets them.
inline constexpr const char* kClocksLibrary = "libpaws_clocks.so";
inline constexpr const char* kSetClocks = "paws_set_clocks";

/// Numbers of launches, from 1.
class LaunchSelection {
 public:
  /// All launches.
  LaunchSelection() = default;
  /// Numbers and ranges: "3,10-20,50-". Throws InputError.
  explicit LaunchSelection(const std::string& text);

  [[nodiscard]] bool holds(std::uint64_t launch) const;
  /// Whether one of the numbers or ranges begins behind the last of `launches`.
  [[nodiscard]] bool misses(std::uint64_t launches) const;
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  std::string text_;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> ranges_;  ///< first, last
};

struct CudaOptions {
  CudaOptions() { request.told_capability = true; }
  SimulationRequest request;         ///< its workload does not count
  LaunchSelection timed;             ///< the other launches run for their values alone
  std::optional<SamplePlan> sample;  ///< which launches are timed, in place of `timed`
  std::optional<SamplePlan> blocks;  ///< which waves of a timed launch are timed; none: all
  bool print = true;                 ///< what kernels print goes to stdout
  bool tolerate = false;             ///< accesses of kernels outside memory are counted, no errors
  bool simulated_time = false;       ///< clocks of the host read the time of the simulation
  LaunchSelection captured;          ///< if there is a folder for captures
  RecordingRequest recording;        ///< of a timeline, which each process writes to the reports
  std::filesystem::path reports;     ///< folder for a file per process; empty: none
  std::filesystem::path captures;    ///< folder for launch descriptions; empty: none
};

/// Throws InputError if a name of a file or folder is not UTF-8.
std::string to_text(const CudaOptions& options);

/// The inverse of to_text(); of an empty text, the defaults. Throws InputError.
CudaOptions options_from(const std::string& text);

}  // namespace paws::cuda
