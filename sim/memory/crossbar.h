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
  [[nodiscard]] const AddressMap& map() const { return map_; }

 private:
  static constexpr unsigned kHeaderBytes = 8;  // address and command of a packet

  std::uint64_t core_period_, period_, one_way_;
  std::uint32_t flit_bytes_;
  AddressMap map_;
};

}  // namespace paws::memory
