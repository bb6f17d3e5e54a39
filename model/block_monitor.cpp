// SPDX-License-Identifier: MIT
#include "model/block_monitor.h"

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace paws {
namespace {

class GoldenBlockMonitor final : public BlockMonitor {
 public:
  explicit GoldenBlockMonitor(const BlockMonitorConfig& config)
      : config_(config), counts_(config.slots) {
    if (config.slots == 0 || config.slots > kMonitorSlots || config.ports == 0 ||
        config.ports > kMonitorPorts || config.count_bits < 4 || config.count_bits > 32) {
      throw std::logic_error("a block monitor cannot be so");
    }
  }

  void clock(const BlockMonitorInputs& inputs) override {
    if (inputs.restart) {
      resident_ = 0;
      busy_ = 0;
      outputs_ = {};
    }
    if (outputs_.busy && --busy_ == 0) outputs_ = {false, true, enough()};
    if (outputs_.busy || outputs_.done) return;
    for (unsigned slot = 0; slot < config_.slots; ++slot) {
      if ((inputs.starts >> slot & 1U) == 0) continue;
      resident_ |= std::uint32_t{1} << slot;
      counts_[slot] = 0;
    }
    for (const auto& slot : inputs.issues) {
      if (slot) ++counts_[*slot];
    }
    const std::uint64_t limit = std::uint64_t{1} << config_.count_bits;
    if (std::any_of(counts_.begin(), counts_.end(),
                    [limit](std::uint64_t count) { return count >= limit; })) {
      for (std::uint64_t& count : counts_) count /= 2;
    }
    if (inputs.ends == 0) return;
    outputs_.busy = true;
    busy_ = 2 * config_.slots;
  }

  [[nodiscard]] BlockMonitorOutputs outputs() const override { return outputs_; }

 private:
  /// Blocks that would have been enough.
  [[nodiscard]] unsigned enough() const {
    std::uint64_t sum = 0;
    std::uint64_t most = 0;
    for (unsigned slot = 0; slot < config_.slots; ++slot) {
      if ((resident_ >> slot & 1U) == 0) continue;
      sum += counts_[slot];
      most = std::max(most, counts_[slot]);
    }
    switch (config_.rounding) {
      case Rounding::down:
        return static_cast<unsigned>(sum / most);
      case Rounding::nearest:
        return static_cast<unsigned>((2 * sum + most) / (2 * most));
      case Rounding::up:
        return static_cast<unsigned>((sum + most - 1) / most);
    }
    throw std::logic_error("an unknown rounding");
  }

  BlockMonitorConfig config_;
  std::vector<std::uint64_t> counts_;  ///< by block slot; void where nothing is resident
  std::uint32_t resident_ = 0;
  unsigned busy_ = 0;  ///< cycles left
  BlockMonitorOutputs outputs_;
};

}  // namespace

std::unique_ptr<BlockMonitor> make_block_monitor(const BlockMonitorConfig& config) {
  return std::make_unique<GoldenBlockMonitor>(config);
}

}  // namespace paws
