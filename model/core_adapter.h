// SPDX-License-Identifier: MIT
// The adapter between a core and a scheduler of any level: makes launches and late ends of the
// warps that the core has, and holds what issues until the core accepts it
// (docs/reference/host_modules.md, "Core adapter").
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "model/scheduler.h"

namespace paws {

/// The scheduler behind the adapter; the codes of LEVEL.
enum class CoreLevel : std::uint8_t { single, two_levels, ordered };

struct CoreAdapterConfig {
  unsigned warps = 8;  ///< warp slots of the core, 1 to 64
  CoreLevel level = CoreLevel::single;
  std::string policy = "gto";  ///< of the level; unused by ordered PAWS
  unsigned ready = 4;          ///< two levels: from 1 on; more than there are slots count as those
  unsigned length_bits = 9;    ///< width of a length, 2 to 16
  unsigned age_limit = 0;      ///< SchedulerConfig::age_limit
};

struct CoreAdapterInputs {
  WarpMask active = 0;            ///< the slot has a warp
  WarpMask issuable = 0;          ///< the warp's next instruction can issue
  WarpMask waits = 0;             ///< SchedulerInputs::waits
  WarpMask long_outstanding = 0;  ///< SchedulerInputs::long_outstanding
  /// Two levels: length of the phase of the next instruction. Else its distance.
  std::array<std::uint16_t, kMaxWarps> length{};
  std::array<std::uint32_t, kMaxWarps> payload{};  ///< goes to the issue port with the instruction
  bool issue_ready = false;                        ///< the core accepts what is at the issue port
};

struct CoreAdapterOutputs {
  WarpMask taken = 0;               ///< the instruction of this warp is taken: one bit or none
  WarpMask live = 0;                ///< the scheduler has the warp
  bool issue_valid = false;         ///< an instruction that was taken is at the issue port
  WarpId issue_warp = 0;            ///< 0 without one
  std::uint32_t issue_payload = 0;  ///< 0 without one
};

/// A cycle is decide(), which may be repeated with other inputs, followed by commit(), the clock
/// edge, which uses the inputs of the last decide() and throws std::logic_error if they break a
/// promise, also one to the scheduler. All outputs but `taken` are of the state alone.
class CoreAdapter {
 public:
  virtual ~CoreAdapter() = default;
  virtual void reset() = 0;  ///< no slot is live, and no instruction held
  virtual CoreAdapterOutputs decide(const CoreAdapterInputs& inputs) = 0;
  virtual void commit() = 0;
};

/// The golden model, with a golden scheduler. Throws std::invalid_argument with the words of
/// make_model() for a scheduler that cannot be.
std::unique_ptr<CoreAdapter> make_core_adapter(const CoreAdapterConfig& config);

}  // namespace paws
