// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <utility>

#include "tb/random/host.h"
#include "tb/random/length_source.h"

namespace paws {
namespace {

constexpr WarpMask bit(unsigned warp) { return WarpMask{1} << warp; }

/// How dense each input is for a while: eighths of the warps, or of the cycles.
struct Weather {
  unsigned issuable = 4;
  unsigned waits = 4;
  unsigned long_outstanding = 4;
  unsigned exits = 1;
  unsigned issue_en = 8;
  unsigned launch = 4;
  unsigned change = 8;  ///< of the cycles in which inputs change at all
  Lengths lengths = Lengths::uniform;
};

class WildHost final : public Host {
 public:
  WildHost(const SchedulerConfig& config, std::uint64_t seed)
      : warps_(config.warps), phase_bits_(config.phase_bits), random_(seed) {
    change_weather();
    derive_inputs();
  }

  [[nodiscard]] const SchedulerInputs& inputs() const override { return inputs_; }

  void end(WarpId warp) override {
    live_ &= ~bit(warp);
    ended_ = true;
  }

  void advance(const SchedulerOutputs& outputs) override {
    bool must_change = std::exchange(ended_, false);  // a free slot is neither issuable nor waiting
    if (inputs_.launch_valid) {
      live_ |= bit(inputs_.launch_warp);
      must_change = true;  // the slot is not free any more
    }
    if (outputs.issue_valid && (inputs_.exits & bit(outputs.issue_warp)) != 0) {
      live_ &= ~bit(outputs.issue_warp);
      must_change = true;  // a free slot is neither issuable nor waiting
    }
    if (weather_left_-- == 0) change_weather();
    if (must_change || random_.below(8) < weather_.change) derive_inputs();
  }

 private:
  void change_weather() {
    static constexpr unsigned kDensities[] = {0, 1, 4, 7, 8};
    const auto density = [&] { return kDensities[random_.below(std::size(kDensities))]; };
    weather_left_ = random_.between(1, 100);
    weather_.issuable = density();
    weather_.waits = density();
    weather_.long_outstanding = density();
    weather_.exits = density();
    weather_.issue_en = std::max(1U, density());
    weather_.launch = density();
    weather_.change = density();
    weather_.lengths = static_cast<Lengths>(random_.below(3));
  }

  void derive_inputs() {
    inputs_.waits = random_.mask(weather_.waits) & live_;
    inputs_.issuable = random_.mask(weather_.issuable) & live_ & ~inputs_.waits;
    // Nothing is promised about these two for free slots.
    inputs_.long_outstanding = random_.mask(weather_.long_outstanding) & all();
    inputs_.exits = random_.mask(weather_.exits) & all();
    inputs_.issue_en = random_.below(8) < weather_.issue_en;
    for (unsigned slot = 0; slot < warps_; ++slot) {
      inputs_.phase[slot] = draw_length(random_, weather_.lengths, phase_bits_);
    }
    WarpMask free = all() & ~live_;
    const auto free_slots = static_cast<unsigned>(std::popcount(free));
    inputs_.launch_valid = free_slots > 0 && random_.below(8) < weather_.launch;
    // Without a launch the slot means nothing and may be any.
    inputs_.launch_warp = random_.below(warps_);
    if (!inputs_.launch_valid) return;
    for (unsigned skip = random_.below(free_slots); skip > 0; --skip) free &= free - 1;
    inputs_.launch_warp = static_cast<WarpId>(std::countr_zero(free));
  }

  [[nodiscard]] WarpMask all() const { return warps_ == 64 ? ~WarpMask{0} : bit(warps_) - 1; }

  unsigned warps_;
  unsigned phase_bits_;
  RandomSource random_;
  Weather weather_;
  unsigned weather_left_ = 0;
  WarpMask live_ = 0;
  bool ended_ = false;  ///< a warp, late, in this cycle
  SchedulerInputs inputs_;
};

}  // namespace

std::unique_ptr<Host> make_wild_host(const SchedulerConfig& config, std::uint64_t seed) {
  auto host = std::make_unique<WildHost>(config, seed);
  if (config.level == Level::two_level) return host;
  return make_grouping_host(std::move(host), config, seed);
}

}  // namespace paws
