// Engines beyond the matrix: built when asked for, cached, loaded as a shared object.
#pragma once

#include "tb/engine/engine_registry.h"
#include "tb/engine/instrument.h"

namespace paws {

/// The engine with these parameters. Safe to call from several threads and several processes at
/// once. Throws EngineBuildError.
BuiltEngine build_on_demand(const EngineParameters& parameters,
                            Instrument instrument = Instrument::none);

}  // namespace paws
