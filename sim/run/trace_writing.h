// SPDX-License-Identifier: MIT
// From a workload to traces of its kernels' machine code.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sim/run/simulation.h"

namespace paws {

struct WrittenTraces {
  std::string workload;
  std::filesystem::path list;
  std::uint64_t launches = 0;
  std::uint64_t warp_instructions = 0;
  std::optional<bool> verified;
  std::vector<std::string> messages;  ///< about checks that failed
};

/// Executes the request's workload for its values and writes a trace of every launch to `folder`.
/// Of the request its workload, GPU, settings, load, max_instructions, progress and warnings count.
/// Throws InputError, Interrupted; no list is written then.
WrittenTraces write_traces(const SimulationRequest& request, const std::filesystem::path& folder);

}  // namespace paws
