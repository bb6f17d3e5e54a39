// SPDX-License-Identifier: MIT
// What --check has found, for people.
#pragma once

#include <string>

#include "sim/sanitize/finding.h"

namespace paws::cli {

/// A line per finding to stderr, behind `context`.
void print_findings(const sanitize::Report& report, const std::string& context = "");

}  // namespace paws::cli
