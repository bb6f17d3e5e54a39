// SPDX-License-Identifier: MIT
// The verilated RTL of the sub-warp packer behind its interface.
//
// Verilation freezes parameters, and only the engines of CMakeLists.txt exist, in the library
// paws_engines (plugin.h). Other configurations have the golden model alone. Engines are
// independent of each other: each may live on a thread of its own.
#pragma once

#include <memory>
#include <span>
#include <string>

#include "model/subwarp_packer.h"

namespace paws {

struct BuiltSubwarpPacker {
  SubwarpPackerConfig config;
  bool checked;  ///< asserts the host's promises and its own invariants
  SubwarpPacker* (*create)();
};

/// Engines of the library paws_engines (plugin.h). Throws EngineBuildError without it.
std::span<const BuiltSubwarpPacker> standard_subwarp_packers();

/// Engines of the tests alone (library paws_matrix_large_warp).
std::span<const BuiltSubwarpPacker> matrix_subwarp_packers();

/// Netlists that Yosys makes of the RTL (library paws_large_warp_netlists); they assert nothing.
std::span<const BuiltSubwarpPacker> netlist_subwarp_packers();

/// "8 rows of 32 lanes, modes packed, rows, once".
std::string text_of(const SubwarpPackerConfig& config);

/// The RTL of `config`, with contract assertions if `checked`: these throw ContractViolation
/// (rtl_engine.h) in commit(). Throws std::invalid_argument, with the configurations that have RTL,
/// if `config` has none, and EngineBuildError without the library.
std::unique_ptr<SubwarpPacker> make_rtl_subwarp_packer(const SubwarpPackerConfig& config,
                                                       bool checked = false);

}  // namespace paws
