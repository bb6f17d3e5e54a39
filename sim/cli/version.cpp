// SPDX-License-Identifier: MIT
// The only file that is compiled again when the commit changes.
#include "sim/cli/version.h"

#include <fmt/format.h>

#include "built_from.h"
#include "sim/run/provenance.h"

namespace paws::cli {

std::string built_from() { return kBuiltFrom; }

std::string version_line() {
  return fmt::format("paws {} (commit {})", project_version(), kBuiltFrom);
}

}  // namespace paws::cli
