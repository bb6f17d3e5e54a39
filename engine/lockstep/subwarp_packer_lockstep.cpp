// SPDX-License-Identifier: MIT
#include "engine/lockstep/subwarp_packer_lockstep.h"

#include <array>
#include <utility>

#include "engine/large_warp/rtl_subwarp_packer.h"
#include "engine/lockstep/large_warp_text.h"
#include "engine/lockstep/module_lockstep.h"

namespace paws {
namespace {

/// For ModuleLockstep.
struct SubwarpPackerModule {
  using Interface = SubwarpPacker;
  using Config = SubwarpPackerConfig;
  using Inputs = SubwarpPackerInputs;
  using Outputs = SubwarpPackerOutputs;
  static constexpr const char* kName = "sub-warp packer";

  static std::string text_of(const Config& config) { return paws::text_of(config); }

  static std::string text_of(const SubwarpPackerInputs& inputs, const SubwarpPackerConfig& config) {
    static constexpr std::array<const char*, kPackModes> kNames{"packed", "rows", "once"};
    std::string text;
    if (inputs.load_valid) {
      text = std::string("  load, ") + kNames.at(static_cast<unsigned>(inputs.load_mode)) + '\n' +
             mask_text(inputs.load_mask, config.rows, config.lanes);
    } else {
      text = "  no load\n";
    }
    return text + (inputs.take ? "  take\n" : "  hold\n");
  }

  static std::string text_of(const SubwarpPackerOutputs& outputs,
                             const SubwarpPackerConfig& config) {
    return std::string(outputs.valid ? "  valid" : "  not valid") + (outputs.last ? ", last" : "") +
           (outputs.busy ? ", busy" : "") + '\n' +
           subwarp_text(outputs.mask, outputs.row, config.lanes);
  }
};

}  // namespace

std::unique_ptr<SubwarpPacker> make_subwarp_packer_lockstep(const SubwarpPackerConfig& config,
                                                            const std::string& seed_text) {
  return make_subwarp_packer_lockstep(config, make_subwarp_packer(config),
                                      make_rtl_subwarp_packer(config, /*checked=*/true), seed_text);
}

std::unique_ptr<SubwarpPacker> make_subwarp_packer_lockstep(
    const SubwarpPackerConfig& config, std::unique_ptr<SubwarpPacker> reference,
    std::unique_ptr<SubwarpPacker> subject, const std::string& seed_text) {
  return std::make_unique<ModuleLockstep<SubwarpPackerModule>>(config, std::move(reference),
                                                               std::move(subject), seed_text);
}

}  // namespace paws
