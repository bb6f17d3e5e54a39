// SPDX-License-Identifier: MIT
#include "sim/core/phase_keys.h"

#include <algorithm>
#include <limits>

#include "model/warp_mask.h"
#include "sim/support/random.h"

namespace paws::core {
namespace {

constexpr std::int64_t kLargest = std::numeric_limits<std::uint16_t>::max();
constexpr unsigned kBytes = 4;  ///< of an instruction, as the predictor counts by default

}  // namespace

void PhaseKeys::begin(const TimedKernel& kernel, std::uint32_t warps) {
  kernel_ = &kernel;
  const std::vector<ir::Instruction>& code = kernel.kernel().code;
  const unsigned field = (1U << config_.scheduler.phase_bits) - 1;
  keys_.resize(code.size());
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
    const std::uint16_t own = distance_ ? kernel[pc].phase_distance : kernel[pc].phase_length;
    unsigned key = own;
    switch (source_) {
      case KeySource::own:
      case KeySource::measured:
      case KeySource::learned:
        break;
      case KeySource::random:
        key = static_cast<unsigned>(
            scramble(config_.noise.seed, distance_ ? pc : code[pc].phase, distance_ ? 1 : 0) &
            field);
        break;
      case KeySource::inverted:
        key = field - std::min<unsigned>(own, field);
        break;
    }
    keys_[pc] = static_cast<std::uint16_t>(key);
  }
  stays_.assign(warps, {});
  measured_.assign(kernel.kernel().phases.size(), {});
  predictors_.clear();
  if (source_ != KeySource::learned) return;
  for (unsigned scheduler = 0; scheduler < config_.core.schedulers; ++scheduler) {
    predictors_.push_back(
        make_length_predictor({.warps = kMaxWarps, .length_bits = config_.scheduler.phase_bits}));
  }
}

void PhaseKeys::started(std::uint32_t warp) {
  end_stay(stays_[warp]);
  if (source_ != KeySource::learned) return;
  predictor(warp).decide({.launch = mask_of(slot(warp))});
  predictor(warp).commit();
}

std::uint16_t PhaseKeys::predicted(std::uint32_t warp, std::uint32_t pc) const {
  // As decode reads it: in one cycle the program counter, in the next one the length.
  predictor(warp).decide({.pc = std::uint64_t{pc} * kBytes});
  predictor(warp).commit();
  return predictor(warp).decide({}).length.value_or(0);
}

std::uint16_t PhaseKeys::learned(std::uint32_t warp, std::uint32_t pc) const {
  const LengthPredictorOutputs outputs = predictor(warp).decide({});
  if (!distance_ || contains(outputs.begins, slot(warp))) return predicted(warp, pc);
  return outputs.remaining[slot(warp)].value_or(0);
}

void PhaseKeys::learn_issue(std::uint32_t warp, std::uint32_t pc) {
  const std::uint16_t length = predicted(warp, pc);
  predictor(warp).decide({.issue_valid = true,
                          .issue_warp = slot(warp),
                          .issue_pc = std::uint64_t{pc} * kBytes,
                          .issue_length = length});
  predictor(warp).commit();
}

void PhaseKeys::learn_wait(std::uint32_t warp) {
  predictor(warp).decide({.waits = mask_of(slot(warp))});
  predictor(warp).commit();
}

void PhaseKeys::measure(std::uint32_t warp, std::uint32_t pc, std::uint64_t cycle) {
  Stay& stay = stays_[warp];
  const std::uint32_t phase = kernel_->kernel().code[pc].phase;
  if (stay.any && stay.phase != phase) end_stay(stay);
  if (!stay.any) stay = {true, phase, cycle, cycle};
  stay.last = cycle;
}

void PhaseKeys::end_stay(Stay& stay) {
  if (!stay.any) return;
  stay.any = false;
  const auto cycles = static_cast<std::int64_t>(stay.last - stay.first + 1);
  Measured& mean = measured_[stay.phase];
  mean.sixteenths = mean.any ? mean.sixteenths + 2 * cycles - mean.sixteenths / 8 : 16 * cycles;
  mean.any = true;
  const std::int64_t length = mean.sixteenths / 16;
  const ir::Phase& phase = kernel_->kernel().phases[stay.phase];
  for (std::uint32_t pc = phase.first; pc <= phase.last; ++pc) {
    const TimedInstruction& timed = (*kernel_)[pc];
    // The distance is the part of the measured length that it is of the static one.
    const std::int64_t key =
        distance_ ? length * timed.phase_distance / std::max<int>(1, timed.phase_length) : length;
    keys_[pc] = static_cast<std::uint16_t>(std::min(key, kLargest));
  }
}

}  // namespace paws::core
