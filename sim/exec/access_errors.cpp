// SPDX-License-Identifier: MIT
#include "sim/exec/access_errors.h"

namespace paws::exec {

std::vector<std::string> AccessErrors::sentences() const {
  const std::lock_guard<std::mutex> held(mutex_);
  std::vector<std::string> sentences;
  for (const auto& [place, entry] : entries_) {
    sentences.push_back(
        place.first + ":" + std::to_string(place.second) + ": warning: " + entry.text + "; " +
        std::to_string(entry.count) +
        (entry.count == 1 ? " access of this line was" : " accesses of this line were") +
        " outside memory");
  }
  return sentences;
}

}  // namespace paws::exec
