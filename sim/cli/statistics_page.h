// SPDX-License-Identifier: MIT
// The documentation of the statistics, from the tables that make the output.
#pragma once

#include <string>

namespace paws::cli {

/// docs/reference/statistics.md, in Markdown.
std::string statistics_page();

}  // namespace paws::cli
