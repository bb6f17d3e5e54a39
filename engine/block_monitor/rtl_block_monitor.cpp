// SPDX-License-Identifier: MIT
#include "engine/block_monitor/rtl_block_monitor.h"

#include <array>
#include <stdexcept>

#include "engine/plugin.h"

namespace paws {
namespace {

bool same(const BlockMonitorConfig& a, const BlockMonitorConfig& b) {
  return a.slots == b.slots && a.ports == b.ports && a.count_bits == b.count_bits &&
         a.rounding == b.rounding;
}

}  // namespace

std::span<const BuiltBlockMonitor> standard_block_monitors() {
  return plugin_list<BuiltBlockMonitor>("paws_plugin_block_monitors");
}

std::string text_of(const BlockMonitorConfig& config) {
  static constexpr std::array<const char*, kRoundings> kNames{"down", "to nearest", "up"};
  return std::to_string(config.slots) + (config.slots == 1 ? " slot, " : " slots, ") +
         std::to_string(config.ports) + (config.ports == 1 ? " port, " : " ports, ") +
         std::to_string(config.count_bits) + "-bit counts, rounded " +
         kNames.at(static_cast<unsigned>(config.rounding));
}

std::unique_ptr<BlockMonitor> make_rtl_block_monitor(const BlockMonitorConfig& config,
                                                     bool checked) {
  std::string known;
  for (const BuiltBlockMonitor& built : standard_block_monitors()) {
    if (built.checked != checked) continue;
    if (same(built.config, config)) return std::unique_ptr<BlockMonitor>(built.create());
    known += (known.empty() ? "" : "; ") + text_of(built.config);
  }
  throw std::invalid_argument("a block monitor of " + text_of(config) + " has no RTL (" + known +
                              " have)");
}

}  // namespace paws
