// SPDX-License-Identifier: MIT
// What Verilator's runtime does instead of printing and aborting: it remembers, per thread, and the
// adapter asks after each evaluation. Also included by force when the runtime itself is compiled;
// VL_USER_* and VL_PRINTF are Verilator's documented hooks.
#pragma once

#define VL_USER_STOP
#define VL_USER_FATAL
#define VL_USER_FINISH
#define VL_PRINTF paws_verilated_printf

#ifdef __cplusplus
#include <string>

extern "C" int paws_verilated_printf(const char* format, ...) __attribute__((format(printf, 1, 2)));

namespace paws::verilated {

/// Whether an assertion failed (or $stop, $fatal, $finish ran) in this thread since the last
/// take_message().
extern thread_local bool stopped;

/// What was printed up to then; clears it and `stopped`.
std::string take_message();

}  // namespace paws::verilated
#endif
