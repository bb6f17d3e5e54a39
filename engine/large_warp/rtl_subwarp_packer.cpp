// SPDX-License-Identifier: MIT
#include "engine/large_warp/rtl_subwarp_packer.h"

#include <array>
#include <stdexcept>

#include "engine/plugin.h"

namespace paws {

std::span<const BuiltSubwarpPacker> standard_subwarp_packers() {
  return plugin_list<BuiltSubwarpPacker>("paws_plugin_subwarp_packers");
}

std::string text_of(const SubwarpPackerConfig& config) {
  std::string text = std::to_string(config.rows) + (config.rows == 1 ? " row" : " rows") + " of " +
                     std::to_string(config.lanes) + (config.lanes == 1 ? " lane, " : " lanes, ");
  static constexpr std::array<const char*, kPackModes> kNames{"packed", "rows", "once"};
  const char* separator = "modes ";
  for (unsigned mode = 0; mode < kPackModes; ++mode) {
    if ((config.modes >> mode & 1U) == 0) continue;
    text.append(separator).append(kNames.at(mode));
    separator = ", ";
  }
  return text;
}

std::unique_ptr<SubwarpPacker> make_rtl_subwarp_packer(const SubwarpPackerConfig& config,
                                                       bool checked) {
  std::string known;
  for (const BuiltSubwarpPacker& built : standard_subwarp_packers()) {
    if (built.checked != checked) continue;
    if (built.config == config) return std::unique_ptr<SubwarpPacker>(built.create());
    known += (known.empty() ? "" : "; ") + text_of(built.config);
  }
  throw std::invalid_argument("a sub-warp packer of " + text_of(config) + " has no RTL (" + known +
                              " have)");
}

}  // namespace paws
