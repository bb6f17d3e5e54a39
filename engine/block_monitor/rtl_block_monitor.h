// SPDX-License-Identifier: MIT
// The verilated RTL of the block monitor behind its interface.
//
// Verilation freezes parameters, and only the engines of CMakeLists.txt exist, in the library
// paws_engines (plugin.h). Other configurations have the golden model alone. Engines are
// independent of each other: each may live on a thread of its own.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "model/block_monitor.h"

namespace paws {

struct BuiltBlockMonitor {
  BlockMonitorConfig config;
  bool checked;  ///< asserts the host's promises and its own invariants
  BlockMonitor* (*create)();
};

/// Engines of the library paws_engines (plugin.h). Throws EngineBuildError without it.
std::span<const BuiltBlockMonitor> standard_block_monitors();

/// Engines of the tests alone (library paws_matrix_block_monitors).
std::span<const BuiltBlockMonitor> matrix_block_monitors();

/// "8 slots, 2 ports, 20-bit counts, rounded down".
std::string text_of(const BlockMonitorConfig& config);

/// The RTL of `config`, with contract assertions if `checked`: these throw ContractViolation
/// (rtl_engine.h) in clock(). Throws std::invalid_argument, with the configurations that have RTL,
/// if `config` has none, and EngineBuildError without the library.
std::unique_ptr<BlockMonitor> make_rtl_block_monitor(const BlockMonitorConfig& config,
                                                     bool checked = false);

}  // namespace paws
