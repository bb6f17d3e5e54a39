// SPDX-License-Identifier: MIT
#include <utility>

#include "model/warp_mask.h"
#include "tb/random/host.h"

namespace paws {
namespace {

class HoldingHost final : public Host {
 public:
  explicit HoldingHost(std::unique_ptr<Host> inner)
      : inner_(std::move(inner)), inputs_(inner_->inputs()) {}

  [[nodiscard]] const SchedulerInputs& inputs() const override { return inputs_; }

  void end(WarpId warp) override {
    live_ &= ~mask_of(warp);
    inner_->end(warp);
  }

  void advance(const SchedulerOutputs& outputs) override {
    if (inputs_.launch_valid) live_ |= mask_of(inputs_.launch_warp);
    WarpMask holds = live_;
    if (outputs.issue_valid) {
      const WarpMask issuer = mask_of(outputs.issue_warp);
      holds &= ~issuer;
      live_ &= ~(issuer & inputs_.exits);
    }
    inner_->advance(outputs);
    const auto held = inputs_.phase;
    inputs_ = inner_->inputs();
    for_each_warp(holds, [&](WarpId warp) { inputs_.phase[warp] = held[warp]; });
  }

 private:
  std::unique_ptr<Host> inner_;
  SchedulerInputs inputs_;
  WarpMask live_ = 0;
};

}  // namespace

std::unique_ptr<Host> make_holding_host(std::unique_ptr<Host> inner) {
  return std::make_unique<HoldingHost>(std::move(inner));
}

}  // namespace paws
