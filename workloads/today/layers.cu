// SPDX-License-Identifier: MIT
// What a language model computes between its products of matrices: norms and softmax of rows,
// rotary embedding, and activations, each fused with what stands beside it. Numbers are of half
// precision in memory, eight of them in an access of 16 bytes, and of single precision in between.
#include "half.h"

constexpr int kWarp = 32;
constexpr int kShare = 8;   // numbers of a thread
constexpr int kHead = 128;  // numbers of a head that rotary turns

struct Eight {
  float x[kShare];
};

__device__ __forceinline__ Eight load(const half_bits* from) {
  const uint4 packed = *reinterpret_cast<const uint4*>(from);
  const float2 a = unpack(packed.x), b = unpack(packed.y), c = unpack(packed.z),
               d = unpack(packed.w);
  return {{a.x, a.y, b.x, b.y, c.x, c.y, d.x, d.y}};
}

__device__ __forceinline__ void store(half_bits* to, const Eight& v) {
  *reinterpret_cast<uint4*>(to) = make_uint4(pack(v.x[0], v.x[1]), pack(v.x[2], v.x[3]),
                                             pack(v.x[4], v.x[5]), pack(v.x[6], v.x[7]));
}

struct Sum {
  __device__ static float of(float a, float b) { return a + b; }
};
struct Largest {
  __device__ static float of(float a, float b) { return fmaxf(a, b); }
};

/// Over the block's threads, of which there are whole warps, at most 32. Each warp does the last
/// step for itself.
template <typename Operation>
__device__ __forceinline__ float reduce(float value, float neutral) {
  __shared__ float of_warp[kWarp];
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value = Operation::of(value, __shfl_xor_sync(0xffffffffu, value, distance));
  }
  const int lane = threadIdx.x % kWarp;
  __syncthreads();  // the last reduction has been read
  if (lane == 0) of_warp[threadIdx.x / kWarp] = value;
  __syncthreads();
  value = lane < blockDim.x / kWarp ? of_warp[lane] : neutral;
  for (int distance = kWarp / 2; distance > 0; distance /= 2) {
    value = Operation::of(value, __shfl_xor_sync(0xffffffffu, value, distance));
  }
  return value;
}

/// Of the row that is the block's, with `width` numbers: eight for each thread.
__device__ __forceinline__ size_t own_part(int width) {
  return static_cast<size_t>(blockIdx.x) * width + threadIdx.x * kShare;
}

extern "C" __global__ void layer_norm(const half_bits* in, const half_bits* gain,
                                      const half_bits* bias, half_bits* out, int width,
                                      float epsilon) {
  Eight v = load(in + own_part(width));
  float sum = 0;
  for (int i = 0; i < kShare; ++i) sum += v.x[i];
  const float mean = reduce<Sum>(sum, 0) / width;
  float squares = 0;
  for (int i = 0; i < kShare; ++i) squares += (v.x[i] - mean) * (v.x[i] - mean);
  const float factor = rsqrtf(reduce<Sum>(squares, 0) / width + epsilon);
  const Eight g = load(gain + threadIdx.x * kShare), b = load(bias + threadIdx.x * kShare);
  for (int i = 0; i < kShare; ++i) v.x[i] = (v.x[i] - mean) * factor * g.x[i] + b.x[i];
  store(out + own_part(width), v);
}

/// residual += in, and its norm.
extern "C" __global__ void rms_norm(const half_bits* in, half_bits* residual, const half_bits* gain,
                                    half_bits* out, int width, float epsilon) {
  Eight v = load(in + own_part(width));
  const Eight old = load(residual + own_part(width));
  float squares = 0;
  for (int i = 0; i < kShare; ++i) {
    v.x[i] += old.x[i];
    squares += v.x[i] * v.x[i];
  }
  store(residual + own_part(width), v);
  const float factor = rsqrtf(reduce<Sum>(squares, 0) / width + epsilon);
  const Eight g = load(gain + threadIdx.x * kShare);
  for (int i = 0; i < kShare; ++i) v.x[i] *= factor * g.x[i];
  store(out + own_part(width), v);
}

extern "C" __global__ void softmax(const half_bits* in, half_bits* out, int width) {
  Eight v = load(in + own_part(width));
  float largest = v.x[0];
  for (int i = 1; i < kShare; ++i) largest = fmaxf(largest, v.x[i]);
  largest = reduce<Largest>(largest, -INFINITY);
  float sum = 0;
  for (int i = 0; i < kShare; ++i) sum += v.x[i] = __expf(v.x[i] - largest);
  const float factor = 1 / reduce<Sum>(sum, 0);
  for (int i = 0; i < kShare; ++i) v.x[i] *= factor;
  store(out + own_part(width), v);
}

/// Turns pairs of numbers, half a head apart, by the angle of the token's position. `table` has a
/// row of cosines and sines for each position. In place; a block has a token, a thread eight pairs.
extern "C" __global__ void rotary(half_bits* x, const int* positions, const float* table,
                                  int heads) {
  const int half = kHead / 2, shares = half / kShare;
  const int head = threadIdx.x / shares, pair = threadIdx.x % shares * kShare;
  half_bits* const first = x + (static_cast<size_t>(blockIdx.x) * heads + head) * kHead + pair;
  const float* const angle = table + static_cast<size_t>(positions[blockIdx.x]) * kHead + pair;
  Eight a = load(first), b = load(first + half);
  for (int j = 0; j < kShare; j += 4) {
    const float4 cosines = *reinterpret_cast<const float4*>(angle + j);
    const float4 sines = *reinterpret_cast<const float4*>(angle + half + j);
    const float c[4] = {cosines.x, cosines.y, cosines.z, cosines.w};
    const float s[4] = {sines.x, sines.y, sines.z, sines.w};
    for (int k = 0; k < 4; ++k) {
      const float left = a.x[j + k], right = b.x[j + k];
      a.x[j + k] = left * c[k] - right * s[k];
      b.x[j + k] = right * c[k] + left * s[k];
    }
  }
  store(first, a);
  store(first + half, b);
}

__device__ __forceinline__ float logistic(float x) { return __fdividef(1, 1 + __expf(-x)); }

/// GELU of in + bias, by its formula with tanh(x), which is 2 logistic(2 x) - 1. Here and below, y
/// of the grid is the row.
extern "C" __global__ void biased_gelu(const half_bits* in, const half_bits* bias, half_bits* out,
                                       int width) {
  const int column = (blockIdx.x * blockDim.x + threadIdx.x) * kShare;
  if (column >= width) return;
  const size_t i = static_cast<size_t>(blockIdx.y) * width + column;
  Eight v = load(in + i);
  const Eight b = load(bias + column);
  for (int j = 0; j < kShare; ++j) {
    const float x = v.x[j] + b.x[j];
    v.x[j] = x * logistic(1.5957691216f * (x + 0.044715f * x * x * x));
  }
  store(out + i, v);
}

/// Of a row of `width` gates and then `width` values: gate x logistic(gate) x value.
extern "C" __global__ void swiglu(const half_bits* in, half_bits* out, int width) {
  const int column = (blockIdx.x * blockDim.x + threadIdx.x) * kShare;
  if (column >= width) return;
  const half_bits* const gates = in + static_cast<size_t>(blockIdx.y) * 2 * width + column;
  Eight gate = load(gates);
  const Eight value = load(gates + width);
  for (int j = 0; j < kShare; ++j) gate.x[j] *= logistic(gate.x[j]) * value.x[j];
  store(out + static_cast<size_t>(blockIdx.y) * width + column, gate);
}
