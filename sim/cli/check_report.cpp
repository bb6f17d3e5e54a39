// SPDX-License-Identifier: MIT
#include "sim/cli/check_report.h"

#include <fmt/format.h>

namespace paws::cli {
void print_findings(const sanitize::Report& report, const std::string& context) {
  for (const sanitize::Finding& finding : report.findings) {
    fmt::print(stderr, "paws: {}{}\n", context, sanitize::to_string(finding));
  }
}

}  // namespace paws::cli
