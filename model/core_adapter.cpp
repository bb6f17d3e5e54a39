// SPDX-License-Identifier: MIT
#include "model/core_adapter.h"

#include <algorithm>
#include <deque>
#include <optional>
#include <stdexcept>
#include <string>

#include "model/warp_mask.h"

namespace paws {
namespace {

/// Slots of the smallest scheduler.
constexpr unsigned kFewestSlots = 4;
/// Instructions that the buffer holds.
constexpr std::size_t kHeldInstructions = 2;

SchedulerConfig scheduler_of(const CoreAdapterConfig& config) {
  SchedulerConfig scheduler;
  scheduler.level = config.level == CoreLevel::two_levels ? Level::two_level : Level::single;
  scheduler.policy = config.level == CoreLevel::ordered ? "paws-ordered" : config.policy;
  scheduler.warps = std::max(config.warps, kFewestSlots);
  scheduler.ready = std::min(config.ready, scheduler.warps);
  scheduler.phase_bits = config.length_bits;
  scheduler.age_limit = config.age_limit;
  scheduler.compares = 2;
  return scheduler;
}

class GoldenCoreAdapter final : public CoreAdapter {
 public:
  explicit GoldenCoreAdapter(const CoreAdapterConfig& config)
      : config_(config), scheduler_(make_model(scheduler_of(config))) {}

  void reset() override {
    live_ = fell_ = 0;
    buffer_.clear();
    scheduler_->reset();
  }

  CoreAdapterOutputs decide(const CoreAdapterInputs& inputs) override {
    inputs_ = inputs;
    const WarpMask must_end = live_ & (~inputs.active | fell_);
    const WarpMask must_launch = inputs.active & ~live_;
    ends_ = lowest_of(must_end);
    falls_ = must_end & ~ends_;
    launches_ = lowest_of(must_launch);
    const SchedulerOutputs decision = scheduler_->decide(seen(live_ & ~must_end));
    issuer_.reset();
    if (decision.issue_valid) issuer_ = decision.issue_warp;

    CoreAdapterOutputs outputs;
    if (issuer_) outputs.taken = mask_of(*issuer_);
    outputs.live = live_;
    outputs.issue_valid = !buffer_.empty();
    if (outputs.issue_valid) {
      outputs.issue_warp = buffer_.front().warp;
      outputs.issue_payload = buffer_.front().payload;
    }
    return outputs;
  }

  void commit() override {
    check();
    scheduler_->commit();
    if (inputs_.issue_ready && !buffer_.empty()) buffer_.pop_front();
    if (issuer_) buffer_.push_back({.warp = *issuer_, .payload = inputs_.payload[*issuer_]});
    live_ = (live_ | launches_) & ~ends_;
    fell_ = falls_;
  }

 private:
  struct Instruction {
    WarpId warp;
    std::uint32_t payload;
  };

  static WarpMask lowest_of(WarpMask mask) { return mask == 0 ? 0 : mask_of(lowest(mask)); }

  /// What the scheduler sees, if only the warps of `staying` may issue or wait.
  [[nodiscard]] SchedulerInputs seen(WarpMask staying) const {
    SchedulerInputs seen;
    seen.issue_en = buffer_.size() < kHeldInstructions;
    seen.issuable = inputs_.issuable & staying;
    seen.waits = inputs_.waits & staying;
    seen.long_outstanding = inputs_.long_outstanding;
    std::copy_n(inputs_.length.begin(), config_.warps, seen.phase.begin());
    seen.launch_valid = launches_ != 0;
    if (seen.launch_valid) seen.launch_warp = lowest(launches_);
    seen.end_valid = ends_ != 0;
    if (seen.end_valid) seen.end_warp = lowest(ends_);
    return seen;
  }

  void check() const {
    const auto fail = [](const std::string& what) {
      throw std::logic_error("core adapter: the host broke a promise: " + what);
    };
    const WarpMask named =
        inputs_.active | inputs_.issuable | inputs_.waits | inputs_.long_outstanding;
    if (beyond(named, config_.warps)) {
      fail("a slot that does not exist");
    }
    for (unsigned warp = 0; warp < config_.warps; ++warp) {
      if (inputs_.length[warp] >> config_.length_bits != 0) fail("a length that does not fit");
    }
  }

  CoreAdapterConfig config_;
  std::unique_ptr<Scheduler> scheduler_;
  WarpMask live_ = 0;
  WarpMask fell_ = 0;               // live, and to end whatever the core says by now
  std::deque<Instruction> buffer_;  // the oldest first
  // Of the last decide().
  CoreAdapterInputs inputs_;
  WarpMask ends_ = 0, launches_ = 0;  // one slot or none
  WarpMask falls_ = 0;                // fell in the next cycle
  std::optional<WarpId> issuer_;
};

}  // namespace

std::unique_ptr<CoreAdapter> make_core_adapter(const CoreAdapterConfig& config) {
  return std::make_unique<GoldenCoreAdapter>(config);
}

}  // namespace paws
