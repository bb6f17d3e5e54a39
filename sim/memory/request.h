// SPDX-License-Identifier: MIT
// What crosses the boundary between a core and the memory system.
#pragma once

#include <cstdint>

#include "sim/memory/line_owner.h"
#include "sim/memory/sectors.h"

namespace paws::memory {

enum class RequestKind : std::uint8_t {
  load,
  store,
  atomic,      ///< returns a value
  reduction,   ///< does not
  instruction  ///< a line of the instruction cache
};

/// The request is a header alone; its data comes with the reply.
constexpr bool is_read(RequestKind kind) {
  return kind == RequestKind::load || kind == RequestKind::instruction;
}

/// One cache-line transaction of a core.
struct Request {
  RequestKind kind = RequestKind::load;
  std::uint32_t core = 0;
  std::uint64_t line = 0;   ///< address of the 128-byte line
  std::uint32_t bytes = 0;  ///< store and atomic payload, or bytes asked for
  std::uint32_t conflicts =
      1;                  ///< atomic: operations on the most contended word, one after another
  std::uint32_t tag = 0;  ///< returned with the response
  LineOwner user{};       ///< whose access it is; void of instructions
  SectorMask sectors = kAllSectors;  ///< of the line, that are asked for or written
};

struct Response {
  std::uint64_t cycle = 0;  ///< in which it reaches the core
  RequestKind kind = RequestKind::load;
  std::uint64_t line = 0;
  std::uint32_t tag = 0;
  SectorMask sectors = kAllSectors;  ///< the request's
};

}  // namespace paws::memory
