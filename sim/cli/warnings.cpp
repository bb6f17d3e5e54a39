// SPDX-License-Identifier: MIT
#include "sim/cli/warnings.h"

#include <fmt/format.h>

#include <cstdio>
#include <mutex>
#include <set>

namespace paws::cli {

void warn(const std::string& warning) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.insert(warning).second) fmt::print(stderr, "paws: {}\n", warning);
}

}  // namespace paws::cli
