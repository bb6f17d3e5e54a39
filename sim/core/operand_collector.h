// SPDX-License-Identifier: MIT
// Register banks and collector units of a core.
//
// A bank delivers or takes one warp-wide 32-bit register per cycle; register r of warp w lies in
// bank (r + w) mod core.register_banks. An instruction books all its reads when it issues, each in
// the first cycle in which its bank is free; it is collected when the last is read, and starts when
// its unit is free then. Until it starts it holds one of the unit's collectors. A write-back takes
// the cycle before its result is seen and is not delayed: writes go before reads, what is booked
// later waits. With core.register_banks 0 nothing conflicts.
//
// A timetable, worked out at issue: later reads do not fill gaps that earlier ones left.
#pragma once

#include <cstdint>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/core/timed_kernel.h"

namespace paws::core {

class OperandCollector {
 public:
  explicit OperandCollector(const GpuConfig& config);

  struct Booking {
    std::uint64_t conflicts = 0;  ///< cycles that bank conflicts cost the collection
    std::uint64_t start = 0;    ///< cycle in which the unit takes it; without any delay the present
    std::uint64_t accepts = 0;  ///< first cycle in which another may issue to the unit
  };

  /// `timed` issues for warp slot `warp` to its unit, of `scheduler` if every scheduler has one.
  /// The unit must accept it.
  Booking issue(const TimedKernel& kernel, const TimedInstruction& timed, std::uint32_t warp,
                unsigned scheduler, std::uint64_t cycle);

  /// The results of `timed` are seen from `cycle` on.
  void write_back(const TimedKernel& kernel, const TimedInstruction& timed, std::uint32_t warp,
                  std::uint64_t cycle);

 private:
  struct ExecutionUnit {
    std::uint64_t next_start = 0;           ///< first cycle in which it can start another
    std::vector<std::uint64_t> collectors;  ///< first cycle in which each is free
  };

  /// Calls `apply` for the bank of each of `count` registers from the kernel's list.
  template <typename Function>
  void for_each_bank(const std::uint8_t* offsets, unsigned count, std::uint32_t warp,
                     Function&& apply);

  unsigned banks_;
  unsigned schedulers_;
  std::vector<ExecutionUnit> units_;  ///< every scheduler's ALUs, then the shared ones
  std::vector<std::uint64_t> bank_free_;
  std::vector<unsigned> shift_;  ///< warp slot mod banks
};

}  // namespace paws::core
