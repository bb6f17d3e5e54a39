// SPDX-License-Identifier: MIT
#include "sim/cli/profile_option.h"

#include <fmt/format.h>

#include "sim/cli/say.h"
#include "sim/profile/profile_text.h"
#include "sim/support/error.h"

namespace paws::cli {

void add_profile_option(CLI::App& command, ProfileArguments& arguments) {
  command.add_flag("--profile", arguments.asked,
                   "print the lines at which warps waited longest, and what for "
                   "(docs/guide/profile.md)");
}

void check_profile_option(const ProfileArguments& arguments, const GpuConfig& config) {
  if (!arguments.asked || !config.barrel()) return;
  throw InputError(
      fmt::format("--profile: the cores of {} are barrels (core.pipeline_stages), in which a warp "
                  "waits for its "
                  "own instruction alone: there is no profile by line of them",
                  config.name));
}

void give_profile(const ProfileArguments& arguments,
                  const std::vector<profile::ProfiledRun>& runs) {
  if (arguments.asked) say("\n{}", profile::to_text(profile::table_of(runs)));
}

}  // namespace paws::cli
