// SPDX-License-Identifier: MIT
// What this program is: its version, and the commit that it was built from.
#pragma once

#include <string>

namespace paws::cli {

/// "unknown" outside a git repository.
std::string built_from();

/// "paws 1.0.0 (commit 1a2b3c4)".
std::string version_line();

}  // namespace paws::cli
