// SPDX-License-Identifier: MIT
#include "model/long_tracker.h"

#include <set>
#include <stdexcept>
#include <string>

#include "model/warp_mask.h"

namespace paws {
namespace {

class GoldenLongTracker final : public LongTracker {
 public:
  explicit GoldenLongTracker(const LongTrackerConfig& config) : config_(config) {}

  void reset() override { awaited_ = {}; }

  LongTrackerOutputs decide(const LongTrackerInputs& inputs) override {
    inputs_ = inputs;
    LongTrackerOutputs outputs;
    outputs.waits = inputs.held;
    for (WarpId warp = 0; warp < config_.warps; ++warp) {
      if (!awaited_[warp].empty()) outputs.long_outstanding |= mask_of(warp);
      if (contains(inputs.valid, warp) && names_awaited(warp)) outputs.waits |= mask_of(warp);
    }
    return outputs;
  }

  void commit() override {
    check();
    for (unsigned port = 0; port < config_.writes; ++port) {
      const RegisterPort& write = inputs_.write[port];
      if (write.valid) awaited_[write.warp].erase(write.number);
    }
    const RegisterPort& issue = inputs_.issue;
    const bool constant = config_.zero && issue.number == 0;
    if (issue.valid && !constant) awaited_[issue.warp].insert(issue.number);
    for_each_warp(inputs_.clear, [&](WarpId warp) { awaited_[warp].clear(); });
  }

 private:
  [[nodiscard]] bool names_awaited(WarpId warp) const {
    for (unsigned read = 0; read < config_.reads; ++read) {
      if (awaited_[warp].contains(inputs_.registers[warp][read])) return true;
    }
    return false;
  }

  void check() const {
    const auto fail = [](const std::string& what) {
      throw std::logic_error("long tracker: the host broke a promise: " + what);
    };
    const auto check_port = [&](const RegisterPort& port) {
      if (!port.valid) return;
      if (port.warp >= config_.warps) fail("a slot that does not exist");
      if (port.number >= config_.registers) fail("a register that does not exist");
    };
    const WarpMask named = inputs_.valid | inputs_.held | inputs_.clear;
    if (beyond(named, config_.warps)) {
      fail("a slot that does not exist");
    }
    check_port(inputs_.issue);
    for (unsigned port = 0; port < config_.writes; ++port) check_port(inputs_.write[port]);
    for_each_warp(inputs_.valid, [&](WarpId warp) {
      for (unsigned read = 0; read < config_.reads; ++read) {
        check_port({.valid = true, .warp = warp, .number = inputs_.registers[warp][read]});
      }
    });
  }

  LongTrackerConfig config_;
  std::array<std::set<std::uint8_t>, kMaxWarps> awaited_;
  LongTrackerInputs inputs_;
};

}  // namespace

std::unique_ptr<LongTracker> make_long_tracker(const LongTrackerConfig& config) {
  return std::make_unique<GoldenLongTracker>(config);
}

}  // namespace paws
