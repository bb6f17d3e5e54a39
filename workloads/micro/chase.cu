// SPDX-License-Identifier: MIT
// A pointer chase by one thread: every load needs the address that the load before it returns, so
// time per load is latency.

/// Makes a ring of `elements` pointers, `stride` pointers apart.
__global__ void link(unsigned long long* ring, int elements, int stride) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < elements; i += gridDim.x * blockDim.x) {
    const int next = i + 1 < elements ? i + 1 : 0;
    ring[(long)i * stride] = (unsigned long long)(ring + (long)next * stride);
  }
}

/// Follows the ring for 16 `turns` loads and stores the number of the element where it ends.
__global__ void chase(unsigned long long* ring, int turns, int stride, int* end) {
  unsigned long long* at = ring;
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (int k = 0; k < 16; ++k) at = (unsigned long long*)*at;
  }
  *end = (int)((at - ring) / stride);
}
