// SPDX-License-Identifier: MIT
// What device code says in words: vprintf and __assertfail.
#pragma once

#include <string>

#include "sim/exec/decoded.h"

namespace paws::exec {

/// What the active lanes print, lowest lane first, formatted as CUDA's printf does; the results of
/// the calls, the number of arguments, are written. Throws InputError for a format or a string
/// outside memory, and for a conversion that is none.
std::string printed_text(const Decoded& in, const WarpContext& ctx);

/// "assertion 'x < 3' failed in f(), k.cu:7": what the call of __assertfail says.
std::string failed_assertion(const Decoded& in, const WarpContext& ctx, int lane);

}  // namespace paws::exec
