// SPDX-License-Identifier: MIT
#include "engine/large_warp/rtl_branch_masks.h"

#include <stdexcept>

#include "engine/plugin.h"

namespace paws {

std::span<const BuiltBranchMasks> standard_branch_masks() {
  return plugin_list<BuiltBranchMasks>("paws_plugin_branch_masks");
}

std::string text_of(const BranchMasksConfig& config) {
  std::string text = std::to_string(config.rows) + (config.rows == 1 ? " row" : " rows") + " of " +
                     std::to_string(config.lanes) + (config.lanes == 1 ? " lane, " : " lanes, ");
  return text + std::to_string(config.buffers) + (config.buffers == 1 ? " buffer" : " buffers");
}

std::unique_ptr<BranchMasks> make_rtl_branch_masks(const BranchMasksConfig& config, bool checked) {
  std::string known;
  for (const BuiltBranchMasks& built : standard_branch_masks()) {
    if (built.checked != checked) continue;
    if (built.config == config) return std::unique_ptr<BranchMasks>(built.create());
    known += (known.empty() ? "" : "; ") + text_of(built.config);
  }
  throw std::invalid_argument("branch masks of " + text_of(config) + " have no RTL (" + known +
                              " have)");
}

}  // namespace paws
