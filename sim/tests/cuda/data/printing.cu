// SPDX-License-Identifier: MIT
// Host and kernel print by turns.
#include "check.h"

__global__ void say(int launch) { printf("launch %d, thread %d\n", launch, threadIdx.x); }

int main() {
  for (int launch = 1; launch <= 2; ++launch) {
    std::printf("before launch %d\n", launch);
    say<<<1, 2>>>(launch);
    CHECK(cudaDeviceSynchronize());
  }
  return 0;
}
