// SPDX-License-Identifier: MIT
#include "sim/support/installation.h"

#include <cstdlib>

namespace paws {
namespace {

namespace fs = std::filesystem;

constexpr const char* kVariable = "PAWS_PREFIX";

fs::path below_prefix(const char* below, const char* otherwise) {
  const char* prefix = std::getenv(kVariable);
  return prefix == nullptr ? fs::path(otherwise) : fs::path(prefix) / below;
}

}  // namespace

void use_installation() {
  std::error_code error;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", error).parent_path().parent_path();
  if (!error && fs::exists(prefix / "share/paws/sim/presets", error)) {
    setenv(kVariable, prefix.c_str(), 1);
  } else {
    unsetenv(kVariable);
  }
}

fs::path project_folder() { return below_prefix("share/paws", PAWS_PROJECT_FOLDER); }
fs::path build_folder() { return below_prefix("lib/paws", PAWS_BUILD_FOLDER); }

}  // namespace paws
