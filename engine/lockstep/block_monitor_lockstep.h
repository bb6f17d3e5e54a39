// SPDX-License-Identifier: MIT
// Two block monitors at once, compared after every clock edge.
#pragma once

#include <memory>
#include <string>

#include "model/block_monitor.h"

namespace paws {

/// The golden model beside the RTL with contract assertions; what the simulator runs. clock()
/// throws LockstepMismatch (lockstep.h) if the outputs differ, or ContractViolation (rtl_engine.h)
/// if the host broke a promise. Both show the cycle and its inputs, and end with `seed_text`: what
/// it takes to reproduce the run. Throws std::invalid_argument for a configuration without RTL.
std::unique_ptr<BlockMonitor> make_block_monitor_lockstep(const BlockMonitorConfig& config,
                                                          const std::string& seed_text);

/// Any two block monitors of `config`; outputs are those of `reference`.
std::unique_ptr<BlockMonitor> make_block_monitor_lockstep(const BlockMonitorConfig& config,
                                                          std::unique_ptr<BlockMonitor> reference,
                                                          std::unique_ptr<BlockMonitor> subject,
                                                          const std::string& seed_text);

}  // namespace paws
