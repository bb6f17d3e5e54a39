// SPDX-License-Identifier: MIT
// Where the parameters of inlined calls live.
#pragma once

#include "sim/frontend/draft.h"

namespace paws::frontend {

/// Replaces every access to a parameter slot: by moves of virtual registers when all accesses to
/// the slot agree on offsets and sizes, else by accesses to per-thread local memory.
void place_call_params(Draft& draft);

}  // namespace paws::frontend
