// SPDX-License-Identifier: MIT
// Lists in messages: items with ", " between them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paws {

/// Appends `item` to `list`.
inline void add_item(std::string& list, std::string_view item) {
  if (!list.empty()) list += ", ";
  list += item;
}

inline std::string listed(const std::vector<std::string>& items) {
  std::string list;
  for (const std::string& item : items) add_item(list, item);
  return list;
}

}  // namespace paws
