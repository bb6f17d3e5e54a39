// SPDX-License-Identifier: MIT
// Kinds of numbers that kernels compute by functions: cuComplex, 8-bit floating point, and integers
// of 128 bits. Device and host agree bit by bit, and with what is worked out in another way.
#include <cuComplex.h>
#include <cuda_fp8.h>

#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "check.h"

constexpr int kThreads = 128;

// --- complex numbers ----------------------------------------------------------------------------

__global__ void complex(const cuDoubleComplex* in, cuDoubleComplex* out) {
  const int i = threadIdx.x;
  const cuDoubleComplex a = in[2 * i], b = in[2 * i + 1];
  const cuFloatComplex x = cuComplexDoubleToFloat(a), y = cuComplexDoubleToFloat(b);
  cuDoubleComplex* of = out + 12 * i;
  of[0] = cuCadd(a, b);
  of[1] = cuCsub(a, b);
  of[2] = cuCmul(a, b);
  of[3] = cuCdiv(a, b);
  of[4] = cuCfma(a, b, cuConj(a));
  of[5] = make_cuDoubleComplex(cuCabs(a), cuCreal(b) + cuCimag(b));
  of[6] = cuComplexFloatToDouble(cuCaddf(x, y));
  of[7] = cuComplexFloatToDouble(cuCsubf(x, y));
  of[8] = cuComplexFloatToDouble(cuCmulf(x, y));
  of[9] = cuComplexFloatToDouble(cuCdivf(x, y));
  of[10] = cuComplexFloatToDouble(cuCfmaf(x, y, cuConjf(x)));
  of[11] = make_cuDoubleComplex(cuCabsf(x), cuCrealf(y) + cuCimagf(y));
}

void check_complex() {
  using Complex = std::complex<double>;
  cuDoubleComplex *in = nullptr, *out = nullptr;
  CHECK(cudaMallocManaged(&in, 2 * kThreads * sizeof(*in)));
  CHECK(cudaMallocManaged(&out, 12 * kThreads * sizeof(*out)));
  for (int i = 0; i < 2 * kThreads; ++i) {
    in[i] = make_cuDoubleComplex(std::sin(1.7 * i) * (1 + i % 9), std::cos(0.9 * i) * (1 + i % 7));
  }
  // Their squares are out of range.
  in[0] = make_cuDoubleComplex(3e200, 4e200);
  in[1] = make_cuDoubleComplex(-6e200, 8e200);
  complex<<<1, kThreads>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; ++i) {
    const Complex a(in[2 * i].x, in[2 * i].y), b(in[2 * i + 1].x, in[2 * i + 1].y);
    const Complex expected[6] = {a + b,
                                 a - b,
                                 a * b,
                                 a / b,
                                 a * b + std::conj(a),
                                 Complex(std::abs(a), b.real() + b.imag())};
    for (int j = 0; j < 12; ++j) {
      // Products and floats are too small for the first.
      if (i == 0 && (j % 6 == 2 || j % 6 == 4 || j > 5)) continue;
      const Complex found(out[12 * i + j].x, out[12 * i + j].y);
      const double size = std::abs(expected[j % 6]) + (i == 0 ? 0 : std::abs(a) + std::abs(b));
      EXPECT(std::abs(found - expected[j % 6]) <= size * (j < 6 ? 1e-14 : 2e-6));
    }
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

// --- 8-bit floating point -----------------------------------------------------------------------

/// The value of a code that is a number, by the definition of the format.
double value_of(unsigned code, __nv_fp8_interpretation_t format) {
  const int fraction = format == __NV_E4M3 ? 3 : 2, bias = format == __NV_E4M3 ? 7 : 15;
  const int field = static_cast<int>(code & 0x7f) >> fraction;
  const double digits = code & ((1u << fraction) - 1);
  const double size = field == 0 ? std::ldexp(digits, 1 - bias - fraction)
                                 : std::ldexp(digits + (1 << fraction), field - bias - fraction);
  return (code & 0x80) != 0 ? -size : size;
}

/// The nearest code, the even one of two, the largest number if all are too small.
unsigned nearest(double value, __nv_fp8_interpretation_t format) {
  const unsigned largest = format == __NV_E4M3 ? 0x7e : 0x7b;
  const unsigned sign = std::signbit(value) ? 0x80 : 0;
  unsigned best = 0;
  for (unsigned code = 1; code <= largest; ++code) {
    const double far = std::fabs(std::fabs(value) - value_of(code, format));
    const double least = std::fabs(std::fabs(value) - value_of(best, format));
    if (far < least || (far == least && code % 2 == 0)) best = code;
  }
  return sign | best;
}

template <class Narrow>
__host__ __device__ unsigned convert(float value) {
  const Narrow narrow(value);
  const Narrow from_half(__float2half(value));
  return narrow.__x | from_half.__x << 8 | (static_cast<int>(narrow) & 0xff) << 16 |
         static_cast<unsigned>(__half_as_ushort(static_cast<__half>(narrow)) & 0x7fff) << 17;
}
__global__ void convert(const float* in, unsigned* out, int count) {
  for (int i = threadIdx.x; i < count; i += kThreads) {
    out[2 * i] = convert<__nv_fp8_e4m3>(in[i]);
    out[2 * i + 1] = convert<__nv_fp8_e5m2>(in[i]);
  }
}

template <class Narrow, class Four>
void check_codes(__nv_fp8_interpretation_t format) {
  const unsigned largest = format == __NV_E4M3 ? 0x7e : 0x7b;
  for (unsigned code = 0; code < 256; ++code) {
    Narrow narrow;
    narrow.__x = static_cast<__nv_fp8_storage_t>(code);
    const float value = static_cast<float>(narrow);
    if ((code & 0x7f) <= largest) {
      EXPECT(value == static_cast<float>(value_of(code, format)));
      EXPECT(Narrow(value).__x == code);
    } else {
      EXPECT(format == __NV_E5M2 && (code & 0x7f) == 0x7c ? std::isinf(value) : std::isnan(value));
    }
    EXPECT(static_cast<bool>(narrow) == (value != 0));
  }
  EXPECT(__nv_cvt_float_to_fp8(1e9f, __NV_SATFINITE, format) == largest);
  EXPECT(__nv_cvt_float_to_fp8(-1e9f, __NV_NOSAT, format) == (0x80 | (largest + 1)));
  const Four four(make_float4(1, -2, 0.5f, 3));
  const float4 back = static_cast<float4>(four);
  EXPECT(back.x == 1 && back.y == -2 && back.z == 0.5f && back.w == 3);
}

void check_fp8() {
  check_codes<__nv_fp8_e4m3, __nv_fp8x4_e4m3>(__NV_E4M3);
  check_codes<__nv_fp8_e5m2, __nv_fp8x4_e5m2>(__NV_E5M2);
  std::vector<float> values;
  for (int i = 0; i < 4000; ++i) values.push_back(std::ldexp(1 + i % 97 / 97.0f, i % 37 - 20));
  for (unsigned code = 0; code < 0x7b; ++code) {
    // Between two of them.
    values.push_back(static_cast<float>(value_of(code, __NV_E4M3) + value_of(code + 1, __NV_E4M3)) /
                     -2);
    values.push_back(static_cast<float>(value_of(code, __NV_E5M2) + value_of(code + 1, __NV_E5M2)) /
                     2);
  }
  const int count = static_cast<int>(values.size());
  float* in = nullptr;
  unsigned* out = nullptr;
  CHECK(cudaMallocManaged(&in, count * sizeof(float)));
  CHECK(cudaMallocManaged(&out, 2 * count * sizeof(unsigned)));
  std::memcpy(in, values.data(), count * sizeof(float));
  convert<<<1, kThreads>>>(in, out, count);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) {
    EXPECT((out[2 * i] & 0xff) == nearest(in[i], __NV_E4M3));
    EXPECT((out[2 * i + 1] & 0xff) == nearest(in[i], __NV_E5M2));
    EXPECT(out[2 * i] == convert<__nv_fp8_e4m3>(in[i]));
    EXPECT(out[2 * i + 1] == convert<__nv_fp8_e5m2>(in[i]));
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

// --- integers of 128 bits -----------------------------------------------------------------------

using Wide = unsigned __int128;
constexpr int kWide = 10;

__host__ __device__ void compute(Wide a, Wide b, Wide* out) {
  const __int128 x = static_cast<__int128>(a), y = static_cast<__int128>(b);
  const double big = static_cast<double>(a), small = static_cast<double>(x);
  out[0] = a / b;
  out[1] = a % b;
  out[2] = static_cast<Wide>(x / y);
  out[3] = static_cast<Wide>(x % y);
  out[4] = a * b + (a >> 7);
  memcpy(&out[5], &big, sizeof(big));
  memcpy(reinterpret_cast<char*>(&out[5]) + 8, &small, sizeof(small));
  const float narrow = static_cast<float>(a), negative = static_cast<float>(x);
  out[6] = 0;
  memcpy(&out[6], &narrow, sizeof(narrow));
  memcpy(reinterpret_cast<char*>(&out[6]) + 4, &negative, sizeof(negative));
  out[7] = static_cast<Wide>(big * 0.9);
  out[8] = static_cast<Wide>(static_cast<__int128>(small * 0.4));
  out[9] = static_cast<Wide>(static_cast<__int128>(negative * 0.4f));
}
__global__ void wide(const Wide* in, Wide* out) {
  compute(in[2 * threadIdx.x], in[2 * threadIdx.x + 1], out + kWide * threadIdx.x);
}

void check_wide() {
  Wide *in = nullptr, *out = nullptr;
  CHECK(cudaMallocManaged(&in, 2 * kThreads * sizeof(Wide)));
  CHECK(cudaMallocManaged(&out, kWide * kThreads * sizeof(Wide)));
  unsigned long long state = 1;
  for (int i = 0; i < 2 * kThreads; ++i) {
    const auto next = [&] {
      return state = state * 6364136223846793005ull + 1442695040888963407ull;
    };
    in[i] = (static_cast<Wide>(next()) << 64 | next()) >> (i * 7 % 120);
    if (i % 11 == 0) in[i] = 0 - in[i];
  }
  wide<<<1, kThreads>>>(in, out);
  CHECK(cudaDeviceSynchronize());
  for (int i = 0; i < kThreads; ++i) {
    Wide expected[kWide];
    compute(in[2 * i], in[2 * i + 1], expected);
    for (int j = 0; j < kWide; ++j) EXPECT(out[kWide * i + j] == expected[j]);
  }
  CHECK(cudaFree(in));
  CHECK(cudaFree(out));
}

int main() {
  check_complex();
  check_fp8();
  check_wide();
  std::printf("all numbers are right\n");
  return 0;
}
