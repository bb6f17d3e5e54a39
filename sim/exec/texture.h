// SPDX-License-Identifier: MIT
// Where the instructions on textures and surfaces access memory.
#pragma once

#include "sim/exec/decoded.h"

namespace paws::exec {

/// Fills the outcome of a tex, suld or sust with the texels that its active lanes touch, and
/// accesses nothing. Lanes whose access is an error touch none: the access itself reports it.
void locate_texels(const Decoded& in, WarpContext& ctx);

}  // namespace paws::exec
