// SPDX-License-Identifier: MIT
#include "engine/lockstep/branch_masks_lockstep.h"

#include <utility>

#include "engine/large_warp/rtl_branch_masks.h"
#include "engine/lockstep/large_warp_text.h"
#include "engine/lockstep/module_lockstep.h"

namespace paws {
namespace {

/// For ModuleLockstep.
struct BranchMasksModule {
  using Interface = BranchMasks;
  using Config = BranchMasksConfig;
  using Inputs = BranchMasksInputs;
  using Outputs = BranchMasksOutputs;
  static constexpr const char* kName = "branch masks";

  static std::string text_of(const Config& config) { return paws::text_of(config); }

  static std::string text_of(const BranchMasksInputs& inputs, const BranchMasksConfig& config) {
    if (!inputs.valid) return "  no sub-warp\n";
    std::string text = subwarp_text(inputs.mask, inputs.row, config.lanes);
    text += "  taken " + lanes_text(inputs.taken, config.lanes) + '\n';
    if (inputs.last)
      text += "  last, active\n" + mask_text(inputs.active, config.rows, config.lanes);
    return text;
  }

  static std::string text_of(const BranchMasksOutputs& outputs, const BranchMasksConfig& config) {
    return std::string(outputs.diverged ? "  diverged" : "  not diverged") + "\n  taken\n" +
           mask_text(outputs.taken, config.rows, config.lanes) + "  fall-through\n" +
           mask_text(outputs.fall, config.rows, config.lanes);
  }
};

}  // namespace

std::unique_ptr<BranchMasks> make_branch_masks_lockstep(const BranchMasksConfig& config,
                                                        const std::string& seed_text) {
  return make_branch_masks_lockstep(config, make_branch_masks(config),
                                    make_rtl_branch_masks(config, /*checked=*/true), seed_text);
}

std::unique_ptr<BranchMasks> make_branch_masks_lockstep(const BranchMasksConfig& config,
                                                        std::unique_ptr<BranchMasks> reference,
                                                        std::unique_ptr<BranchMasks> subject,
                                                        const std::string& seed_text) {
  return std::make_unique<ModuleLockstep<BranchMasksModule>>(config, std::move(reference),
                                                             std::move(subject), seed_text);
}

}  // namespace paws
