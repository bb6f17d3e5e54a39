// SPDX-License-Identifier: MIT
// A random host of a scheduler: makes its inputs, takes its decisions, and keeps the promises of
// docs/reference/microarchitecture.md ("Promises of the host"). It never looks into the scheduler.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "model/scheduler.h"

namespace paws {

class Host {
 public:
  virtual ~Host() = default;
  /// The inputs of this cycle; they hold until advance().
  [[nodiscard]] virtual const SchedulerInputs& inputs() const = 0;
  /// Ends the cycle with what the scheduler decided.
  virtual void advance(const SchedulerOutputs& outputs) = 0;
  /// `warp`, live, has a late end in this cycle; before advance().
  virtual void end(WarpId warp) = 0;
};

/// What goes beyond the inputs that every scheduler takes.
struct HostOptions {
  bool hold_lengths = false;  ///< make_holding_host
  bool late_ends = false;     ///< make_late_host
};

/// Which phase lengths (or distances) the warps have.
enum class Lengths : std::uint8_t {
  uniform,     ///< over the phase field
  few,         ///< three values: many ties
  saturating,  ///< around the largest that fits, and far beyond
};

enum class IssueEnable : std::uint8_t { always, one_in_two, random };

/// What the warps of a GPU core do. Chances are percentages per instruction, latencies in cycles.
struct Scenario {
  std::string name;
  Lengths lengths = Lengths::uniform;
  IssueEnable issue_enable = IssueEnable::always;
  unsigned load = 10;        ///< chance of a long operation
  unsigned use = 30;         ///< chance that an instruction reads what a long operation writes
  unsigned barrier = 2;      ///< chance of a barrier
  unsigned exit = 2;         ///< chance of the end of the warp
  unsigned stalled = 20;     ///< chance of a short stall behind an instruction
  unsigned blocked = 10;     ///< chance, per warp and cycle, of a full pipeline
  unsigned latency_min = 5;  ///< of a long operation
  unsigned latency_max = 60;
  unsigned reply_period = 1;      ///< long operations complete only in multiples of this cycle
  unsigned launch = 30;           ///< chance of a launch, per cycle, while a slot is free
  bool launch_in_bursts = false;  ///< launches wait until half of the slots are free, then fill all
};

/// The scenarios of every run, with the name of the situation that each is there for.
const std::vector<Scenario>& scenarios();

/// Warps that live as a core's do: instructions, long operations, barriers, exits, relaunches.
std::unique_ptr<Host> make_realistic_host(const SchedulerConfig& config, const Scenario& scenario,
                                          std::uint64_t seed);

/// Any inputs that the promises allow, whether a core could produce them or not.
std::unique_ptr<Host> make_wild_host(const SchedulerConfig& config, std::uint64_t seed);

/// Two-level only. Gathers warps in pending, then lets them wake one by one while launches in every
/// cycle hold the collector back: the most wakes of different cycles that it ever has to keep
/// apart.
std::unique_ptr<Host> make_siege_host(const SchedulerConfig& config, std::uint64_t seed);

/// `inner`, with the inputs of SCA and CGGTY too (GroupPlaces). Single level only: every host of
/// one has them. Under ordered PAWS it is an arriving host too.
std::unique_ptr<Host> make_grouping_host(std::unique_ptr<Host> inner, const SchedulerConfig& config,
                                         std::uint64_t seed);

/// `inner`, but never enabled in the cycle after an issue if the host of `config` promises that,
/// and with phase distances that arrive late: each slot takes that of `inner` in a cycle of its
/// own. Ordered PAWS only: every host of one is such a host.
std::unique_ptr<Host> make_arriving_host(std::unique_ptr<Host> inner, const SchedulerConfig& config,
                                         std::uint64_t seed);

/// `inner`, but the phase length of a live warp changes only after an issue of that warp: what
/// HELD_LENGTH asks of a host.
std::unique_ptr<Host> make_holding_host(std::unique_ptr<Host> inner);

/// `inner`, but some of its warps have late ends, wherever they are: what LATE_EXIT allows.
std::unique_ptr<Host> make_late_host(std::unique_ptr<Host> inner, std::uint64_t seed);

}  // namespace paws
