// SPDX-License-Identifier: MIT
// Pages for a browser from a text with marks.
#pragma once

#include <string>

namespace paws {

/// `text` so that it can stand in HTML, in an attribute, too.
std::string escaped(const std::string& text);

/// Puts `text` in the place of the first <!--name--> of `page`. Throws std::logic_error if there is
/// none.
void fill(std::string& page, const std::string& name, const std::string& text);

}  // namespace paws
