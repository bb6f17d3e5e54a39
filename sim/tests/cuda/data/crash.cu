// SPDX-License-Identifier: MIT
// Dies of a segmentation fault, after a launch and with memory allocated.
#include "check.h"

__global__ void set(int* out) { out[threadIdx.x] = threadIdx.x; }

int main() {
  int* data = nullptr;
  CHECK(cudaMalloc(&data, 32 * sizeof(int)));
  set<<<1, 32>>>(data);
  // Device memory is not for the host.
  return *static_cast<volatile int*>(data);
}
