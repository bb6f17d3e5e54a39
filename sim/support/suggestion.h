// SPDX-License-Identifier: MIT
// "Did you mean": the known name nearest to one that is not known.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace paws {

/// The known name that is at most a third of `name` away in edits (a swap of neighbours is one);
/// nothing when none is.
std::optional<std::string> nearest(std::string_view name, const std::vector<std::string>& known);

/// Text to append to a message: `; did you mean "grid"?` when a known name is near, else
/// `; known: a, b, c`. Empty when nothing is known.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace paws
