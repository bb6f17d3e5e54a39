// SPDX-License-Identifier: MIT
// PTX instructions for which C++ has no operator or leaves a case undefined, after the PTX ISA's
// descriptions. Operands and results are the registers' bits.
//
// It shares nothing with sim/exec. Some choices that the ISA leaves open are the simulator's: a NaN
// of f64 has one pattern; .sat makes +0 of -0, and so does .relu, but for that of cvt.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "sim/tests/differential/directed.h"
#include "sim/tests/differential/program.h"

namespace paws::differential {

inline constexpr unsigned kAllLanes = 0xffffffff;

template <typename T>
inline constexpr unsigned kBits = 8 * sizeof(T);
template <typename T>
using Unsigned = std::make_unsigned_t<T>;
/// Twice as wide.
template <typename T>
using Wide =
    std::conditional_t<sizeof(T) == 8,
                       std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>,
                       std::conditional_t<std::is_signed_v<T>, s64, u64>>;

// ---- integers -----------------------------------------------------------------------------------
template <typename T>
Unsigned<T> mul_hi(T a, T b) {
  return static_cast<Unsigned<T>>(static_cast<Wide<T>>(a) * static_cast<Wide<T>>(b) >> kBits<T>);
}
template <typename T>
T clamped(Wide<T> x) {
  return static_cast<T>(
      std::clamp<Wide<T>>(x, std::numeric_limits<T>::min(), std::numeric_limits<T>::max()));
}
/// The most negative integer over -1 does not fit and wraps.
template <typename T>
Unsigned<T> quotient(T a, T b) {
  return static_cast<Unsigned<T>>(static_cast<Wide<T>>(a) / b);
}
template <typename T>
Unsigned<T> remainder(T a, T b) {
  return static_cast<Unsigned<T>>(static_cast<Wide<T>>(a) % b);
}
template <typename T>
Unsigned<T> sad(T a, T b, T c) {
  return static_cast<Unsigned<T>>(
      c + (a < b ? static_cast<Wide<T>>(b) - a : static_cast<Wide<T>>(a) - b));
}
template <typename T>
s64 low24(T x) {
  return std::is_signed_v<T> ? static_cast<s64>(static_cast<u64>(x) << 40) >> 40 : x & 0xffffff;
}
template <typename T>
u32 mul24_lo(T a, T b) {
  return static_cast<u32>(low24(a) * low24(b));
}
template <typename T>
u32 mul24_hi(T a, T b) {
  return static_cast<u32>(low24(a) * low24(b) >> 16);
}

/// Sum or difference with a carry in and out; the carry of a difference says that nothing is
/// borrowed.
template <typename U>
U add_carry(U a, U b, bool in, bool& out) {
  const unsigned __int128 sum = static_cast<unsigned __int128>(a) + b + (in ? 1 : 0);
  out = (sum >> kBits<U> & 1) != 0;
  return static_cast<U>(sum);
}
template <typename U>
U sub_borrow(U a, U b, bool in, bool& out) {
  const unsigned __int128 difference = static_cast<unsigned __int128>(a) - b - (in ? 0 : 1);
  out = (difference >> kBits<U> & 1) == 0;
  return static_cast<U>(difference);
}

// ---- bits ---------------------------------------------------------------------------------------
template <typename U>
U shl(U a, u32 n) {
  return n >= kBits<U> ? U{0} : static_cast<U>(static_cast<u64>(a) << n);
}
template <typename T>
Unsigned<T> shr(T a, u32 n) {
  if (n >= kBits<T>) return static_cast<Unsigned<T>>(a < 0 ? -1 : 0);
  return static_cast<Unsigned<T>>(a >> n);
}
inline u32 shf(bool right, bool wrap, u32 low, u32 high, u32 amount) {
  const u32 n = wrap ? amount & 31 : std::min(amount, 32u);
  const u64 both = static_cast<u64>(high) << 32 | low;
  return static_cast<u32>(right ? both >> n : (both << n) >> 32);
}
template <typename T>
Unsigned<T> bfe(T a, u32 b, u32 c) {
  using U = Unsigned<T>;
  const unsigned position = b & 0xff;
  const unsigned length = c & 0xff;
  const unsigned msb = kBits<T> - 1;
  const auto bit = [&](unsigned i) { return static_cast<U>(static_cast<U>(a) >> i & 1); };
  const U sign =
      std::is_unsigned_v<T> || length == 0 ? U{0} : bit(std::min(position + length - 1, msb));
  U d = 0;
  for (unsigned i = 0; i <= msb; ++i) {
    d |= (i < length && position + i <= msb ? bit(position + i) : sign) << i;
  }
  return d;
}
template <typename U>
U bfi(U a, U b, u32 c, u32 length) {
  for (unsigned i = 0; i < (length & 0xff) && (c & 0xff) + i < kBits<U>; ++i) {
    const unsigned to = (c & 0xff) + i;
    b = static_cast<U>((b & ~(U{1} << to)) | (a >> i & 1) << to);
  }
  return b;
}
template <typename T>
u32 bfind(T a, bool shift_amount) {
  const auto value = static_cast<Unsigned<T>>(std::is_signed_v<T> && a < 0 ? ~a : a);
  if (value == 0) return 0xffffffff;
  const unsigned position = kBits<T> - 1 - static_cast<unsigned>(std::countl_zero(value));
  return shift_amount ? kBits<T> - 1 - position : position;
}
template <typename U>
U brev(U a) {
  U d = 0;
  for (unsigned i = 0; i < kBits<U>; ++i) d |= (a >> i & 1) << (kBits<U> - 1 - i);
  return d;
}
inline u32 fns(u32 mask, u32 base, s32 offset) {
  if (offset == 0) return (mask >> base & 1) != 0 ? base : 0xffffffff;
  const int step = offset > 0 ? 1 : -1;
  s64 left = std::abs(static_cast<s64>(offset));
  for (int i = static_cast<int>(base); i >= 0 && i < 32; i += step) {
    if ((mask >> i & 1) != 0 && --left == 0) return static_cast<u32>(i);
  }
  return 0xffffffff;
}
inline u32 bmsk(bool clamp, u32 a, u32 b) {
  u64 ones = 0;
  const u64 from = clamp ? std::min(a, 32u) : a & 31;
  const u64 count = clamp ? std::min(b, 32u) : b & 31;
  for (u64 i = from; i < std::min<u64>(from + count, 32); ++i) ones |= u64{1} << i;
  return static_cast<u32>(ones);
}
template <typename T>
u32 szext(bool clamp, u32 a, u32 n) {
  if (clamp && n >= 32) return a;
  n &= 31;
  if (n == 0) return 0;
  const u32 low = a & ((u32{1} << n) - 1);
  const bool negative = std::is_signed_v<T> && (a >> (n - 1) & 1) != 0;
  return negative ? low | ~((u32{1} << n) - 1) : low;
}
inline u32 lop3(u32 a, u32 b, u32 c, unsigned table) {
  u32 d = 0;
  for (unsigned i = 0; i < 32; ++i) {
    d |= (table >> ((a >> i & 1) << 2 | (b >> i & 1) << 1 | (c >> i & 1)) & 1) << i;
  }
  return d;
}
inline u32 byte_of(u32 a, u32 b, unsigned i) {
  return static_cast<u32>((static_cast<u64>(b) << 32 | a) >> 8 * i & 0xff);
}
inline u32 prmt(u32 a, u32 b, u32 selector) {
  u32 d = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const u32 nibble = selector >> 4 * i & 15;
    const u32 byte = byte_of(a, b, nibble & 7);
    d |= ((nibble & 8) == 0 ? byte : (byte & 0x80) != 0 ? 0xff : 0) << 8 * i;
  }
  return d;
}
enum class Bytes { f4e, b4e, rc8, ecl, ecr, rc16 };
inline u32 prmt(Bytes mode, u32 a, u32 b, u32 selector) {
  // Selected bytes, the highest of the result first (PTX ISA, table of prmt's modes).
  static constexpr unsigned kTable[6][4][4] = {
      {{3, 2, 1, 0}, {4, 3, 2, 1}, {5, 4, 3, 2}, {6, 5, 4, 3}},
      {{5, 6, 7, 0}, {6, 7, 0, 1}, {7, 0, 1, 2}, {0, 1, 2, 3}},
      {{0, 0, 0, 0}, {1, 1, 1, 1}, {2, 2, 2, 2}, {3, 3, 3, 3}},
      {{3, 2, 1, 0}, {3, 2, 1, 1}, {3, 2, 2, 2}, {3, 3, 3, 3}},
      {{0, 0, 0, 0}, {1, 1, 1, 0}, {2, 2, 1, 0}, {3, 2, 1, 0}},
      {{1, 0, 1, 0}, {3, 2, 3, 2}, {1, 0, 1, 0}, {3, 2, 3, 2}}};
  u32 d = 0;
  for (const unsigned byte : kTable[static_cast<unsigned>(mode)][selector & 3]) {
    d = d << 8 | byte_of(a, b, byte);
  }
  return d;
}
template <typename A, typename B>
u32 dp4a(u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 4; ++i) {
    c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> 8 * i)) *
                          static_cast<s32>(static_cast<B>(b >> 8 * i)));
  }
  return c;
}
template <typename A, typename B>
u32 dp2a(bool high, u32 a, u32 b, u32 c) {
  for (unsigned i = 0; i < 2; ++i) {
    c += static_cast<u32>(static_cast<s32>(static_cast<A>(a >> 16 * i)) *
                          static_cast<s32>(static_cast<B>(b >> 8 * (i + (high ? 2 : 0)))));
  }
  return c;
}

enum class Video { add, sub, absdiff, min, max };
enum class Second { none, add, min, max };
/// A part of a word, after its PTX selector ("b2", "h1"; "": all), as T is signed or not.
template <typename T>
s64 selected(const char* selector, u32 word) {
  if (selector[0] == 0) return static_cast<T>(word);
  const int part = selector[1] - '0';
  using Half = std::conditional_t<std::is_signed_v<T>, s16, u16>;
  using Byte = std::conditional_t<std::is_signed_v<T>, s8, u8>;
  if (selector[0] == 'h') return static_cast<Half>(word >> 16 * part);
  return static_cast<Byte>(word >> 8 * part);
}
/// The first operation of a scalar video instruction, saturated to `bits` bits of D or not.
template <typename D, typename A, typename B>
s64 video(Video operation, bool sat, int bits, const char* asel, u32 a, const char* bsel, u32 b) {
  const s64 x = selected<A>(asel, a);
  const s64 y = selected<B>(bsel, b);
  const s64 results[] = {x + y, x - y, std::abs(x - y), std::min(x, y), std::max(x, y)};
  const s64 result = results[static_cast<int>(operation)];
  if (!sat) return result;
  if (std::is_signed_v<D>)
    return std::clamp<s64>(result, -(1ll << (bits - 1)), (1ll << (bits - 1)) - 1);
  return std::clamp<s64>(result, 0, (1ll << bits) - 1);
}
/// The second one, of type D.
template <typename D>
u32 second(Second operation, s64 first, u32 c) {
  const s64 z = static_cast<D>(c);
  const s64 results[] = {first, first + z, std::min(first, z), std::max(first, z)};
  return static_cast<u32>(results[static_cast<int>(operation)]);
}
/// c, the part `dsel` of it replaced.
inline u32 merged(const char* dsel, s64 first, u32 c) {
  const int size = dsel[0] == 'h' ? 2 : 1;
  unsigned char bytes[4];
  std::memcpy(bytes, &c, 4);
  std::memcpy(bytes + size * (dsel[1] - '0'), &first, static_cast<std::size_t>(size));
  std::memcpy(&c, bytes, 4);
  return c;
}

// ---- floating point -----------------------------------------------------------------------------
inline float value(u32 bits) { return std::bit_cast<float>(bits); }
inline double value(u64 bits) { return std::bit_cast<double>(bits); }
inline u64 flushed(u64 bits) { return bits; }
inline u32 flushed(u32 bits) {
  return std::fpclassify(value(bits)) == FP_SUBNORMAL ? bits & 0x80000000 : bits;
}
inline u32 canonical(float x) { return x == x ? std::bit_cast<u32>(x) : 0x7fffffff; }
inline u64 canonical(double x) { return x == x ? std::bit_cast<u64>(x) : 0x7ff8000000000000; }

/// A source, .ftz or not.
template <typename U>
auto input(bool ftz, U bits) {
  return value(ftz ? flushed(bits) : bits);
}
/// The end of an instruction with .ftz or .sat.
template <typename T>
auto output(bool ftz, bool sat, T x) {
  auto bits = canonical(x);
  if (ftz) bits = flushed(bits);
  if (!sat) return bits;
  if (!(x > 0)) return canonical(T{0});  // NaN too
  return x > 1 ? canonical(T{1}) : bits;
}

template <typename U>
U arithmetic(Arithmetic operation, Round round, bool ftz, bool sat, U a, U b = 0, U c = 0) {
  return output(ftz, sat, directed(operation, round, input(ftz, a), input(ftz, b), input(ftz, c)));
}
template <typename T>
bool ordered_less(T a, T b) {
  return a < b || (a == b && std::signbit(a) && !std::signbit(b));
}
template <typename U>
U minimum(bool ftz, U a, U b) {
  const auto x = input(ftz, a);
  const auto y = input(ftz, b);
  if (x != x) return canonical(y);
  return y != y || ordered_less(x, y) ? canonical(x) : canonical(y);
}
template <typename U>
U maximum(bool ftz, U a, U b) {
  const auto x = input(ftz, a);
  const auto y = input(ftz, b);
  if (x != x) return canonical(y);
  return y != y || ordered_less(y, x) ? canonical(x) : canonical(y);
}

enum class Property { finite, infinite, number, notanumber, normal, subnormal };
template <typename U>
bool testp(Property property, U a) {
  const int kind = std::fpclassify(value(a));
  switch (property) {
    case Property::finite:
      return kind != FP_NAN && kind != FP_INFINITE;
    case Property::infinite:
      return kind == FP_INFINITE;
    case Property::number:
      return kind != FP_NAN;
    case Property::notanumber:
      return kind == FP_NAN;
    case Property::normal:
      return kind == FP_NORMAL;
    case Property::subnormal:
      return kind == FP_SUBNORMAL;
  }
  return false;
}
/// The sign of a, the rest of b.
template <typename U>
U copysign(U a, U b) {
  const U sign = U{1} << (kBits<U> - 1);
  return (a & sign) | (b & ~sign);
}

// ---- conversions --------------------------------------------------------------------------------
/// Integers: wraps or, with .sat, clamps. The caller extends the
/// result, because registers are wider than D.
template <typename D, typename S>
D integer_to_integer(bool sat, S x) {
  if (!sat) return static_cast<D>(x);
  return static_cast<D>(
      std::clamp<__int128>(x, std::numeric_limits<D>::min(), std::numeric_limits<D>::max()));
}
enum class Integral { rni, rzi, rmi, rpi };
template <typename T>
T integral(Integral round, T x) {
  switch (round) {
    case Integral::rni:
      return std::nearbyint(x);
    case Integral::rzi:
      return std::trunc(x);
    case Integral::rmi:
      return std::floor(x);
    case Integral::rpi:
      return std::ceil(x);
  }
  return x;
}
/// Clamps whether .sat is given or not. NaN is 0, except from f64 and to 64 bits: the top bit
/// alone.
template <typename D, typename U>
D float_to_integer(Integral round, bool ftz, U bits) {
  const long double x = integral(round, input(ftz, bits));
  if (x != x) {
    const bool wide = sizeof(D) == 8 || sizeof(U) == 8;
    return wide ? static_cast<D>(Unsigned<D>{1} << (kBits<D> - 1)) : D{0};
  }
  if (x <= static_cast<long double>(std::numeric_limits<D>::min())) {
    return std::numeric_limits<D>::min();
  }
  if (x >= static_cast<long double>(std::numeric_limits<D>::max())) {
    return std::numeric_limits<D>::max();
  }
  return static_cast<D>(x);
}
template <typename S>
using Widest = std::conditional_t<std::is_signed_v<S>, s64, u64>;
template <typename S>
u32 integer_to_f32(Round round, bool sat, S x) {
  return output(false, sat, to_float(round, static_cast<Widest<S>>(x)));
}
template <typename S>
u64 integer_to_f64(Round round, bool sat, S x) {
  return output(false, sat, to_double(round, static_cast<Widest<S>>(x)));
}
inline u32 f64_to_f32(Round round, bool ftz, bool sat, u64 x) {
  return output(ftz, sat, narrowed(round, value(x)));
}
inline u64 f32_to_f64(bool ftz, bool sat, u32 x) {
  return output(false, sat, static_cast<double>(input(ftz, x)));
}
template <typename U>
U to_integral(Integral round, bool ftz, bool sat, U x) {
  return output(ftz, sat, integral(round, input(ftz, x)));
}

// ---- numbers of 16 bits -------------------------------------------------------------------------
/// What an instruction does besides its operation. Only f16 flushes and saturates.
struct Ends {
  bool ftz = false, sat = false, relu = false;
};
inline u16 small_flushed(Small type, u16 bits) {
  const double x = from_small(type, bits);
  return x != 0 && std::fabs(x) < (type == Small::f16 ? 0x1p-14 : 0x1p-126) ? bits & 0x8000 : bits;
}
inline double small_input(Small type, bool ftz, u16 bits) {
  return from_small(type, ftz ? small_flushed(type, bits) : bits);
}
inline u16 small_output(Small type, Ends ends, double x) {
  if (ends.sat) x = x > 0 ? std::min(x, 1.0) : 0;
  if (ends.relu && x <= 0) x = 0;
  const u16 bits = to_small(type, Round::rn, x);
  return ends.ftz ? small_flushed(type, bits) : bits;
}
inline u16 small_arithmetic(Small type, Arithmetic operation, Ends ends, u16 a, u16 b, u16 c = 0) {
  return small_output(type, ends,
                      to_odd(operation, small_input(type, ends.ftz, a),
                             small_input(type, ends.ftz, b), small_input(type, ends.ftz, c)));
}
enum class Extreme { min, max };
inline u16 small_extreme(Small type, Extreme extreme, bool ftz, bool nan, bool xorsign, u16 a,
                         u16 b) {
  double x = small_input(type, ftz, a);
  double y = small_input(type, ftz, b);
  if (xorsign) {
    x = std::fabs(x);
    y = std::fabs(y);
  }
  if ((x != x && y != y) || (nan && std::isunordered(x, y))) return 0x7fff;
  const bool first = y != y || (x == x && ordered_less(x, y) == (extreme == Extreme::min));
  const u16 bits = to_small(type, Round::rn, first ? x : y);
  return xorsign ? static_cast<u16>((bits & 0x7fff) | ((a ^ b) & 0x8000)) : bits;
}
/// The same for both halves of a register.
template <typename F, typename... U>
u32 both_halves(F f, U... registers) {
  return u32{f(static_cast<u16>(registers >> 16)...)} << 16 | f(static_cast<u16>(registers)...);
}
inline u16 f32_to_small(Small type, Round round, Ends ends, u32 bits) {
  double x = input(ends.ftz, bits);
  if (ends.sat) x = x > 0 ? std::min(x, 1.0) : 0;
  if (ends.relu && x < 0) x = 0;
  return to_small(type, round, x);
}
inline u16 f64_to_small(Small type, Round round, u64 bits) {
  return to_small(type, round, value(bits));
}
inline u32 small_to_f32(Small type, u16 bits) {
  return canonical(static_cast<float>(from_small(type, bits)));
}
inline u64 small_to_f64(Small type, u16 bits) { return canonical(from_small(type, bits)); }
template <typename S>
u16 integer_to_small(Small type, Round round, S x) {
  return to_small(type, round, static_cast<long double>(x));
}
/// As from f32.
template <typename D>
D small_to_integer(Small type, Integral round, u16 bits) {
  return float_to_integer<D>(round, false, small_to_f32(type, bits));
}
inline u16 small_to_integral(Small type, Integral round, u16 bits) {
  return to_small(type, Round::rn, integral(round, from_small(type, bits)));
}
inline u32 f32_to_tf32(bool away, bool relu, u32 bits) {
  const float x = to_tf32(away, value(bits));
  return std::bit_cast<u32>(relu && x < 0 ? 0.0F : x);
}

// ---- memory -------------------------------------------------------------------------------------
template <typename T>
T load(const u8* at) {
  T x;
  std::memcpy(&x, at, sizeof x);
  return x;
}
template <typename T, typename U>
void store(u8* at, U bits) {
  const T x = static_cast<T>(bits);
  std::memcpy(at, &x, sizeof x);
}
enum class Atomic { add, min, max, exch, cas, and_, or_, xor_, inc, dec };
template <typename T>
T atomic_result(Atomic operation, T old, T b, T c = 0) {
  using U = Unsigned<T>;
  switch (operation) {
    case Atomic::add:
      return static_cast<T>(static_cast<U>(old) + static_cast<U>(b));
    case Atomic::min:
      return std::min(old, b);
    case Atomic::max:
      return std::max(old, b);
    case Atomic::exch:
      return b;
    case Atomic::cas:
      return old == b ? c : old;
    case Atomic::and_:
      return old & b;
    case Atomic::or_:
      return old | b;
    case Atomic::xor_:
      return old ^ b;
    case Atomic::inc:
      return old >= b ? T{0} : static_cast<T>(old + 1);
    case Atomic::dec:
      return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
  return old;
}
/// Returns what was there.
template <typename T>
Unsigned<T> atomic(Atomic operation, u8* at, Unsigned<T> b, Unsigned<T> c = 0) {
  const T old = load<T>(at);
  store<T>(at, atomic_result<T>(operation, old, static_cast<T>(b), static_cast<T>(c)));
  return static_cast<Unsigned<T>>(old);
}

/// U is 16 bits wide, or 32 for a pair. Returns what was there.
template <typename U>
U small_atomic_add(Small type, u8* at, U b) {
  const U old = load<U>(at);
  const auto add = [type](u16 x, u16 y) {
    return small_arithmetic(type, Arithmetic::add, {}, x, y);
  };
  if constexpr (sizeof(U) == 2) {
    store<U>(at, add(old, b));
  } else {
    store<U>(at, both_halves(add, old, b));
  }
  return old;
}

// ---- warps --------------------------------------------------------------------------------------
enum class Shuffle { up, down, bfly, idx };
/// The lane that `lane` reads, and whether it is in range (PTX ISA, shfl.sync).
inline unsigned shuffle_source(Shuffle mode, unsigned lane, u32 b, u32 c, bool& in_range) {
  const int segment = static_cast<int>(c >> 8 & 31);
  const int clamp = static_cast<int>(c & 31);
  const int delta = static_cast<int>(b & 31);
  const int own = static_cast<int>(lane);
  const int highest = (own & segment) | (clamp & ~segment);
  const int lowest = own & segment;
  int source = 0;
  switch (mode) {
    case Shuffle::up:
      source = own - delta;
      in_range = source >= highest;
      break;
    case Shuffle::down:
      source = own + delta;
      in_range = source <= highest;
      break;
    case Shuffle::bfly:
      source = own ^ delta;
      in_range = source <= highest;
      break;
    case Shuffle::idx:
      source = lowest | (delta & ~segment);
      in_range = source <= highest;
      break;
  }
  return static_cast<unsigned>(in_range ? source : own);
}
/// What `lane` gets of the lanes' values. A lane that does not execute gives 0, whether the member
/// mask names it or not (docs/reference/simulator.md, "Shuffles").
inline u32 shuffled(Shuffle mode, const std::array<u32, kWarp>& values, u32 executing,
                    unsigned lane, u32 b, u32 c, bool& in_range) {
  const unsigned source = shuffle_source(mode, lane, b, c, in_range);
  return (executing >> source & 1) != 0 ? values[source] : 0;
}

}  // namespace paws::differential
