// SPDX-License-Identifier: MIT
// What a block costs: blocks that do nothing, and blocks whose threads access memory once.

/// Leaves `out` as it is.
__global__ void empty_blocks(int* out) {}

/// Reads an array; the compiler does not know that no word of it is negative.
__global__ void read_once(const long long* in, long count, long long* out) {
  const long thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  const long long word = in[thread];
  if (word < 0) out[thread] = word;
}

__global__ void write_once(long long* out, long count) {
  const long thread = blockIdx.x * blockDim.x + threadIdx.x;
  if (thread >= count) return;
  out[thread] = 1;
}
