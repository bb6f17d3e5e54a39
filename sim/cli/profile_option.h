// SPDX-License-Identifier: MIT
// The option --profile of `run`, `compare` and `cuda`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "sim/config/gpu_config.h"
#include "sim/profile/profile_table.h"
#include "sim/run/provenance.h"

namespace paws::cli {

struct ProfileArguments {
  bool asked = false;
  std::string file;  ///< its name's ending says the format; empty: text on stdout
};

/// Adds --profile to `command`, with a file or without. `arguments` must outlive it.
void add_profile_option(CLI::App& command, ProfileArguments& arguments);

/// Throws InputError when the cores of `config` cannot be profiled or the file cannot be written.
void check_profile_option(const ProfileArguments& arguments, const GpuConfig& config);

/// Writes or says what was asked for. Nothing, if nothing was. Throws InputError.
void give_profile(const ProfileArguments& arguments, const std::vector<profile::ProfiledRun>& runs,
                  const Provenance& made_by);

}  // namespace paws::cli
