// SPDX-License-Identifier: MIT
// How to come back to a run that went wrong.
#pragma once

#include <string>

#include "sim/run/simulation.h"

namespace paws {

/// A word of a command as a shell takes it.
std::string shell_word(const std::string& word);

/// The command that leads to the mismatch of a lockstep again: records the run as the golden model
/// decides it, which is the same until there, and replays it in lockstep. The trace stays.
std::string mismatch_command(const SimulationRequest& request);

/// The same for a mismatch in the replay of `file` with `scheduler`.
std::string mismatch_command(const std::string& file, const std::string& scheduler);

}  // namespace paws
