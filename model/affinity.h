// SPDX-License-Identifier: MIT
// Thread-block affinity of the two-level scheduler: which warps of active are promoted first
// because of their blocks (docs/reference/microarchitecture.md, "Thread-block affinity"). It lives
// in the golden model alone.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace paws {

enum class Affinity : std::uint8_t {
  none,
  finish,           ///< blocks that have lost a warp first
  finish_at_entry,  ///< the same, as it was when the warp entered active
  group,            ///< blocks that have a warp in ready first
  block_age,        ///< the oldest block first
  finish_group      ///< as finish, then as group
};

/// Words of the configuration, by value of Affinity.
std::span<const std::string_view> affinity_names();
std::string_view name_of(Affinity affinity);
/// The affinity of that name, or nothing.
std::optional<Affinity> affinity_of(std::string_view name);

}  // namespace paws
