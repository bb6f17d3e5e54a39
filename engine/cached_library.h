// SPDX-License-Identifier: MIT
// Verilated code beyond what is built with the project: built when asked for, kept as a shared
// object under $XDG_CACHE_HOME/paws (else ~/.cache/paws) by a hash of everything that went into it.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace paws {

struct LibraryRecipe {
  std::string name;                            ///< of the file, before the hash
  std::string what;                            ///< for messages: "RTL engine two_level_6_2_5"
  std::string why;                             ///< it is built now, for the message that says so
  std::vector<std::filesystem::path> sources;  ///< everything it is made from, in a fixed order
  unsigned policies = 0;  ///< POLICIES: a name does not say which policies "all" are
  /// The command that makes `output`, with the scratch folder `work` to itself.
  std::function<std::vector<std::string>(const std::filesystem::path& output,
                                         const std::filesystem::path& work)>
      command;
  std::string entry;  ///< symbol to look up
};

/// Builds the library unless it is there, says so on stderr, loads it for as long as the program
/// lives, and returns its entry. Several processes may call it at once. Throws EngineBuildError.
void* load_library(const LibraryRecipe& recipe);

/// The project's sources: where this program was built from, those of an installation
/// ($PAWS_PREFIX, sim/support/installation.h), or $PAWS_SOURCE_DIR.
std::filesystem::path source_dir();

/// The C++ compiler: $CXX, or the one that built this program.
std::string compiler();

}  // namespace paws
