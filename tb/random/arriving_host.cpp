// SPDX-License-Identifier: MIT
#include <utility>

#include "tb/random/host.h"
#include "tb/random/random_source.h"

namespace paws {
namespace {

class ArrivingHost final : public Host {
 public:
  ArrivingHost(std::unique_ptr<Host> inner, const SchedulerConfig& config, std::uint64_t seed)
      : inner_(std::move(inner)),
        warps_(config.warps),
        rests_after_issue_(rests_after_issue(config)),
        random_(seed) {
    merge(false);
  }

  [[nodiscard]] const SchedulerInputs& inputs() const override { return inputs_; }

  void end(WarpId warp) override { inner_->end(warp); }

  void advance(const SchedulerOutputs& outputs) override {
    inner_->advance(outputs);
    merge(outputs.issue_valid && rests_after_issue_);
  }

 private:
  void merge(bool rest) {
    if (stretch_left_-- == 0) change_stretch();
    const auto held = inputs_.phase;
    inputs_ = inner_->inputs();
    if (rest) inputs_.issue_en = false;
    for (unsigned slot = 0; slot < warps_; ++slot) {
      if (!random_.chance(arrivals_)) inputs_.phase[slot] = held[slot];
    }
  }

  /// From none to all in each cycle: with few of them nothing waits for long.
  void change_stretch() {
    static constexpr unsigned kPercent[] = {0, 1, 4, 20, 100};
    arrivals_ = kPercent[random_.below(std::size(kPercent))];
    stretch_left_ = random_.between(1, 100);
  }

  std::unique_ptr<Host> inner_;
  unsigned warps_;
  bool rests_after_issue_;
  RandomSource random_;
  unsigned arrivals_ = 0;      // chance in percent that the distance of a slot arrives
  unsigned stretch_left_ = 0;  // cycles
  SchedulerInputs inputs_;
};

}  // namespace

std::unique_ptr<Host> make_arriving_host(std::unique_ptr<Host> inner, const SchedulerConfig& config,
                                         std::uint64_t seed) {
  return std::make_unique<ArrivingHost>(std::move(inner), config, seed);
}

}  // namespace paws
