// SPDX-License-Identifier: MIT
// The tracker of long operations: knows which registers of each warp a long operation will write,
// and so which warps wait (docs/reference/host_modules.md, "Tracker of long operations").
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "model/scheduler.h"

namespace paws {

inline constexpr unsigned kMaxReads = 8;
inline constexpr unsigned kMaxWrites = 4;

struct LongTrackerConfig {
  unsigned warps = 8;       ///< 1 to 64
  unsigned registers = 32;  ///< of a warp, 2 to 256
  unsigned reads = 4;       ///< registers that an instruction names, 1 to 8
  unsigned writes = 1;      ///< ports of the write-back, 1 to 4
  bool zero = false;        ///< register 0 is constant: no operation writes it
};

/// A register of a warp at a port.
struct RegisterPort {
  bool valid = false;
  WarpId warp = 0;
  std::uint8_t number = 0;
};

struct LongTrackerInputs {
  WarpMask valid = 0;  ///< the warp's next instruction is there
  /// The registers that it names, of which LongTrackerConfig::reads count.
  std::array<std::array<std::uint8_t, kMaxReads>, kMaxWarps> registers{};
  WarpMask held = 0;     ///< a barrier holds the warp
  RegisterPort issue{};  ///< a long operation issues and will write this register
  std::array<RegisterPort, kMaxWrites> write{};  ///< LongTrackerConfig::writes of them count
  WarpMask clear = 0;                            ///< the operations of the warp are dropped
};

struct LongTrackerOutputs {
  WarpMask waits = 0;             ///< SchedulerInputs::waits
  WarpMask long_outstanding = 0;  ///< SchedulerInputs::long_outstanding; of the state alone
};

/// A cycle is decide(), which may be repeated with other inputs, followed by commit(), the clock
/// edge, which uses the inputs of the last decide() and throws std::logic_error if they name what
/// does not exist.
class LongTracker {
 public:
  virtual ~LongTracker() = default;
  virtual void reset() = 0;  ///< no register is awaited
  virtual LongTrackerOutputs decide(const LongTrackerInputs& inputs) = 0;
  virtual void commit() = 0;
};

/// The golden model.
std::unique_ptr<LongTracker> make_long_tracker(const LongTrackerConfig& config);

}  // namespace paws
