// SPDX-License-Identifier: MIT
// What --check has found, for people and for scripts.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sim/sanitize/finding.h"

namespace paws::cli {

/// A line per finding to stderr, behind `context`.
void print_findings(const sanitize::Report& report, const std::string& context = "");

/// {"findings": [...]}, as docs/check.md describes.
nlohmann::json to_json(const sanitize::Report& report);

}  // namespace paws::cli
