// SPDX-License-Identifier: MIT
// The crossbar's times and the address map, as ports and slices both need them.
#pragma once

#include <cstdint>

#include "sim/config/gpu_config.h"
#include "sim/memory/address_map.h"
#include "sim/memory/clock.h"

namespace paws::memory {

/// Times in femtoseconds.
class Crossbar {
 public:
  explicit Crossbar(const GpuConfig& config)
      : core_period_(period_fs(config.core.clock_mhz)),
        period_(period_fs(config.interconnect.clock_mhz)),
        one_way_(config.interconnect.latency * period_),
        flit_bytes_(config.interconnect.flit_bytes),
        cores_(config.cores),
        partitions_(config.l2.partitions),
        part_slices_(config.l2.slices / config.l2.partitions),
        map_(config.l2.slices, config.dram.channels) {}

  [[nodiscard]] std::uint64_t period() const { return period_; }
  /// One way through the empty crossbar.
  [[nodiscard]] std::uint64_t one_way() const { return one_way_; }
  /// A packet with `payload` bytes on a port.
  [[nodiscard]] std::uint64_t flits(std::uint32_t payload) const {
    return (kHeaderBytes + payload + flit_bytes_ - 1) / flit_bytes_ * period_;
  }
  [[nodiscard]] std::uint64_t time_of(std::uint64_t core_cycle) const {
    return core_cycle * core_period_;
  }
  /// The first core cycle that sees what happens at `time`.
  [[nodiscard]] std::uint64_t core_cycle(std::uint64_t time) const {
    return (time + core_period_ - 1) / core_period_;
  }
  [[nodiscard]] std::uint32_t slice_of(std::uint64_t line) const { return map_.slice_of(line); }
  /// The slice to which requests of `core` for a line of slice `home` go: home's counterpart in the
  /// core's part of the L2.
  [[nodiscard]] std::uint32_t entrance(std::uint32_t core, std::uint32_t home) const {
    if (partitions_ == 1) return home;
    return core * partitions_ / cores_ * part_slices_ + home % part_slices_;
  }
  /// The slice in the other part that may have copies of lines of slice `home`; itself without one.
  [[nodiscard]] std::uint32_t counterpart(std::uint32_t home) const {
    if (partitions_ == 1) return home;
    return home < part_slices_ ? home + part_slices_ : home - part_slices_;
  }
  [[nodiscard]] const AddressMap& map() const { return map_; }

 private:
  static constexpr unsigned kHeaderBytes = 8;  // address and command of a packet

  std::uint64_t core_period_, period_, one_way_;
  std::uint32_t flit_bytes_;
  std::uint32_t cores_, partitions_, part_slices_;
  AddressMap map_;
};

}  // namespace paws::memory
