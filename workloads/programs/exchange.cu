// SPDX-License-Identifier: MIT
// Neighbours exchange values through shared memory in an unrolled loop: every turn must read what
// the neighbour has written in this turn.
#include <vector>

#include "check.h"

constexpr int kThreads = 64;

__global__ void exchange(int* values, int turns) {
  __shared__ int shared[kThreads + 1];
  int mine = values[threadIdx.x];
  if (threadIdx.x == 0) shared[kThreads] = 1;
#pragma unroll 4
  for (int turn = 0; turn < 16; ++turn) {
    shared[threadIdx.x] = mine;
    __syncthreads();
    const int next = shared[threadIdx.x + 1];
    __syncthreads();
    if (turn < turns) mine += next;
  }
  values[threadIdx.x] = mine;
}

int main() {
  std::vector<int> values(kThreads);
  for (int i = 0; i < kThreads; ++i) values[i] = i % 5;
  int* device = nullptr;
  CHECK(cudaMalloc(&device, kThreads * sizeof(int)));
  CHECK(cudaMemcpy(device, values.data(), kThreads * sizeof(int), cudaMemcpyHostToDevice));
  exchange<<<1, kThreads>>>(device, 11);
  std::vector<int> result(kThreads);
  CHECK(cudaMemcpy(result.data(), device, kThreads * sizeof(int), cudaMemcpyDeviceToHost));
  for (int turn = 0; turn < 11; ++turn) {
    for (int i = 0; i < kThreads; ++i) values[i] += i + 1 < kThreads ? values[i + 1] : 1;
  }
  for (int i = 0; i < kThreads; ++i) EXPECT(result[i] == values[i]);
  CHECK(cudaFree(device));
  std::printf("all values are right\n");
  return 0;
}
