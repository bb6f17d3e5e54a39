// SPDX-License-Identifier: MIT
// A barrier object of shared memory, as its 64 bits hold it (PTX ISA, "mbarrier").
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sim/ir/kernel.h"

namespace paws::exec {

/// Whether the operation asks for the phase and changes nothing.
constexpr bool is_test(ir::MbarrierMode mode) {
  return mode == ir::MbarrierMode::test || mode == ir::MbarrierMode::test_parity;
}
/// Whether the operation is an arrival.
constexpr bool arrives(ir::MbarrierMode mode) {
  return mode == ir::MbarrierMode::arrive || mode == ir::MbarrierMode::arrive_drop ||
         mode == ir::MbarrierMode::arrive_expect_tx;
}

struct BarrierObject {
  std::int64_t pending = 0;   ///< arrivals that this phase waits for
  std::int64_t expected = 0;  ///< arrivals of each phase behind it
  std::int64_t bytes = 0;     ///< that are on their way, and that this phase waits for
  bool odd = false;           ///< the parity of the phase

  static BarrierObject unpack(std::uint64_t bits);
  [[nodiscard]] std::uint64_t pack() const;

  /// Executes an operation that is no test, with its count (1 if it has none), and ends the phase
  /// when neither arrivals nor bytes are missing. Returns what is wrong with the operation, if
  /// anything is.
  std::optional<std::string> apply(ir::MbarrierMode mode, std::int64_t count);

  /// What a test gives: whether a phase has ended. `awaited` is the state that an arrival returned,
  /// or for test_parity the phase's parity.
  [[nodiscard]] bool has_ended(ir::MbarrierMode mode, std::uint64_t awaited) const;

 private:
  [[nodiscard]] bool counts_fit() const;
  [[nodiscard]] bool bytes_fit() const;
};

}  // namespace paws::exec
