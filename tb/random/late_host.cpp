// SPDX-License-Identifier: MIT
#include <bit>
#include <utility>

#include "model/warp_mask.h"
#include "tb/random/host.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

class LateHost final : public Host {
 public:
  LateHost(std::unique_ptr<Host> inner, std::uint64_t seed)
      : inner_(std::move(inner)), random_(seed) {
    derive_inputs();
  }

  [[nodiscard]] const SchedulerInputs& inputs() const override { return inputs_; }

  void end(WarpId warp) override {
    live_ &= ~mask_of(warp);
    inner_->end(warp);
  }

  void advance(const SchedulerOutputs& outputs) override {
    last_issued_ = 0;
    if (outputs.issue_valid) {
      last_issued_ = mask_of(outputs.issue_warp);
      live_ &= ~(last_issued_ & inputs_.exits);
    }
    last_launched_ = inputs_.launch_valid ? mask_of(inputs_.launch_warp) : 0;
    live_ |= last_launched_;
    if (inputs_.end_valid) end(inputs_.end_warp);
    inner_->advance(outputs);
    derive_inputs();
  }

 private:
  void derive_inputs() {
    if (spell_left_-- == 0) change_spell();
    inputs_ = inner_->inputs();
    inputs_.end_valid = false;
    inputs_.end_warp = inputs_.launch_warp;  // means nothing without an end
    const WarpMask may_end = preferred();
    if (may_end == 0 || random_.below(64) >= per_64_cycles_) return;
    WarpMask warp = may_end;
    for (unsigned skip = random_.below(static_cast<unsigned>(std::popcount(may_end))); skip > 0;
         --skip) {
      warp &= warp - 1;
    }
    inputs_.end_valid = true;
    inputs_.end_warp = lowest(warp);
    inputs_.issuable &= ~mask_of(inputs_.end_warp);
  }

  /// The live warps, or those whose end meets something else for certain.
  [[nodiscard]] WarpMask preferred() {
    WarpMask some = 0;
    switch (random_.below(8)) {
      case 0:
        some = last_issued_;
        break;
      case 1:
        some = last_launched_;
        break;
      case 2:
        some = inputs_.waits;
        break;
      case 3:
        some = ~(inputs_.waits | inputs_.long_outstanding);
        break;
      default:
        break;
    }
    return (some & live_) != 0 ? some & live_ : live_;
  }

  void change_spell() {
    static constexpr unsigned kRates[] = {0, 1, 4, 16, 64};
    per_64_cycles_ = kRates[random_.below(std::size(kRates))];
    spell_left_ = random_.between(10, 200);
  }

  std::unique_ptr<Host> inner_;
  RandomSource random_;
  SchedulerInputs inputs_;
  WarpMask live_ = 0;
  WarpMask last_issued_ = 0;    ///< in the cycle before
  WarpMask last_launched_ = 0;  ///< in the cycle before
  unsigned per_64_cycles_ = 0;  ///< late ends, for a while
  unsigned spell_left_ = 0;
};

}  // namespace

std::unique_ptr<Host> make_late_host(std::unique_ptr<Host> inner, std::uint64_t seed) {
  return std::make_unique<LateHost>(std::move(inner), seed);
}

}  // namespace paws
