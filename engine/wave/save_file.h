// SPDX-License-Identifier: MIT
// What viewers show of the waves of wave_top.sv: GTKWave's save file, with groups and names for
// numbers, and Surfer's command file.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/scheduler.h"

namespace paws {

/// What the numbers of WaveCycle mean, each list by number.
struct WaveNames {
  std::vector<std::string> states, conditions, places;
};

struct SaveFileContents {
  std::string name;  ///< of the file, without folder
  std::string content;
};

/// The save file `base`.gtkw for `base`.fst and the translation files that it names, all to be put
/// beside each other, and `base`.sucl, commands of Surfer that show what is in the save file's open
/// groups; `first` and `last` are the cycles of the wave.
std::vector<SaveFileContents> save_files(const std::string& base, const SchedulerConfig& config,
                                         unsigned schedulers, const WaveNames& names,
                                         std::uint64_t first, std::uint64_t last);

}  // namespace paws
