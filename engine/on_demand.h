// SPDX-License-Identifier: MIT
// Engines beyond the matrix: built when asked for, cached, loaded as a shared object.
#pragma once

#include <filesystem>

#include "engine/engine_registry.h"
#include "engine/instrument.h"

namespace paws {

/// The engine with these parameters, of the RTL or of a netlist of it, Verilog with all of its
/// cells. Safe to call from several threads and several processes at once. Throws EngineBuildError.
BuiltEngine build_on_demand(const EngineParameters& parameters,
                            Instrument instrument = Instrument::none,
                            const std::filesystem::path& netlist = {});

}  // namespace paws
