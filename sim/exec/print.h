// SPDX-License-Identifier: MIT
// What device code says in words: vprintf and __assertfail.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "sim/exec/decoded.h"

namespace paws::exec {

/// Calls of vprintf by the active lanes, lowest lane first, with their arguments but without the
/// strings that these point to: they are read when the text is made, after what the threads have
/// stored before. The results of the calls, the number of arguments, are written. Throws InputError
/// for a format or an argument outside memory, and for a conversion that is none.
std::vector<std::byte> captured_calls(const Decoded& in, const WarpContext& ctx);

/// What captured calls print, formatted as CUDA's printf does; `ctx` may be that of a later time.
/// Throws InputError for a string outside memory.
std::string printed_text(const Decoded& in, const WarpContext& ctx,
                         const std::vector<std::byte>& calls);

/// "assertion 'x < 3' failed in f(), k.cu:7": what the call of __assertfail says.
std::string failed_assertion(const Decoded& in, const WarpContext& ctx, int lane);

}  // namespace paws::exec
