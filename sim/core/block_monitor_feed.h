// SPDX-License-Identifier: MIT
// What a core tells its block monitor (model/block_monitor.h), if it has one: starts, issues and
// ends of blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "model/block_monitor.h"
#include "sim/core/core.h"

namespace paws::core {

class BlockMonitorFeed {
 public:
  /// `monitor` may be null: then nothing counts.
  explicit BlockMonitorFeed(std::unique_ptr<BlockMonitor> monitor) : monitor_(std::move(monitor)) {}

  void begin() {
    counts_ = false;
    launch_.reset();
  }
  /// A block of `launch` is to start; `empty`: the core has none. Another launch is counted anew.
  void starts(std::uint32_t launch, std::uint32_t block_slot, bool empty) {
    if (monitor_ && empty && launch_ != launch) {
      counts_ = true;
      launch_ = launch;
      inputs_ = {};
      inputs_.restart = true;
    }
    if (counts_) inputs_.starts |= std::uint32_t{1} << block_slot;
  }
  void issued(unsigned scheduler, std::uint32_t block_slot) {
    if (counts_) inputs_.issues[scheduler] = static_cast<std::uint8_t>(block_slot);
  }
  /// The last warp of the block issues its exit.
  void ended(std::uint32_t block_slot) {
    if (counts_) inputs_.ends |= std::uint32_t{1} << block_slot;
  }
  /// The end of `cycle`. Says the limit once it is known.
  std::optional<Core::Monitored> clock(std::uint64_t cycle) {
    if (!counts_ || inputs_ == BlockMonitorInputs{}) return std::nullopt;
    monitor_->clock(inputs_);
    inputs_ = {};
    if (!monitor_->outputs().busy) return std::nullopt;
    // Nothing but a restart changes what it works out, so that is known at once.
    std::uint64_t done = cycle + 1;
    for (; monitor_->outputs().busy; ++done) monitor_->clock({});
    counts_ = false;
    return Core::Monitored{done, *launch_, monitor_->outputs().limit};
  }

 private:
  std::unique_ptr<BlockMonitor> monitor_;
  BlockMonitorInputs inputs_;            ///< of the cycle
  std::optional<std::uint32_t> launch_;  ///< whose blocks it counts
  bool counts_ = false;
};

}  // namespace paws::core
