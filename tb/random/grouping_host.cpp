// SPDX-License-Identifier: MIT
#include <utility>

#include "model/warp_mask.h"
#include "tb/model/group_places.h"
#include "tb/random/host.h"

namespace paws {
namespace {

class GroupingHost final : public Host {
 public:
  GroupingHost(std::unique_ptr<Host> inner, const SchedulerConfig& config, std::uint64_t seed)
      : inner_(std::move(inner)), places_(config, seed) {
    merge();
  }

  [[nodiscard]] const SchedulerInputs& inputs() const override { return inputs_; }

  void end(WarpId warp) override {
    live_ &= ~mask_of(warp);
    inner_->end(warp);
  }

  void advance(const SchedulerOutputs& outputs) override {
    if (outputs.issue_valid) live_ &= ~(mask_of(outputs.issue_warp) & inputs_.exits);
    if (inputs_.launch_valid) live_ |= mask_of(inputs_.launch_warp);
    inner_->advance(outputs);
    merge();
  }

 private:
  void merge() {
    SchedulerInputs next = inner_->inputs();
    next.pair = inputs_.pair;
    next.row = inputs_.row;
    next.second = inputs_.second;
    next.yields = inputs_.yields;
    inputs_ = next;
    places_.set(inputs_, live_);
  }

  std::unique_ptr<Host> inner_;
  test::GroupPlaces places_;
  SchedulerInputs inputs_;
  WarpMask live_ = 0;
};

}  // namespace

std::unique_ptr<Host> make_grouping_host(std::unique_ptr<Host> inner, const SchedulerConfig& config,
                                         std::uint64_t seed) {
  auto host = std::make_unique<GroupingHost>(std::move(inner), config, seed);
  if (!has_order(config)) return host;
  return make_arriving_host(std::move(host), config, seed);
}

}  // namespace paws
