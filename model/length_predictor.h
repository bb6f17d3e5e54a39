// SPDX-License-Identifier: MIT
// The length predictor: learns how many instructions a phase has from the last time that a warp
// went through it (docs/reference/host_modules.md, "Length predictor").
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>

#include "model/scheduler.h"

namespace paws {

struct LengthPredictorConfig {
  unsigned warps = 8;     ///< 1 to 64
  unsigned entries = 64;  ///< lengths that are kept, a power of two, 2 to 1,024
  /// Width of a length, 2 to 16; a longer phase counts as the longest.
  unsigned length_bits = 9;
  unsigned pc_bits = 32;  ///< width of a program counter, 8 to 64
  unsigned shift = 2;     ///< bits of a program counter that no entry depends on, 0 to 4
};

struct LengthPredictorInputs {
  std::uint64_t pc = 0;      ///< of the instruction which is decoded
  WarpMask waits = 0;        ///< SchedulerInputs::waits
  WarpMask launch = 0;       ///< a warp starts in the slot
  bool issue_valid = false;  ///< an instruction of issue_warp issues
  WarpId issue_warp = 0;
  std::uint64_t issue_pc = 0;
  std::uint16_t issue_length = 0;  ///< what LengthPredictorOutputs::length said of it
};

/// An output that is nothing has no meaning at the port.
struct LengthPredictorOutputs {
  /// What the entry of the `pc` of the cycle before had learned at the start of that cycle. Nothing
  /// in the first cycle after reset.
  std::optional<std::uint16_t> length;
  WarpMask begins = 0;  ///< the warp's next instruction begins a phase
  /// Predicted instructions of the warp's phase that have not issued. Nothing before the first
  /// issue of a warp.
  std::array<std::optional<std::uint16_t>, kMaxWarps> remaining{};
};

/// A cycle is decide(), which may be repeated with other inputs, followed by commit(), the clock
/// edge, which uses the inputs of the last decide() and throws std::logic_error if they break a
/// promise. All outputs are of the state alone.
class LengthPredictor {
 public:
  virtual ~LengthPredictor() = default;
  virtual void reset() = 0;  ///< nothing is learned, and no warp is inside a phase
  virtual LengthPredictorOutputs decide(const LengthPredictorInputs& inputs) = 0;
  virtual void commit() = 0;
};

/// The golden model.
std::unique_ptr<LengthPredictor> make_length_predictor(const LengthPredictorConfig& config);

}  // namespace paws
