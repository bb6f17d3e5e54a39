// SPDX-License-Identifier: MIT
// What programs find in the library paws_engines (plugin.h).
#include "engine/block_monitor/rtl_block_monitor.h"
#include "engine/engine_registry.h"
#include "engine/large_warp/rtl_branch_masks.h"
#include "engine/large_warp/rtl_subwarp_packer.h"
#include "engine_sources.h"  // written by cmake/engine_sources.cmake

namespace paws {

std::span<const BuiltEngine> plugin_engines();
std::span<const BuiltBlockMonitor> plugin_block_monitors();
std::span<const BuiltSubwarpPacker> plugin_subwarp_packers();
std::span<const BuiltBranchMasks> plugin_branch_masks();

}  // namespace paws

extern "C" {

const char* paws_plugin_sources() { return paws::kEngineSources; }

void paws_plugin_engines(std::span<const paws::BuiltEngine>& list) {
  list = paws::plugin_engines();
}
void paws_plugin_block_monitors(std::span<const paws::BuiltBlockMonitor>& list) {
  list = paws::plugin_block_monitors();
}
void paws_plugin_subwarp_packers(std::span<const paws::BuiltSubwarpPacker>& list) {
  list = paws::plugin_subwarp_packers();
}
void paws_plugin_branch_masks(std::span<const paws::BuiltBranchMasks>& list) {
  list = paws::plugin_branch_masks();
}

}  // extern "C"
