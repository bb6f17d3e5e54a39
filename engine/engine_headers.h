// SPDX-License-Identifier: MIT
// What every engine includes and none changes by its macros, for precompiling: reading it takes
// half of the time of a small engine. rtl_queues.h, which the macros change, the headers of
// instruments, and the hooks of verilated_runtime.h, which must follow the generated code, stay
// out.
#pragma once

#include <bit>
#include <cstring>
#include <memory>

#include "engine/engine_parameters.h"
#include "engine/rtl_engine.h"
#include "verilated.h"
