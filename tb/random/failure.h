// SPDX-License-Identifier: MIT
// What a failed lockstep run leaves behind, so that it can be acted on without searching.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/engine_parameters.h"
#include "engine/instrument.h"
#include "tb/random/drive.h"

namespace paws {

/// A run of drive_all_scenarios() on the RTL of `engine`, or a netlist of it, named
/// name_of(engine, config.policy).
struct FailedRun {
  SchedulerConfig config;
  EngineParameters engine;
  RunLength length;
  /// Makes the netlist anew, with the instrument; of a run on RTL empty.
  std::function<std::unique_ptr<Scheduler>(Instrument)> netlist = {};
  /// The line that repeats the run, where replay_command() does not.
  std::string replay = {};
};

/// The line that repeats the run: environment, lockstep_run and its arguments.
std::string replay_command(const FailedRun& run);

/// Repeats a run that has failed with `message`, twice, and leaves a folder with
///   mismatch.txt    the message, the seed, the command that repeats the run
///   decisions.txt   the decision trace: ports in every cycle of the part that failed, from its
///                   reset on, in the order of `paws decisions --ports`, masks in binary, below a
///                   line of names, with the model's outputs
///   wave.fst        every signal of the RTL in the last cycles before the failure; of a netlist
///                   its ports, and what else has kept a name
///   wave.gtkw       GTKWave's save file for it: the ports
/// Returns text for the user: what is where. The folder is $PAWS_FAILURES/<name>, else
/// failures/<name> in the current folder. With $PAWS_SOURCE_DIR, where faults are put into copies
/// of the RTL on purpose, $PAWS_FAILURES must be given, else nothing is kept. Problems (the engine
/// with waves cannot be built, or does not fail) are told in the text and throw nothing; what can
/// be had without waves is kept.
std::string keep_failure(const FailedRun& run, const std::string& message);

}  // namespace paws
