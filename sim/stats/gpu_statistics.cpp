// SPDX-License-Identifier: MIT
#include "sim/stats/gpu_statistics.h"

namespace paws {
namespace {

double per_cycle(std::uint64_t count, std::uint64_t cycles) {
  return cycles == 0 ? 0 : static_cast<double>(count) / static_cast<double>(cycles);
}

}  // namespace

double LaunchStatistics::ipc() const { return per_cycle(thread_instructions, cycles); }

double GpuStatistics::ipc() const { return per_cycle(cores.thread_instructions(), cycles); }

PartCounts steady_state(const LaunchPartCounts& parts) {
  PartCounts sum = parts[static_cast<std::size_t>(LaunchPart::first_round)];
  return sum += parts[static_cast<std::size_t>(LaunchPart::later_rounds)];
}

double occupancy(std::uint64_t warp_cycles, std::uint64_t active_cycles, unsigned warp_slots) {
  return per_cycle(warp_cycles, active_cycles * warp_slots);
}

}  // namespace paws
