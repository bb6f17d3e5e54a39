// SPDX-License-Identifier: MIT
// What a PTX file and its functions say about themselves: language version, target, directives.
// What of it is not known changes nothing that the front-end makes of the file, so it is worth a
// warning and no error.
#pragma once

#include <string>
#include <string_view>

namespace paws::ptx {

/// What to say about `.version` with this number, "7.8"; empty when it is known.
std::string version_warning(std::string_view number);

/// What to say about a word of `.target`; empty when it is known and means nothing here.
std::string target_warning(std::string_view word);

/// What to say about a directive of a function that the front-end does not read, by its name
/// without the dot; empty when it would change nothing here.
std::string directive_warning(std::string_view name);

}  // namespace paws::ptx
