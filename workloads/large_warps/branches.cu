// SPDX-License-Identifier: MIT
// Controls for large warps: loops around a branch whose active threads are known. An arm is 16
// additions, which inline PTX keeps the compiler from shortening or turning into a selection. A row
// is 32 neighbouring threads, as many as a large warp issues in a cycle; lane i is number i of a
// row.

__device__ __forceinline__ unsigned int arm(unsigned int sum, unsigned int by) {
#pragma unroll
  for (int i = 0; i < 16; ++i) asm volatile("add.u32 %0, %0, %1;" : "+r"(sum) : "r"(by));
  return sum;
}

/// Each turn, threads with this bit of their number take one arm, the others the other. Bit 0: the
/// threads of an arm are in the same lanes of every row, so that no row can give another one a
/// thread. Bit 5: they are whole rows.
__global__ void two_sides(int bit, int turns, unsigned int* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int sum = 0;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
    if (thread >> bit & 1) {
      sum = arm(sum, 2);
    } else {
      sum = arm(sum, 1);
    }
  }
  out[thread] = sum;
}

__device__ __forceinline__ unsigned int hashed(unsigned int value) {
  value = (value ^ (value >> 16)) * 0x7feb352du;
  value = (value ^ (value >> 15)) * 0x846ca68bu;
  return value ^ (value >> 16);
}

/// Each turn, every thread takes the arm with a probability of so many in 1000, by a hash of its
/// number and the turn's.
__global__ void random_mask(int turns, int per_mille, unsigned int seed, unsigned int* out) {
  const int threads = gridDim.x * blockDim.x;
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int sum = 0;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) {
    const unsigned int hash = hashed(seed + turn * threads + thread);
    if (static_cast<int>(__umulhi(hash, 1000u)) < per_mille) sum = arm(sum, 1);
  }
  out[thread] = sum;
}

/// A row takes `shortest` turns, and `step` more than the row before it; every `rows` rows it
/// begins anew. The rows of a large warp that are done wait for the others.
__global__ void row_trips(int rows, int shortest, int step, unsigned int* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int turns = shortest + step * (thread / 32 % rows);
  unsigned int sum = 0;
#pragma unroll 1
  for (int turn = 0; turn < turns; ++turn) sum = arm(sum, 1);
  out[thread] = sum;
}
