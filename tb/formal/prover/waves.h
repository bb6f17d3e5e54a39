// SPDX-License-Identifier: MIT
// A trace as a VCD file with the names of the RTL.
#pragma once

#include <ostream>

#include "tb/formal/prover/aiger.h"
#include "tb/formal/prover/prover.h"

namespace paws::formal {

/// Writes inputs and registers of every cycle; bits `name[i]` become one vector.
void write_waves(const Aiger& graph, const Trace& trace, std::ostream& file);

}  // namespace paws::formal
