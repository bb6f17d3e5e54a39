// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "tb/random/host.h"
#include "tb/random/length_source.h"

namespace paws {
namespace {

constexpr WarpMask bit(unsigned warp) { return WarpMask{1} << warp; }

/// Free slots that suffice for a launch in every cycle: a warp that is launched in t
/// issues, and exits, in t+2.
constexpr unsigned kSpareSlots = 3;

class SiegeHost final : public Host {
 public:
  SiegeHost(const SchedulerConfig& config, std::uint64_t seed)
      : warps_(config.warps), phase_bits_(config.phase_bits), random_(seed) {
    draw_round();
    derive_inputs();
  }

  [[nodiscard]] const SchedulerInputs& inputs() const override { return inputs_; }

  void end(WarpId warp) override { live_ &= ~bit(warp); }

  void advance(const SchedulerOutputs& outputs) override {
    if (inputs_.launch_valid) live_ |= bit(inputs_.launch_warp);
    if (outputs.issue_valid && (inputs_.exits & bit(outputs.issue_warp)) != 0) {
      live_ &= ~bit(outputs.issue_warp);
    }
    step_ = (step_ + 1) % (5 * warps_);
    if (step_ == 0) draw_round();
    derive_inputs();
  }

 private:
  /// How many slots stay free, and when they are launched: from the first wake on or a little
  /// later, which decides how many batches the collector holds when its front is admitted.
  void draw_round() {
    spare_ = random_.between(1, std::min(kSpareSlots, warps_ / 2));
    launch_from_ = gathering_cycles() + random_.below(4);
  }

  [[nodiscard]] unsigned gathering_cycles() const { return 3 * warps_; }

  void derive_inputs() {
    const bool gathering = step_ < gathering_cycles();
    inputs_.issue_en = true;
    inputs_.waits = gathering ? live_ : 0;
    inputs_.issuable = gathering ? 0 : live_;
    inputs_.exits = live_;
    if (gathering) {
      inputs_.long_outstanding = live_;
    } else {
      for (unsigned wakes = 1 + random_.below(4) / 3; wakes > 0; --wakes) {
        if (inputs_.long_outstanding != 0) {
          inputs_.long_outstanding &= ~one_of(inputs_.long_outstanding);
        }
      }
    }
    for (unsigned slot = 0; slot < warps_; ++slot) {
      inputs_.phase[slot] = draw_length(random_, Lengths::few, phase_bits_);
    }
    const WarpMask all = warps_ == 64 ? ~WarpMask{0} : bit(warps_) - 1;
    const WarpMask free = all & ~live_;
    const unsigned spare = step_ < launch_from_ ? spare_ : 0;
    inputs_.launch_valid = static_cast<unsigned>(std::popcount(free)) > spare;
    if (inputs_.launch_valid) {
      inputs_.launch_warp = static_cast<WarpId>(std::countr_zero(one_of(free)));
    }
  }

  /// One bit of `mask`, which is not empty.
  WarpMask one_of(WarpMask mask) {
    for (unsigned skip = random_.below(static_cast<unsigned>(std::popcount(mask))); skip > 0;
         --skip) {
      mask &= mask - 1;
    }
    return mask & (~mask + 1);
  }

  unsigned warps_;
  unsigned phase_bits_;
  RandomSource random_;
  unsigned step_ = 0;
  unsigned spare_ = 0;
  unsigned launch_from_ = 0;
  WarpMask live_ = 0;
  SchedulerInputs inputs_;
};

}  // namespace

std::unique_ptr<Host> make_siege_host(const SchedulerConfig& config, std::uint64_t seed) {
  return std::make_unique<SiegeHost>(config, seed);
}

}  // namespace paws
