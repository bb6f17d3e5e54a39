// SPDX-License-Identifier: MIT
// What the schedulers get for phase lengths and distances: the static ones, those that a predictor
// in hardware learns, or, as a control experiment, something else (key scheduler.key_source).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "model/length_predictor.h"
#include "sim/config/gpu_config.h"
#include "sim/core/timed_kernel.h"

namespace paws::core {

/// Values of scheduler.key_source.
enum class KeySource : std::uint8_t { own, random, inverted, measured, learned };

/// Of one core; what it measures, it measures anew in each launch.
class PhaseKeys {
 public:
  /// `distance`: of an instruction to the end of its phase (single level), not the phase's length.
  PhaseKeys(const GpuConfig& config, bool distance)
      : config_(config),
        source_(static_cast<KeySource>(config.scheduler.key_source)),
        distance_(distance) {}

  /// Whether the keys of a machine change while warps run.
  [[nodiscard]] static bool move(const GpuConfig& config) {
    return static_cast<KeySource>(config.scheduler.key_source) >= KeySource::measured;
  }

  void begin(const TimedKernel& kernel, std::uint32_t warps);

  /// Of the instruction at `pc`, the next one of warp slot `warp`, saturated to 16 bits.
  [[nodiscard]] std::uint16_t of(std::uint32_t warp, std::uint32_t pc) const {
    return source_ == KeySource::learned ? learned(warp, pc) : keys_[pc];
  }

  /// Warp slot `warp` issues the instruction at `pc`.
  void issued(std::uint32_t warp, std::uint32_t pc, std::uint64_t cycle) {
    if (source_ == KeySource::measured) measure(warp, pc, cycle);
    if (source_ == KeySource::learned) learn_issue(warp, pc);
  }
  /// The next instruction of warp slot `warp` waits for a long operation or a barrier.
  void waits(std::uint32_t warp) {
    if (source_ == KeySource::learned) learn_wait(warp);
  }
  /// A new warp begins in the slot.
  void started(std::uint32_t warp);

 private:
  /// Where a warp slot stands.
  struct Stay {
    bool any = false;
    std::uint32_t phase = 0;
    std::uint64_t first = 0, last = 0;  ///< cycles of the first and the latest issue in the phase
  };
  /// A running mean over the stays that have ended, the latest ones with the greatest weight.
  struct Measured {
    bool any = false;
    std::int64_t sixteenths = 0;  ///< cycles
  };

  void measure(std::uint32_t warp, std::uint32_t pc, std::uint64_t cycle);
  void end_stay(Stay& stay);

  /// The predictor of the warp's scheduler, a golden model: an event is a cycle of it.
  [[nodiscard]] LengthPredictor& predictor(std::uint32_t warp) const {
    return *predictors_[warp % predictors_.size()];
  }
  [[nodiscard]] WarpId slot(std::uint32_t warp) const {
    return static_cast<WarpId>(warp / predictors_.size());
  }
  [[nodiscard]] std::uint16_t predicted(std::uint32_t warp, std::uint32_t pc) const;
  [[nodiscard]] std::uint16_t learned(std::uint32_t warp, std::uint32_t pc) const;
  void learn_issue(std::uint32_t warp, std::uint32_t pc);
  void learn_wait(std::uint32_t warp);

  const GpuConfig& config_;
  KeySource source_;
  bool distance_;
  const TimedKernel* kernel_ = nullptr;
  std::vector<std::uint16_t> keys_;                           ///< by pc
  std::vector<Stay> stays_;                                   ///< by warp slot
  std::vector<Measured> measured_;                            ///< by phase
  std::vector<std::unique_ptr<LengthPredictor>> predictors_;  ///< by scheduler; learned alone
};

}  // namespace paws::core
