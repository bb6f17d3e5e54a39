// SPDX-License-Identifier: MIT
// Floating-point operations of the host in a given rounding mode.
#pragma once

#include "sim/tests/differential/program.h"

namespace paws::differential {

/// Rounding modifiers .rn .rz .rm .rp.
enum class Round { rn, rz, rm, rp };

enum class Arithmetic { add, sub, mul, div, fma, sqrt, rcp };

float directed(Arithmetic operation, Round round, float a, float b = 0, float c = 0);
double directed(Arithmetic operation, Round round, double a, double b = 0, double c = 0);

float to_float(Round round, s64 x);
float to_float(Round round, u64 x);
double to_double(Round round, s64 x);
double to_double(Round round, u64 x);
float narrowed(Round round, double x);
/// Bits of the IEEE half nearest to x in the rounding's direction.
u16 to_half(Round round, float x);
float from_half(u16 bits);

}  // namespace paws::differential
