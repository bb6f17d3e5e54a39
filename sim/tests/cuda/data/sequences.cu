// SPDX-License-Identifier: MIT
// Prints numbers of every kind from cuRAND's device API, for several seeds and places: what another
// header of it prints has to be the same.
#include <curand_kernel.h>

#include <cstring>

#include "check.h"

constexpr int kPrinted = 64;

template <class Value>
__device__ void put(double*& out, Value value) {
  *out++ = value;
}
__device__ void put2(double*& out, double2 value) {
  put(out, value.x);
  put(out, value.y);
}

template <class State>
__device__ void draw_all(State* state, double*& out) {
  for (int i = 0; i < 3; ++i) put(out, curand(state));
  put(out, curand_uniform(state));
  put(out, curand_uniform_double(state));
  for (int i = 0; i < 3; ++i) put(out, curand_normal(state));
  for (int i = 0; i < 3; ++i) put(out, curand_normal_double(state));
  for (int i = 0; i < 3; ++i) put(out, curand_log_normal(state, 0.5f, 1.5f));
  for (int i = 0; i < 3; ++i) put(out, curand_log_normal_double(state, 0.5, 1.5));
  put(out, curand_normal(state));
  put(out, curand_log_normal(state, 0.1f, 1.0f));
  const float2 pair = curand_normal2(state);
  put2(out, make_double2(pair.x, pair.y));
  put2(out, curand_normal2_double(state));
  put2(out, curand_log_normal2_double(state, 1, 2));
  for (int i = 0; i < 3; ++i) put(out, curand_poisson(state, 0.7 + 20 * i));
  put(out, curand_poisson(state, 5000));
  skipahead(12345678901ull, state);
  put(out, curand(state));
  skipahead_sequence(21, state);
  put(out, curand(state));
}

__device__ void put4(double*& out, float4 value) {
  put2(out, make_double2(value.x, value.y));
  put2(out, make_double2(value.z, value.w));
}

/// Of the generator that makes four at once.
__device__ void draw_fours(curandStatePhilox4_32_10_t* state, double*& out) {
  const uint4 four = curand4(state);
  put2(out, make_double2(four.x, four.y));
  put2(out, make_double2(four.z, four.w));
  put4(out, curand_uniform4(state));
  put2(out, curand_uniform2_double(state));
  put4(out, curand_normal4(state));
  put4(out, curand_log_normal4(state, 1, 2));
  const uint4 counts = curand_poisson4(state, 3);
  put2(out, make_double2(counts.x, counts.w));
}

template <class State>
__global__ void draw(double* out, const unsigned long long* start) {
  State state;
  curand_init(start[0], start[1], start[2], &state);
  draw_all(&state, out);
}
__global__ void draw_fours(double* out, const unsigned long long* start) {
  curandStatePhilox4_32_10_t state;
  curand_init(start[0], start[1], start[2], &state);
  draw_fours(&state, out);
}

int main() {
  constexpr unsigned long long kStarts[][3] = {
      {0, 0, 0}, {1, 0, 1}, {1234, 5, 3}, {~0ull, 1ull << 40, 1ull << 50}, {77, 123456789, 6}};
  double* out = nullptr;
  unsigned long long* start = nullptr;
  CHECK(cudaMallocManaged(&out, kPrinted * sizeof(double)));
  CHECK(cudaMallocManaged(&start, sizeof(kStarts[0])));
  using Kernel = void (*)(double*, const unsigned long long*);
  for (const Kernel kernel :
       {Kernel(draw<curandStateXORWOW_t>), Kernel(draw<curandStateMRG32k3a_t>),
        Kernel(draw<curandStatePhilox4_32_10_t>), Kernel(draw_fours)}) {
    for (const auto& each : kStarts) {
      std::memcpy(start, each, sizeof(each));
      std::memset(out, 0, kPrinted * sizeof(double));
      kernel<<<1, 1>>>(out, start);
      CHECK(cudaDeviceSynchronize());
      for (int i = 0; i < kPrinted; ++i)
        std::printf("%.17g%c", out[i], i + 1 < kPrinted ? ' ' : '\n');
    }
  }
  return 0;
}
