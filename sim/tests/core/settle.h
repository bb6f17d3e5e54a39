// SPDX-License-Identifier: MIT
// For tests of what talks to the memory system of one core.
#pragma once

#include <cstdint>
#include <limits>

#include "sim/memory/memory_system.h"

namespace paws::core {

/// Advances `memory` and `cycle` (core cycles) until no request of core 0 is under way. `respond`
/// gets every memory::Response, in the order of arrival.
template <typename Respond>
void settle(memory::MemorySystem& memory, std::uint64_t& cycle, Respond respond) {
  memory::Port& port = memory.port(0);
  do {
    memory.exchange();
    memory.advance(++cycle);
    memory.exchange();
    while (port.next_response() <= cycle) respond(port.take_response());
  } while (memory.busy() || port.next_response() != std::numeric_limits<std::uint64_t>::max());
}

}  // namespace paws::core
