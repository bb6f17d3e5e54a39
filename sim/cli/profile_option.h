// SPDX-License-Identifier: MIT
// The option --profile of `run`, `compare` and `cuda`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/profile/profile_table.h"

namespace paws::cli {

struct ProfileArguments {
  bool asked = false;
};

/// Adds --profile to `command`. `arguments` must outlive it.
void add_profile_option(CLI::App& command, ProfileArguments& arguments);

/// Throws InputError when the cores of `config` cannot be profiled.
void check_profile_option(const ProfileArguments& arguments, const GpuConfig& config);

/// Says what was asked for. Nothing, if nothing was.
void give_profile(const ProfileArguments& arguments, const std::vector<profile::ProfiledRun>& runs);

}  // namespace paws::cli
