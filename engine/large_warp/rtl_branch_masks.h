// SPDX-License-Identifier: MIT
// The verilated RTL of the branch masks behind its interface.
//
// Verilation freezes parameters, and only the engines of CMakeLists.txt exist, in the library
// paws_engines (plugin.h). Other configurations have the golden model alone. Engines are
// independent of each other: each may live on a thread of its own.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "model/branch_masks.h"

namespace paws {

struct BuiltBranchMasks {
  BranchMasksConfig config;
  bool checked;  ///< asserts the host's promises and its own invariants
  BranchMasks* (*create)();
};

/// Engines of the library paws_engines (plugin.h). Throws EngineBuildError without it.
std::span<const BuiltBranchMasks> standard_branch_masks();

/// Engines of the tests alone (library paws_matrix_large_warp).
std::span<const BuiltBranchMasks> matrix_branch_masks();

/// Netlists that Yosys makes of the RTL (library paws_large_warp_netlists); they assert nothing.
std::span<const BuiltBranchMasks> netlist_branch_masks();

/// "8 rows of 32 lanes, 2 buffers".
std::string text_of(const BranchMasksConfig& config);

/// The RTL of `config`, with contract assertions if `checked`: these throw ContractViolation
/// (rtl_engine.h) in commit(). Throws std::invalid_argument, with the configurations that have RTL,
/// if `config` has none, and EngineBuildError without the library.
std::unique_ptr<BranchMasks> make_rtl_branch_masks(const BranchMasksConfig& config,
                                                   bool checked = false);

}  // namespace paws
