// SPDX-License-Identifier: MIT
#include "sim/cli/check_report.h"

#include "sim/cli/say.h"

namespace paws::cli {
void print_findings(const sanitize::Report& report, const std::string& context) {
  for (const sanitize::Finding& finding : report.findings) {
    say(stderr, "paws: {}{}\n", context, sanitize::to_string(finding));
  }
}

}  // namespace paws::cli
