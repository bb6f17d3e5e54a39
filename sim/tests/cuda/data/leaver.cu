// SPDX-License-Identifier: MIT
// Ends in the middle: exit() in a function that a stream calls.
#include "check.h"

__global__ void set(int* out) { out[threadIdx.x] = threadIdx.x; }

static void leave(void*) { std::exit(7); }

int main() {
  int* data = nullptr;
  CHECK(cudaMalloc(&data, 32 * sizeof(int)));
  set<<<1, 32>>>(data);
  CHECK(cudaLaunchHostFunc(0, leave, nullptr));
  return 1;
}
