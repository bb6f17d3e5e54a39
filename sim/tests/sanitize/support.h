// SPDX-License-Identifier: MIT
// Runs PTX kernels under the checks, with and without timing.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sim/exec/warp_executor.h"
#include "sim/sanitize/finding.h"

namespace paws::sanitize {

struct CheckedRun {
  exec::LaunchShape shape{{1, 1, 1}, {64, 1, 1}, 0};
  unsigned launches = 1;
  unsigned cores = 1;
  unsigned threads = 1;
  std::string error{};  ///< of the run, empty: none

  /// `body` is the kernel behind the declarations of %p0.., %h0.., %r0.., %rd0.., and of 256 bytes
  /// of shared memory, s; %r0 is the thread's number in its block, %r1 that times 4. Its first line
  /// is kFirstLine.
  Report functional(const std::string& body);
  Report timed(const std::string& body);
};
inline constexpr unsigned kFirstLine = 13;

/// What both ways of running find, which must be the same kinds at the same lines.
Report check(const std::string& body, const exec::LaunchShape& shape = {{1, 1, 1}, {64, 1, 1}, 0});

/// The findings' lines and kinds: "14 shared-race".
std::vector<std::string> outline(const Report& report);

void expect_clean(const std::string& body,
                  const exec::LaunchShape& shape = {{1, 1, 1}, {64, 1, 1}, 0});
/// One finding, at line `line` of the body, from 0.
Finding expect_one(Kind kind, unsigned line, const std::string& body,
                   const exec::LaunchShape& shape = {{1, 1, 1}, {64, 1, 1}, 0});

}  // namespace paws::sanitize
