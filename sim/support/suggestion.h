// SPDX-License-Identifier: MIT
// "Did you mean": the known name nearest to one that is not known.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace paws {

/// Text to append to a message: `; did you mean "grid"?` when a known name is at most a third of
/// `name` away in edits (a swap of neighbours is one), else `; known: a, b, c`. Empty when nothing
/// is known.
std::string suggestion(std::string_view name, const std::vector<std::string>& known);

}  // namespace paws
