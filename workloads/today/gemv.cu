// SPDX-License-Identifier: MIT
// Products of a matrix of few bits with a vector of half precision, as for one token: y = W x, with
// weights of 8 bits and a scale per row, or of 4 bits with a scale and a zero per 128 of a row. A
// warp has two rows; the lanes add up their parts of a row at the end.
#include "half.h"

constexpr int kRows = 2;  // of a warp
constexpr int kWarp = 32;
constexpr int kGroup = 128;             // weights of 4 bits with a scale and a zero of their own
constexpr unsigned kOffset = 1u << 23;  // as a float, the next 2^23 numbers are integers

/// Byte `at` of the word and `kOffset`, as a float: the byte becomes its last bits. A conversion
/// would go through the special function units.
template <int at>
__device__ __forceinline__ float offset_byte(unsigned word) {
  return __uint_as_float(__byte_perm(word, 0x4b000000u, 0x7440u + at));
}

/// sum += (bytes of the word - zero) * x; `zero` has kOffset in it.
__device__ __forceinline__ void add_bytes(float& sum, unsigned word, float zero, float2 x01,
                                          float2 x23) {
  sum += (offset_byte<0>(word) - zero) * x01.x;
  sum += (offset_byte<1>(word) - zero) * x01.y;
  sum += (offset_byte<2>(word) - zero) * x23.x;
  sum += (offset_byte<3>(word) - zero) * x23.y;
}

__device__ __forceinline__ float sum_of_warp(float value) {
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xffffffffu, value, distance);
  }
  return value;
}

__device__ __forceinline__ int first_row() {
  return (blockIdx.x * (blockDim.x / kWarp) + threadIdx.x / kWarp) * kRows;
}

/// A lane has 16 weights of a row in each turn, so columns are a multiple of 512.
extern "C" __global__ void gemv_int8(const signed char* weights, const half_bits* scales,
                                     const half_bits* x, float* y, int columns) {
  const int lane = threadIdx.x % kWarp;
  const float zero = kOffset + 128;
  float sum[kRows] = {};
#pragma unroll 1
  for (int at = lane * 16; at < columns; at += kWarp * 16) {
    const uint4 low = *reinterpret_cast<const uint4*>(x + at);
    const uint4 high = *reinterpret_cast<const uint4*>(x + at + 8);
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const uint4 w = *reinterpret_cast<const uint4*>(
          weights + static_cast<size_t>(first_row() + row) * columns + at);
      constexpr unsigned kSigns = 0x80808080u;  // from -128..127 to 0..255
      add_bytes(sum[row], w.x ^ kSigns, zero, unpack(low.x), unpack(low.y));
      add_bytes(sum[row], w.y ^ kSigns, zero, unpack(low.z), unpack(low.w));
      add_bytes(sum[row], w.z ^ kSigns, zero, unpack(high.x), unpack(high.y));
      add_bytes(sum[row], w.w ^ kSigns, zero, unpack(high.z), unpack(high.w));
    }
  }
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    sum[row] = sum_of_warp(sum[row]);
    if (lane == 0) y[first_row() + row] = sum[row] * to_float(scales[first_row() + row]);
  }
}

/// sum += (weights of the word - zero) * x, the lowest four bits first.
__device__ __forceinline__ void add_eight(float& sum, unsigned word, float zero,
                                          const float2 (&x)[4]) {
  const unsigned even = word & 0x0f0f0f0fu, odd = word >> 4 & 0x0f0f0f0fu;
  add_bytes(sum, even, zero, make_float2(x[0].x, x[1].x), make_float2(x[2].x, x[3].x));
  add_bytes(sum, odd, zero, make_float2(x[0].y, x[1].y), make_float2(x[2].y, x[3].y));
}

/// A lane has 32 weights of a row in each turn, so columns are a multiple of 1024.
extern "C" __global__ void gemv_int4(const unsigned* weights, const half_bits* scales,
                                     const unsigned char* zeros, const half_bits* x, float* y,
                                     int columns) {
  const int lane = threadIdx.x % kWarp;
  float sum[kRows] = {};
#pragma unroll 1
  for (int at = lane * 32; at < columns; at += kWarp * 32) {
    float2 part[4][4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const uint4 packed = *reinterpret_cast<const uint4*>(x + at + 8 * i);
      part[i][0] = unpack(packed.x);
      part[i][1] = unpack(packed.y);
      part[i][2] = unpack(packed.z);
      part[i][3] = unpack(packed.w);
    }
#pragma unroll
    for (int row = 0; row < kRows; ++row) {
      const size_t first = static_cast<size_t>(first_row() + row) * columns + at;
      const uint4 w = *reinterpret_cast<const uint4*>(weights + first / 8);
      const float zero = __uint_as_float(0x4b000000u | zeros[first / kGroup]);
      float of_group = 0;
      add_eight(of_group, w.x, zero, part[0]);
      add_eight(of_group, w.y, zero, part[1]);
      add_eight(of_group, w.z, zero, part[2]);
      add_eight(of_group, w.w, zero, part[3]);
      sum[row] += of_group * to_float(scales[first / kGroup]);
    }
  }
#pragma unroll
  for (int row = 0; row < kRows; ++row) {
    sum[row] = sum_of_warp(sum[row]);
    if (lane == 0) y[first_row() + row] = sum[row];
  }
}
