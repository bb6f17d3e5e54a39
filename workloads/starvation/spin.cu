// SPDX-License-Identifier: MIT
// Warps that spin until another warp of their block has got on. All warps of a block but one wait
// for a flag, or one after another for a lock; the one has `turns` turns of work to do first. A
// scheduler that never lets it issue hangs the kernel.
//
// One lane of a warp takes the lock for all, as lanes that compete for one hang any machine that
// runs the lanes of a warp together.

#define CHAIN4(body) body body body body

/// A turn: 64 additions, each of which needs the one before; one straight piece of a phase.
__device__ unsigned int work(unsigned int x, int turns) {
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    CHAIN4(CHAIN4(CHAIN4(asm volatile("add.u32 %0, %0, 1;" : "+r"(x));)))
  }
  return x;
}

/// The warps wait for a flag in shared memory, a spin without a long operation.
__global__ void flag_shared(int setter, int turns, unsigned int* out) {
  __shared__ volatile unsigned int flag;
  const int warp = threadIdx.x / 32;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (warp == setter) {
    flag = work(1, turns);
  } else {
    while (flag == 0) {
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = flag;
}

/// The same with a flag in global memory, every look at which is a long operation.
__global__ void flag_global(int setter, int turns, volatile unsigned int* flag, unsigned int* out) {
  const int warp = threadIdx.x / 32;
  flag += blockIdx.x;
  if (warp == setter) {
    const unsigned int value = work(1, turns);
    __threadfence();
    *flag = value;
  } else {
    while (*flag == 0) {
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = *flag;
}

/// A count that a lock protects. `holder` takes the lock first, then all start to compete for it.
template <bool shared>
__device__ void count_under(int* lock, int holder, int turns, volatile unsigned int* count) {
  const int warp = threadIdx.x / 32;
  const bool leader = threadIdx.x % 32 == 0;
  if (leader && warp == holder) atomicExch(lock, 1);
  __syncthreads();
  if (leader) {
    if (warp != holder) {
      while (atomicCAS(lock, 0, 1) != 0) {
      }
    }
    const unsigned int value = *count;
    *count = work(value, turns) + 1 - 64 * turns;
    if (shared) {
      __threadfence_block();
    } else {
      __threadfence();
    }
    atomicExch(lock, 0);
  }
}

__global__ void lock_shared(int holder, int turns, unsigned int* out) {
  __shared__ int lock;
  __shared__ unsigned int count;
  if (threadIdx.x == 0) {
    lock = 0;
    count = 0;
  }
  __syncthreads();
  count_under<true>(&lock, holder, turns, &count);
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = count;
}

__global__ void lock_global(int holder, int turns, int* lock, unsigned int* count) {
  count_under<false>(lock + blockIdx.x, holder, turns, count + blockIdx.x);
}
