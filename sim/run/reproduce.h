// SPDX-License-Identifier: MIT
// Commands that repeat a run that went wrong.
#pragma once

#include <string>

#include "sim/run/simulation.h"

namespace paws {

/// A word of a command as a shell takes it.
std::string shell_word(const std::string& word);

/// The command that repeats a lockstep mismatch. It records the run with the golden model, whose
/// decisions are the same until the mismatch, and replays the recording in lockstep. The recording
/// stays.
std::string mismatch_command(const SimulationRequest& request);

/// The command that repeats a mismatch of block monitors, or of the engines of large warps. These
/// are not recorded, so it repeats the run itself.
std::string rerun_command(const SimulationRequest& request);

/// The same as the first for a mismatch in the replay of `file` with `scheduler`.
std::string mismatch_command(const std::string& file, const std::string& scheduler);

}  // namespace paws
