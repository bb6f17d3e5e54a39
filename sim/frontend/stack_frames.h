// SPDX-License-Identifier: MIT
// Frames of functions that are called, not inlined.
#pragma once

#include "sim/frontend/program.h"

namespace paws::frontend {

/// Until now a call changes no register. Each function has one set of registers, which an
/// activation of it inside a call changes: what lives across such a call is stored into the frame
/// before it and loaded after it. Then the sizes of frames are known and go where they are needed,
/// and calls are followed (Calls).
void lay_out_frames(Program& program);

}  // namespace paws::frontend
