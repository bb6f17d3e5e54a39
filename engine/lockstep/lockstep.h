// SPDX-License-Identifier: MIT
// The third implementation of the scheduler interface: two others at once, compared in every cycle.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "model/scheduler.h"

namespace paws {

/// The two sides differ. what() shows the cycle, its inputs, both sides' outputs and queues, and
/// the seed, over several lines.
class LockstepMismatch : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct LockstepOptions {
  /// The queues are not compared (a synthesized netlist has none to show).
  bool outputs_only = false;
};

/// The golden model beside the RTL with contract assertions; what the simulator runs. Outputs are
/// compared in every decide(), queues in every commit(). These throw LockstepMismatch, or, when the
/// host broke a promise, ContractViolation (rtl_engine.h) with the same context. `seed_text` is
/// repeated in messages: what it takes to reproduce the run.
std::unique_ptr<Scheduler> make_lockstep(const SchedulerConfig& config,
                                         const std::string& seed_text);

/// Any two schedulers of the same interface; `config()` and outputs are those of `reference`.
std::unique_ptr<Scheduler> make_lockstep(std::unique_ptr<Scheduler> reference,
                                         std::unique_ptr<Scheduler> subject,
                                         const std::string& seed_text,
                                         const LockstepOptions& options = {});

}  // namespace paws
