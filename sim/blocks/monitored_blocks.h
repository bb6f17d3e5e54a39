// SPDX-License-Identifier: MIT
// Blocks in turn with the limits that block monitors find: the base of the block schedulers with
// LCS.
#pragma once

#include <optional>
#include <vector>

#include "sim/blocks/blocks_in_turn.h"
#include "sim/blocks/monitored_limits.h"

namespace paws {

class MonitoredBlocks : public BlocksInTurn {
 public:
  /// `rules`: of LCS; nothing: no monitors and no limits.
  MonitoredBlocks(std::uint32_t cores, std::uint64_t latency,
                  const std::optional<LimitRules>& rules)
      : BlocksInTurn(cores, latency),
        monitors_(rules.has_value()),
        limits_(rules.value_or(LimitRules{}), latency) {}

  void begin(std::span<const LaunchBlocks> launches, const core::Resources& core,
             std::uint64_t cycle) override {
    BlocksInTurn::begin(launches, core, cycle);
    limits_.begin(launches, cycle);
  }
  void monitored(const Monitored& found) override { limits_.monitored(found); }
  [[nodiscard]] bool monitors() const final { return monitors_; }
  [[nodiscard]] std::vector<BlockLimit> limits() const override { return limits_.found(); }

 protected:
  [[nodiscard]] unsigned limit(std::uint32_t core, std::uint32_t launch,
                               std::uint64_t cycle) const override {
    return limits_.limit(core, launch, cycle).value_or(BlocksInTurn::limit(core, launch, cycle));
  }
  void gave(std::uint32_t core, const Choice& choice, std::uint64_t cycle) override {
    limits_.gave(core, choice.launch, cycle);
  }

 private:
  bool monitors_;
  MonitoredLimits limits_;
};

}  // namespace paws
