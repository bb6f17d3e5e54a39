// SPDX-License-Identifier: MIT
// Jacobi iteration for the heat equation in a square, until it changes little: constant memory, a
// stream with asynchronous copies, pinned memory, events with simulated time.
#include <cmath>
#include <utility>
#include <vector>

#include "check.h"

constexpr int kSide = 24;

__constant__ float weights[2];  // of a cell's neighbours, of the cell

__global__ void relax(const float* now, float* next, float* change) {
  __shared__ float largest;
  const int x = threadIdx.x + 1;
  const int y = blockIdx.x + 1;
  const int i = y * kSide + x;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  const float sum = now[i - 1] + now[i + 1] + now[i - kSide] + now[i + kSide];
  const float value = fmaf(weights[0], sum, weights[1] * now[i]);
  next[i] = value;
  // Not negative, so bits are in the order of the numbers.
  atomicMax(reinterpret_cast<int*>(&largest), __float_as_int(fabsf(value - now[i])));
  __syncthreads();
  if (threadIdx.x == 0) atomicMax(reinterpret_cast<int*>(change), __float_as_int(largest));
}

int main() {
  constexpr int kCells = kSide * kSide;
  constexpr float kEnough = 1e-2f;
  std::vector<float> start(kCells, 0.0f);
  for (int i = 0; i < kSide; ++i) start[i] = 1.0f;

  const float values[2] = {0.2f, 0.2f};
  CHECK(cudaMemcpyToSymbol(weights, values, sizeof(values)));
  float back[2] = {};
  CHECK(cudaMemcpyFromSymbol(back, weights, sizeof(back)));
  EXPECT(back[0] == values[0] && back[1] == values[1]);

  cudaStream_t stream;
  cudaEvent_t begin, end;
  CHECK(cudaStreamCreate(&stream));
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  float *now, *next, *change, *pinned;
  CHECK(cudaMalloc(&now, kCells * sizeof(float)));
  CHECK(cudaMalloc(&next, kCells * sizeof(float)));
  CHECK(cudaMalloc(&change, sizeof(float)));
  CHECK(cudaMallocHost(&pinned, sizeof(float)));
  CHECK(cudaMemcpyAsync(now, start.data(), kCells * sizeof(float), cudaMemcpyHostToDevice, stream));
  CHECK(cudaMemcpyAsync(next, now, kCells * sizeof(float), cudaMemcpyDeviceToDevice, stream));
  CHECK(cudaEventRecord(begin, stream));
  int steps = 0;
  do {
    CHECK(cudaMemsetAsync(change, 0, sizeof(float), stream));
    relax<<<kSide - 2, kSide - 2, 0, stream>>>(now, next, change);
    CHECK(cudaMemcpyAsync(pinned, change, sizeof(float), cudaMemcpyDeviceToHost, stream));
    CHECK(cudaStreamSynchronize(stream));
    std::swap(now, next);
    ++steps;
  } while (*pinned > kEnough);
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  std::vector<float> result(kCells);
  CHECK(cudaMemcpy(result.data(), now, kCells * sizeof(float), cudaMemcpyDefault));

  std::vector<float> a = start, b = start;
  int expected_steps = 0;
  float largest = 0;
  do {
    largest = 0;
    for (int y = 1; y < kSide - 1; ++y) {
      for (int x = 1; x < kSide - 1; ++x) {
        const int i = y * kSide + x;
        const float sum = a[i - 1] + a[i + 1] + a[i - kSide] + a[i + kSide];
        b[i] = std::fma(values[0], sum, values[1] * a[i]);
        largest = std::fmax(largest, std::fabs(b[i] - a[i]));
      }
    }
    a.swap(b);
    ++expected_steps;
  } while (largest > kEnough);
  EXPECT(steps == expected_steps);
  for (int i = 0; i < kCells; ++i) EXPECT(result[i] == a[i]);
  // Simulated time: of kernels, copies and fills.
  std::printf("%d steps, %.3f us\n", steps, 1e3 * milliseconds);
  CHECK(cudaFreeHost(pinned));
  CHECK(cudaFree(now));
  CHECK(cudaFree(next));
  CHECK(cudaFree(change));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  CHECK(cudaStreamDestroy(stream));
  return 0;
}
