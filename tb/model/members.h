// SPDX-License-Identifier: MIT
// How many members an aggregate has, for tests of tables that must have a row for each.
#pragma once

#include <cstddef>
#include <utility>

namespace paws::test {

struct Anything {
  template <typename T>
  operator T() const;  // NOLINT(google-explicit-constructor): stands for any member
};

/// Members of the aggregate T, counted from those that are known to be there.
template <typename T, typename... Known>
constexpr std::size_t members() {
  if constexpr (requires { T{std::declval<Known>()..., std::declval<Anything>()}; }) {
    return members<T, Known..., Anything>();
  } else {
    return sizeof...(Known);
  }
}

}  // namespace paws::test
