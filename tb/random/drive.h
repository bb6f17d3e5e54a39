// SPDX-License-Identifier: MIT
// Runs a scheduler, usually a lockstep, under a random host.
#pragma once

#include <cstdint>
#include <string>

#include "model/scheduler.h"
#include "tb/random/event_counts.h"
#include "tb/random/host.h"

namespace paws {

struct RunLength {
  std::uint64_t seed = 1;
  std::uint64_t cycles = 0;  ///< per test
};

/// PAWS_SEED and PAWS_CYCLES from the environment, else seed 1 and `default_cycles`. Throws
/// std::invalid_argument when one of them is not a number.
RunLength run_length(std::uint64_t default_cycles);

/// How to run the present GoogleTest again: the command, where `program` is given.
std::string reproduce_text(const RunLength& run, const std::string& program = "with");

/// A seed of its own for part number `part` of the test called `name`.
std::uint64_t derive_seed(std::uint64_t seed, const std::string& name, std::uint64_t part);

/// Adds `cycles` cycles of `scheduler` under `host` to `counts`, which may be null. Now and then
/// asks decide() a second time in the same cycle, as the interface allows. Throws
/// std::runtime_error when the promise of quiet_o is broken: the queues change in a quiet cycle.
void drive(Scheduler& scheduler, Host& host, std::uint64_t cycles, EventCounts* counts);

/// Every scenario, and the wild host several times, on `scheduler`, which is reset in between, for
/// run.cycles cycles in all. On a two-level scheduler the siege host follows, three times as long
/// as one of them. The end is four times as long: short runs of these hosts, each cut off
/// by reset_cycle() with inputs as they are, or with any. `options.hold_lengths` is for all of
/// them, `options.late_ends` for every second one. Returns the number of cycles.
std::uint64_t drive_all_scenarios(Scheduler& scheduler, const RunLength& run,
                                  const std::string& name, EventCounts* counts,
                                  const HostOptions& options = {});

}  // namespace paws
