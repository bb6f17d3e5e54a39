// SPDX-License-Identifier: MIT
// Reads of whole lines in an order that looks random: nearly every one opens a row of DRAM.

/// Each warp sums `per_warp` (a multiple of 4) lines out of 1 << bits; each lane its own word.
__global__ void gather(const int* in, int per_warp, int bits, int* sums) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int at = thread / 32 * per_warp;
  int sum = 0;
#pragma unroll 1
  for (int i = 0; i < per_warp; i += 4) {
    int word[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      // Multiplication by an odd number and exclusive or with a shift are bijections of 32 bits.
      unsigned int hash = (at + k) * 2654435761u;
      hash ^= hash >> 15;
      hash *= 2246822519u;
      word[k] = in[(long)(hash >> (32 - bits)) * 32 + thread % 32];
    }
    sum += (word[0] + word[1]) + (word[2] + word[3]);
    at += 4;
  }
  sums[thread] = sum;
}
