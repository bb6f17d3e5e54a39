// SPDX-License-Identifier: MIT
// The verilated RTL behind the scheduler interface.
//
// Verilation freezes parameters. The engines of matrix.cmake are built with the project, some of
// them in a library of their own (plugin.h); any other combination is built when it is first asked
// for, which takes some ten seconds, a C++ compiler, Verilator and the project's sources, and is
// said on stderr. It is kept under $XDG_CACHE_HOME/paws (else ~/.cache/paws) by a hash of
// everything that went into it. The sources are those that the program was built from, or those in
// $PAWS_SOURCE_DIR.
//
// Engines are independent of each other: each may live on a thread of its own.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "engine/engine_parameters.h"
#include "engine/instrument.h"
#include "model/scheduler.h"

namespace paws {

/// A contract assertion of the RTL failed; what() is the assertion's own message. Thrown by
/// decide(), commit() and reset() of engines with assertions.
class __attribute__((visibility("default"))) ContractViolation : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// An engine could not be built on demand; what() is one line with the cause.
class EngineBuildError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct RtlOptions {
  bool assertions = false;  ///< check the contract (slower)
  Sorter sorter = Sorter::ranks;
  unsigned picker = kDefaultPicker;
};

/// The RTL of `config`. Throws std::invalid_argument for a configuration without RTL and
/// EngineBuildError when it cannot be built.
std::unique_ptr<Scheduler> make_rtl(const SchedulerConfig& config, const RtlOptions& options = {});

/// The same on an engine of these parameters, which must serve `config`; with an instrument it is
/// built on demand.
std::unique_ptr<Scheduler> make_rtl(const SchedulerConfig& config, const EngineParameters& engine,
                                    Instrument instrument = Instrument::none);

}  // namespace paws
