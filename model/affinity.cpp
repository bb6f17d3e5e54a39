// SPDX-License-Identifier: MIT
#include "model/affinity.h"

#include <algorithm>
#include <array>

namespace paws {

std::span<const std::string_view> affinity_names() {
  static constexpr std::array<std::string_view, 6> names{"none",  "finish",    "finish-at-entry",
                                                         "group", "block-age", "finish-group"};
  return names;
}

std::string_view name_of(Affinity affinity) {
  return affinity_names()[static_cast<std::size_t>(affinity)];
}

std::optional<Affinity> affinity_of(std::string_view name) {
  const auto names = affinity_names();
  const auto found = std::ranges::find(names, name);
  if (found == names.end()) return std::nullopt;
  return static_cast<Affinity>(found - names.begin());
}

}  // namespace paws
