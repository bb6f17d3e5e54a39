// SPDX-License-Identifier: MIT
// Latencies of instructions in cycles, by class.
#pragma once

#include <cstdint>

#include "sim/config/frontend_settings.h"
#include "sim/ir/kernel.h"

namespace paws::frontend {

/// The latency of `instruction`.
std::uint16_t latency_of(const ir::Instruction& instruction, const LatencyTable& table);

}  // namespace paws::frontend
