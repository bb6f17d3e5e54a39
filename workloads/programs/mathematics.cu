// SPDX-License-Identifier: MIT
// The device's mathematics beside the host's, which has more digits. How far the device's may be
// from the rounded result is what the "CUDA C++ Programming Guide" says ("Mathematical Functions"),
// in units of the last place. Arguments are ordinary, tiny, huge, infinite and no numbers.
#include <cmath>
#include <limits>
#include <vector>

#include "check.h"

// name, units in single precision, in double precision
#define ONE_ARGUMENT(X) \
  X(acos, 2, 2)         \
  X(acosh, 4, 3)        \
  X(asin, 2, 2)         \
  X(asinh, 3, 3)        \
  X(atan, 2, 2)         \
  X(atanh, 3, 2)        \
  X(cbrt, 1, 1)         \
  X(ceil, 0, 0)         \
  X(cos, 2, 2)          \
  X(cosh, 2, 1)         \
  X(erf, 2, 2)          \
  X(erfc, 4, 5)         \
  X(exp, 2, 1)          \
  X(exp2, 2, 1)         \
  X(expm1, 1, 1)        \
  X(fabs, 0, 0)         \
  X(floor, 0, 0)        \
  X(log, 1, 1)          \
  X(log10, 2, 1)        \
  X(log1p, 1, 1)        \
  X(log2, 1, 1)         \
  X(rint, 0, 0)         \
  X(round, 0, 0)        \
  X(sin, 2, 2)          \
  X(sinh, 3, 2)         \
  X(tan, 4, 2)          \
  X(tanh, 2, 1)         \
  X(trunc, 0, 0)
#define TWO_ARGUMENTS(X) \
  X(atan2, 3, 2)         \
  X(copysign, 0, 0)      \
  X(fmax, 0, 0)          \
  X(fmin, 0, 0)          \
  X(hypot, 3, 2)         \
  X(pow, 4, 2)

enum Index {
#define NAME(name, single, twice) index_##name,
  ONE_ARGUMENT(NAME) TWO_ARGUMENTS(NAME)
#undef NAME
      kFunctions
};

__global__ void singles(const float* a, const float* b, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#define CALL(name, single, twice) out[index_##name * n + i] = name##f(a[i]);
  ONE_ARGUMENT(CALL)
#undef CALL
#define CALL(name, single, twice) out[index_##name * n + i] = name##f(a[i], b[i]);
  TWO_ARGUMENTS(CALL)
#undef CALL
}

__global__ void doubles(const double* a, const double* b, int n, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
#define CALL(name, single, twice) out[index_##name * n + i] = name(a[i]);
  ONE_ARGUMENT(CALL)
#undef CALL
#define CALL(name, single, twice) out[index_##name * n + i] = name(a[i], b[i]);
  TWO_ARGUMENTS(CALL)
#undef CALL
}

// Functions that the host does not have, or not for all arguments of the device.
enum Other {
  other_frsqrt,
  other_ldexp_down,
  other_ldexp_up,
  other_scalbn,
  other_sqrt,
  other_tgamma,
  other_lgamma,
  other_norm3d,
  other_norm4d,
  other_rhypot,
  other_rnorm3d,
  other_rnorm4d,
  other_erfinv,
  other_erfcinv,
  other_normcdfinv,
  other_normcdf,
  other_erfcx,
  other_norm,
  other_rnorm,
  other_sinpi,
  other_cospi,
  other_rcbrt,
  other_exp10,
  kOthers
};

__global__ void other_singles(const float* a, const float* b, int n, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i], y = b[i];
  out[other_frsqrt * n + i] = __frsqrt_rn(x);
  out[other_ldexp_down * n + i] = ldexpf(x, -130);
  out[other_ldexp_up * n + i] = ldexpf(x, 150);
  out[other_scalbn * n + i] = scalbnf(x, -7);
  out[other_sqrt * n + i] = sqrtf(x);
  out[other_tgamma * n + i] = tgammaf(x);
  out[other_lgamma * n + i] = lgammaf(x);
  out[other_norm3d * n + i] = norm3df(x, y, x);
  out[other_norm4d * n + i] = norm4df(x, y, x, y);
  out[other_rhypot * n + i] = rhypotf(x, y);
  out[other_rnorm3d * n + i] = rnorm3df(x, y, x);
  out[other_rnorm4d * n + i] = rnorm4df(x, y, x, y);
  out[other_erfinv * n + i] = erfinvf(x);
  out[other_erfcinv * n + i] = erfcinvf(x);
  out[other_normcdfinv * n + i] = normcdfinvf(x);
  out[other_normcdf * n + i] = normcdff(x);
  out[other_erfcx * n + i] = erfcxf(x);
  const float vector[] = {x, y, x, y, x};
  out[other_norm * n + i] = normf(5, vector);
  out[other_rnorm * n + i] = rnormf(5, vector);
  out[other_sinpi * n + i] = sinpif(x);
  out[other_cospi * n + i] = cospif(x);
  out[other_rcbrt * n + i] = rcbrtf(x);
  out[other_exp10 * n + i] = exp10f(x);
}

__global__ void other_doubles(const double* a, const double* b, int n, double* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double x = a[i], y = b[i];
  out[other_ldexp_down * n + i] = ldexp(x, -1050);
  out[other_ldexp_up * n + i] = ldexp(x, 1100);
  out[other_scalbn * n + i] = scalbn(x, -7);
  out[other_sqrt * n + i] = sqrt(x);
  out[other_tgamma * n + i] = tgamma(x);
  out[other_lgamma * n + i] = lgamma(x);
  out[other_norm3d * n + i] = norm3d(x, y, x);
  out[other_norm4d * n + i] = norm4d(x, y, x, y);
  out[other_rhypot * n + i] = rhypot(x, y);
  out[other_rnorm3d * n + i] = rnorm3d(x, y, x);
  out[other_rnorm4d * n + i] = rnorm4d(x, y, x, y);
  out[other_erfinv * n + i] = erfinv(x);
  out[other_erfcinv * n + i] = erfcinv(x);
  out[other_normcdfinv * n + i] = normcdfinv(x);
  out[other_normcdf * n + i] = normcdf(x);
  out[other_erfcx * n + i] = erfcx(x);
  const double vector[] = {x, y, x, y, x};
  out[other_norm * n + i] = norm(5, vector);
  out[other_rnorm * n + i] = rnorm(5, vector);
  out[other_sinpi * n + i] = sinpi(x);
  out[other_cospi * n + i] = cospi(x);
  out[other_rcbrt * n + i] = rcbrt(x);
  out[other_exp10 * n + i] = exp10(x);
}

/// Whether `got` is within so many units of the last place of `want` when that is rounded.
template <typename T, typename Wide>
bool close(T got, Wide want, double units) {
  const T rounded = static_cast<T>(want);
  if (std::isnan(rounded)) return std::isnan(got);
  if (got == rounded) return got != 0 || std::signbit(got) == std::signbit(rounded);
  if (units == 0 || !std::isfinite(got)) return false;
  // The largest number is next to infinity, and its unit is that of the number before it.
  const T most = std::numeric_limits<T>::max();
  const T size = std::fabs(std::isfinite(rounded) ? rounded : most);
  const T next = std::nextafter(size, size < most ? most : T(0));
  const Wide unit = std::fabs(static_cast<Wide>(next) - static_cast<Wide>(size));
  const Wide aim = std::isfinite(rounded) ? static_cast<Wide>(rounded) : want;
  return std::fabs(static_cast<Wide>(got) - aim) <= units * unit;
}

int wrong = 0;

template <typename T, typename Wide>
void expect(const char* name, T x, T y, T got, Wide want, double units) {
  if (close(got, want, units)) return;
  std::printf("%s(%.9g, %.9g), %u bytes: %.17g, expected %.17g\n", name, static_cast<double>(x),
              static_cast<double>(y), static_cast<unsigned>(sizeof(T)), static_cast<double>(got),
              static_cast<double>(want));
  ++wrong;
}

template <typename T>
T* managed(std::size_t count) {
  T* got = nullptr;
  CHECK(cudaMallocManaged(&got, count * sizeof(T)));
  return got;
}

/// The number between `low` and `high` where a falling function is `value`.
template <typename Wide, typename Function>
Wide bisect(Wide low, Wide high, Wide value, Function falling) {
  for (int step = 0; step < 200; ++step) {
    const Wide middle = (low + high) / 2;
    (falling(middle) > value ? low : high) = middle;
  }
  return low;
}

/// Of the host's functions. They end where erfc() has no more digits.
template <typename Wide>
Wide inverse_erfc(Wide x) {
  if (x == 0 || x == 2) return x == 0 ? INFINITY : -INFINITY;
  if (!(x > 0 && x < 2)) return NAN;
  if (x > 1) return -bisect<Wide>(0, 110, 2 - x, [](Wide y) { return std::erfc(y); });
  return bisect<Wide>(0, 110, x, [](Wide y) { return std::erfc(y); });
}
template <typename Wide>
Wide inverse_erf(Wide x) {
  if (std::fabs(x) > Wide(0.5)) return std::copysign(inverse_erfc(1 - std::fabs(x)), x);
  // In small numbers the difference to 1 would be lost.
  if (x == 0 || std::isnan(x)) return x;
  const Wide size = std::fabs(x);
  const Wide y =
      bisect<Wide>(size / 2, size, size, [&](Wide each) { return 2 * size - std::erf(each); });
  return std::copysign(y, x);
}
template <typename Wide>
Wide scaled_erfc(Wide x) {
  if (x < 25) return std::exp(x * x) * std::erfc(x);
  Wide sum = 1;
  for (int factor = 19; factor > 0; factor -= 2) sum = 1 - factor * sum / (2 * x * x);
  return sum / (x * std::sqrt(std::acos(Wide(-1))));
}

/// sin(pi * x) and cos(pi * x), near 0 of whichever quarter of a turn.
template <typename Wide>
Wide sine_of_half_turns(Wide x) {
  Wide part = std::remainder(x, Wide(2));
  if (std::fabs(part) > Wide(0.5)) part = std::copysign(Wide(1), part) - part;
  return part == 0 ? std::copysign(Wide(0), x) : std::sin(std::acos(Wide(-1)) * part);
}
template <typename Wide>
Wide cosine_of_half_turns(Wide x) {
  return std::sin(std::acos(Wide(-1)) * (Wide(0.5) - std::fabs(std::remainder(x, Wide(2)))));
}

template <typename Wide>
Wide length(Wide a, Wide b, Wide c, Wide d) {
  const Wide most = std::fmax(std::fmax(std::fabs(a), std::fabs(b)), std::fabs(c));
  return std::isinf(most) ? most : std::hypot(std::hypot(a, b), std::hypot(c, d));
}

/// `T` in single or double precision; `Wide` has more digits.
template <typename T, typename Wide, typename Kernel, typename OtherKernel>
void compare(const std::vector<double>& values, Kernel kernel, OtherKernel other, bool single) {
  const int n = static_cast<int>(values.size());
  T* a = managed<T>(n);
  T* b = managed<T>(n);
  T* out = managed<T>(n * kFunctions);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<T>(values[i]);
    b[i] = static_cast<T>(values[(i * 7 + 3) % n]);
  }
  kernel<<<(n + 63) / 64, 64>>>(a, b, n, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const Wide x = a[i], y = b[i];
#define COMPARE(name, units, units_twice)                                  \
  expect(#name, a[i], b[i], out[index_##name * n + i], Wide(std::name(x)), \
         single ? units : units_twice);
    ONE_ARGUMENT(COMPARE)
#undef COMPARE
#define COMPARE(name, units, units_twice)                                     \
  expect(#name, a[i], b[i], out[index_##name * n + i], Wide(std::name(x, y)), \
         single ? units : units_twice);
    TWO_ARGUMENTS(COMPARE)
#undef COMPARE
  }
  other<<<(n + 63) / 64, 64>>>(a, b, n, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    const Wide x = a[i], y = b[i];
    const auto check = [&](const char* name, Other index, Wide want, double units) {
      expect(name, a[i], b[i], out[index * n + i], want, units);
    };
    const Wide root = length<Wide>(x, y, x, 0), all = length<Wide>(x, y, x, y);
    const Wide five = length<Wide>(all, x, 0, 0);
    const Wide below = std::erfc(-x / std::sqrt(Wide(2))) / 2;
    const Wide sine = sine_of_half_turns(x), cosine = cosine_of_half_turns(x);
    check("ldexp", other_ldexp_down, std::ldexp(x, single ? -130 : -1050), 0);
    check("ldexp", other_ldexp_up, std::ldexp(x, single ? 150 : 1100), 0);
    check("scalbn", other_scalbn, std::ldexp(x, -7), 0);
    // More digits would be rounded twice.
    check("sqrt", other_sqrt, std::sqrt(a[i]), 0);
    check("norm3d", other_norm3d, root, single ? 3 : 2);
    check("norm4d", other_norm4d, all, single ? 3 : 2);
    check("rhypot", other_rhypot, 1 / std::hypot(x, y), single ? 2 : 1);
    check("rnorm3d", other_rnorm3d, 1 / root, single ? 2 : 1);
    check("rnorm4d", other_rnorm4d, 1 / all, single ? 2 : 1);
    // The arguments are those of both; kernels must not know more than 0 to 2.
    check("erfinv", other_erfinv, inverse_erf(x), single ? 2 : 5);
    check("erfcinv", other_erfcinv, inverse_erfc(x), single ? 4 : 6);
    check("normcdfinv", other_normcdfinv, -std::sqrt(Wide(2)) * inverse_erfc(2 * x),
          single ? 5 : 8);
    check("normcdf", other_normcdf, below, 5);
    check("erfcx", other_erfcx, scaled_erfc(x), single ? 4 : 5);
    // CUDA names no error of the two.
    check("norm", other_norm, five, 3);
    check("rnorm", other_rnorm, 1 / five, 3);
    check("sinpi", other_sinpi, sine, single ? 1 : 2);
    check("cospi", other_cospi, cosine, single ? 1 : 2);
    check("rcbrt", other_rcbrt, 1 / std::cbrt(x), 1);
    check("exp10", other_exp10, std::pow(Wide(10), x), single ? 2 : 1);
    const auto check_host = [&](const char* name, T got, Wide want, double units) {
      expect(name, a[i], b[i], got, want, units);
    };
    check_host("erfinv of the host", erfinv(a[i]), inverse_erf(x), single ? 2 : 5);
    check_host("erfcinv of the host", erfcinv(a[i]), inverse_erfc(x), single ? 4 : 6);
    check_host("erfcx of the host", erfcx(a[i]), scaled_erfc(x), single ? 4 : 5);
    check_host("normcdf of the host", normcdf(a[i]), below, 5);
    check_host("sinpi of the host", sinpi(a[i]), sine, single ? 1 : 2);
    check_host("cospi of the host", cospi(a[i]), cosine, single ? 1 : 2);
    T both[2];
    sincospi(a[i], &both[0], &both[1]);
    check_host("sine of sincospi of the host", both[0], sine, single ? 1 : 2);
    check_host("cosine of sincospi of the host", both[1], cosine, single ? 1 : 2);
    check_host("rcbrt of the host", rcbrt(a[i]), 1 / std::cbrt(x), 1);
    check_host("norm3d of the host", static_cast<T>(norm3d(a[i], b[i], a[i])), root,
               single ? 3 : 2);
    check_host("rnorm4d of the host", static_cast<T>(rnorm4d(a[i], b[i], a[i], b[i])), 1 / all,
               single ? 2 : 1);
    // In double precision, 3e-13 of the result.
    check("tgamma", other_tgamma, std::tgamma(x), single ? 5 : 2700);
    // Near its zeros below 0 the last places mean nothing.
    if (!(x > (single ? -11 : -24) && x < -2)) {
      check("lgamma", other_lgamma, std::lgamma(x), single ? 6 : 4);
    }
    if (single) check("__frsqrt_rn", other_frsqrt, 1 / std::sqrt(x), 0);
  }
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(out));
}

// Functions of C++ that kernels call with floats, beside those of C.
__global__ void overloads(const float* a, const float* b, int n, int* different) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = a[i], y = b[i];
  const auto compare = [=](double left, double right) {
    if (__double_as_longlong(left) != __double_as_longlong(right)) atomicAdd(different, 1);
  };
#define SAME(name) compare(name(x), name##f(x))
  SAME(acosh);
  SAME(asinh);
  SAME(atanh);
  SAME(cbrt);
  SAME(cospi);
  SAME(erf);
  SAME(erfc);
  SAME(erfcinv);
  SAME(erfcx);
  SAME(erfinv);
  SAME(exp2);
  SAME(expm1);
  SAME(lgamma);
  SAME(log1p);
  SAME(log2);
  SAME(logb);
  SAME(nearbyint);
  SAME(normcdf);
  SAME(normcdfinv);
  SAME(rcbrt);
  SAME(rint);
  SAME(round);
  SAME(rsqrt);
  SAME(sinpi);
  SAME(tgamma);
  SAME(trunc);
  SAME(ilogb);
  SAME(lrint);
  SAME(lround);
  SAME(llrint);
  SAME(llround);
#undef SAME
#define SAME(name) compare(name(x, y), name##f(x, y))
  SAME(copysign);
  SAME(fdim);
  SAME(fmax);
  SAME(fmin);
  SAME(hypot);
  SAME(nextafter);
  SAME(remainder);
#undef SAME
  int quotient = 0, other_quotient = 0;
  compare(remquo(x, y, &quotient), remquof(x, y, &other_quotient));
  compare(quotient, other_quotient);
  compare(fma(x, y, x), fmaf(x, y, x));
  compare(scalbn(x, 3), scalbnf(x, 3));
  compare(scalbln(x, -3), scalblnf(x, -3));
  float sine = 0, cosine = 0;
  sincos(x, &sine, &cosine);
  compare(sine, sinf(x));
  compare(cosine, cosf(x));
  sincospi(x, &sine, &cosine);
  compare(sine, sinpif(x));
  compare(cosine, cospif(x));
  if (!isnan(nanf("")) || !isnan(nan("1"))) atomicAdd(different, 1);
  if (!(fabsf(__tanhf(x) - tanhf(x)) <= 1e-3f) && !isnan(x)) atomicAdd(different, 1);
}

void check_overloads(const std::vector<double>& values) {
  const int n = static_cast<int>(values.size());
  float* a = managed<float>(2 * n);
  int* different = managed<int>(1);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<float>(values[i]);
    a[n + i] = static_cast<float>(values[(i * 7 + 3) % n]);
  }
  *different = 0;
  overloads<<<(n + 63) / 64, 64>>>(a, a + n, n, different);
  CHECK(cudaDeviceSynchronize());
  EXPECT(*different == 0);
  CHECK(cudaFree(a));
  CHECK(cudaFree(different));
}

struct Converted {
  float rounded[4][5];
  double wide[2];
  int clipped[6];
  unsigned int permuted;
};

__global__ void convert(int i, unsigned int u, long long l, unsigned long long ul, double d,
                        Converted* out) {
#define EACH(row, mode)                          \
  out->rounded[row][0] = __int2float_##mode(i);  \
  out->rounded[row][1] = __uint2float_##mode(u); \
  out->rounded[row][2] = __ll2float_##mode(l);   \
  out->rounded[row][3] = __ull2float_##mode(ul); \
  out->rounded[row][4] = __double2float_##mode(d);
  EACH(0, rn)
  EACH(1, rz)
  EACH(2, rd)
  EACH(3, ru)
#undef EACH
  out->wide[0] = __ll2double_rz(l);
  out->wide[1] = __ull2double_rz(ul);
  // Constants, which the compiler would fold.
  out->clipped[0] = __float2int_rz(1e20f);
  out->clipped[1] = __float2int_rz(-1e20f);
  out->clipped[2] = __double2int_rz(1e20);
  out->clipped[3] = static_cast<int>(__float2uint_rz(-5.0f));
  out->clipped[4] = __float2int_rz(NAN);
  out->clipped[5] = __float2int_rn(2.5f);
  out->permuted = __byte_perm(0x80818283u, 0x90919293u, 0x8c08);
}

void check_conversions() {
  auto* out = managed<Converted>(1);
  convert<<<1, 1>>>(0x7fffffff, 0xffffffffu, 0x7fffffffffffffffll, ~0ull, 1.9999999999, out);
  CHECK(cudaDeviceSynchronize());
  const float up[] = {0x1p31f, 0x1p32f, 0x1p63f, 0x1p64f, 2.0f};
  for (int i = 0; i < 5; ++i) {
    const float down = std::nextafter(up[i], 0.0f);
    EXPECT(out->rounded[0][i] == up[i] && out->rounded[3][i] == up[i]);
    EXPECT(out->rounded[1][i] == down && out->rounded[2][i] == down);
  }
  EXPECT(out->wide[0] == std::nextafter(0x1p63, 0.0));
  EXPECT(out->wide[1] == std::nextafter(0x1p64, 0.0));
  EXPECT(out->clipped[0] == 0x7fffffff && out->clipped[1] == -0x7fffffff - 1);
  EXPECT(out->clipped[2] == 0x7fffffff && out->clipped[3] == 0 && out->clipped[4] == 0);
  EXPECT(out->clipped[5] == 2);
  EXPECT(out->permuted == 0x83938383u);
  CHECK(cudaFree(out));
}

int main() {
  const double infinity = std::numeric_limits<double>::infinity();
  std::vector<double> values = {0.0,   infinity, std::nan(""), 1e-20, 1e-38,
                                1e-39, 3e-42,    1e-45,        3e38,  2e38};
  for (const double x :
       {0.5,    0.6658961, 23.159838, 1.0,    1.5,    2.5,   3.5,   7.98682, 9.55,  14.06, 19.7,
        26.9,   37.3,      87.5,      100.25, 103.25, 126.5, 140.0, 190.5,   184.5, 709.5, 745.0,
        1000.0, 12345.7,   1e5,       3e6,    1e10,   1e15,  1e22,  1e37,    8e-101}) {
    values.push_back(x);
  }
  double x = 1e-7;
  while (values.size() < 400) values.push_back(x *= 1.0717);
  const std::size_t positive = values.size();
  for (std::size_t i = 0; i < positive; ++i) values.push_back(-values[i]);
  check_overloads(values);
  compare<float, double>(values, singles, other_singles, true);
  for (double& value : values) {
    const double size = std::fabs(value);
    if (size == 3e38) value = std::copysign(1.5e308, value);
    if (size == 1e-45) value = std::copysign(5e-324, value);
    if (size == 3e-42) value = std::copysign(1e-310, value);
  }
  compare<double, long double>(values, doubles, other_doubles, false);
  check_conversions();
  std::printf("%d results are too far away\n", wrong);
  return wrong != 0;
}
