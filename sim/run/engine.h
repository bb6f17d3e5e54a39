// SPDX-License-Identifier: MIT
// The three engines behind one interface: golden model, verilated RTL, both in lockstep.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "model/block_monitor.h"
#include "sim/core/core.h"
#include "sim/core/large_warp_core.h"

namespace paws {

/// "rtl", "model", "lockstep".
const std::vector<std::string>& engine_names();

/// Makes schedulers of `engine` for `scheduler`. A lockstep ends its messages with `reproduce`, the
/// command that repeats the mismatch. Throws InputError for an unknown engine, or for one that
/// needs RTL that the policy does not have.
core::SchedulerFactory engine_factory(const std::string& engine, const SchedulerConfig& scheduler,
                                      const std::string& reproduce);

/// Makes block monitors of `engine`; `reproduce` is as above. Throws InputError for an unknown
/// engine. The factory does, with the configurations that have RTL, if it is asked for RTL that
/// does not exist.
std::function<std::unique_ptr<BlockMonitor>(const BlockMonitorConfig&)> block_monitor_factory(
    const std::string& engine, const std::string& reproduce);

/// The same for the packer of sub-warps and the branch masks of a barrel core.
core::SubwarpPackerFactory subwarp_packer_factory(const std::string& engine,
                                                  const std::string& reproduce);
core::BranchMasksFactory branch_masks_factory(const std::string& engine,
                                              const std::string& reproduce);

}  // namespace paws
