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

/// Formats of 16 bits.
enum class Small { f16, bf16 };

/// Bits of the number nearest to x in the rounding's direction; NaN is 0x7fff.
u16 to_small(Small type, Round round, long double x);
double from_small(Small type, u16 bits);  ///< exact

/// The exact result, but the lowest bit is set if anything lies below it: rounding that to a
/// shorter format is rounding the exact result.
double to_odd(Arithmetic operation, double a, double b, double c = 0);

/// To 10 bits of fraction, ties to even, or away from zero.
float to_tf32(bool away, float x);

}  // namespace paws::differential
