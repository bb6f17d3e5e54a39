// SPDX-License-Identifier: MIT
#include "sim/cli/warnings.h"

#include <cstdio>
#include <mutex>
#include <set>

#include "sim/cli/say.h"

namespace paws::cli {

void warn(const std::string& warning) {
  static std::mutex mutex;
  static std::set<std::string> said;
  const std::lock_guard lock(mutex);
  if (said.insert(warning).second) say(stderr, "paws: {}\n", warning);
}

}  // namespace paws::cli
