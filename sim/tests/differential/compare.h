// SPDX-License-Identifier: MIT
// Runs a random program in the simulator and on the host, and compares registers and memory after
// it.
#pragma once

#include <cstdint>
#include <string>

#include "sim/tests/differential/program.h"

namespace paws::differential {

/// The first difference in a register, predicate or byte of memory of any thread; empty when there
/// is none. The simulator runs the program as compiled by default, without the front-end's
/// simplifications and scheduling, and with every build of the lane code.
std::string difference(const Program& program, std::uint64_t input_seed);

/// The seed of the inputs: PAWS_SEED, else a fixed one.
std::uint64_t input_seed();

}  // namespace paws::differential
