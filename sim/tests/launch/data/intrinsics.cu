// SPDX-License-Identifier: MIT
// One warp-sized kernel per group of what workloads/cuda/paws_cuda.h declares. Each thread writes
// what it sees; intrinsics.toml has the values of the CUDA C++ Programming Guide.
#include <cuda_runtime.h>

struct Pair {
  char small;
  double large;
};

__constant__ int table[32];
__device__ unsigned int counter;

__global__ void coordinates(int* out) {
  if (threadIdx.x == 1 && threadIdx.y == 1 && threadIdx.z == 1) {
    int* at = out + 12 * (blockIdx.x + gridDim.x * blockIdx.y);
    at[0] = threadIdx.x;
    at[1] = threadIdx.y;
    at[2] = threadIdx.z;
    at[3] = blockIdx.x;
    at[4] = blockIdx.y;
    at[5] = blockIdx.z;
    at[6] = blockDim.x;
    at[7] = blockDim.y;
    at[8] = blockDim.z;
    at[9] = gridDim.x;
    at[10] = gridDim.y;
    at[11] = gridDim.z;
  }
}

__global__ void warps(int* out) {
  const unsigned int all = 0xffffffffu;
  const int lane = threadIdx.x;
  out[lane] = __shfl_sync(all, lane, 5);
  out[32 + lane] = __shfl_up_sync(all, lane, 3);
  out[64 + lane] = __shfl_down_sync(all, lane, 3);
  out[96 + lane] = __shfl_xor_sync(all, lane, 4);
  out[128 + lane] = __shfl_sync(all, lane, 2, 8);
  out[160 + lane] = __shfl_up_sync(all, lane, 1, 8);
  out[192 + lane] = __shfl_down_sync(all, lane, 1, 8);
  out[224 + lane] = (int)__shfl_xor_sync(all, lane + 0.5, 1);
  out[256 + lane] = (int)__ballot_sync(all, lane < 4);
  out[288 + lane] = __any_sync(all, lane == 9) + 2 * __all_sync(all, lane == 9);
  out[320 + lane] = __syncthreads_count(lane & 1) + 100 * __syncthreads_or(lane == 40);
  __syncwarp();
}

__global__ void atomics(int* out, unsigned int* words, float* reals, unsigned long long* wide) {
  const int lane = threadIdx.x;
  atomicAdd(&out[0], lane);
  atomicSub(&out[1], lane);
  atomicMin(&out[2], -lane);
  atomicMax(&out[3], lane);
  atomicOr(&out[4], 1 << lane);
  atomicAnd(&out[5], lane);
  atomicXor(&out[6], 3 * lane);
  atomicCAS(&out[7], 0, 77);
  atomicExch(&out[8], 9);
  atomicInc(&words[0], 9);
  atomicDec(&words[1], 40);
  atomicMax(&words[2], 0x80000000u + lane);
  atomicMin(&words[3], 0x80000000u + lane);
  atomicAdd(&words[4], 2u);
  atomicAdd(&reals[0], 0.5f);
  atomicExch(&reals[1], 2.5f);
  atomicAdd(&wide[0], 1ull << 32);
  atomicAdd(&counter, (unsigned int)table[lane]);
}

__global__ void integers(const int* in, int* out) {
  const int v = in[threadIdx.x];
  int* at = out + 12 * threadIdx.x;
  at[0] = __popc(v);
  at[1] = __clz(v);
  at[2] = __ffs(v);
  at[3] = (int)__brev(v);
  at[4] = (int)__byte_perm(v, 0x44556677, 0x5140);
  at[5] = __mulhi(v, 1000000);
  at[6] = (int)__umulhi(v, 1000000);
  at[7] = __mul24(v, 3);
  at[8] = min(v, 7);
  at[9] = max(v, -7);
  at[10] = abs(v);
  at[11] = __float_as_int((float)v);
}

__global__ void reals(const float* in, float* out) {
  const float v = in[threadIdx.x];
  float* at = out + 24 * threadIdx.x;
  at[0] = sqrtf(v);
  at[1] = rsqrtf(v);
  at[2] = floorf(v);
  at[3] = ceilf(v);
  at[4] = truncf(-v);
  at[5] = fminf(v, 1.0f);
  at[6] = fmaxf(v, 1.0f);
  at[7] = fmaf(v, v, 1.0f);
  at[8] = __expf(v);
  at[9] = __logf(v);
  at[10] = __sinf(v);
  at[11] = __cosf(v);
  at[12] = __powf(v, 1.5f);
  at[13] = __fdividef(v, 3.0f);
  at[14] = (float)__float2int_rn(v);
  at[15] = fabsf(-v);
  at[16] = expf(v);
  at[17] = logf(v);
  at[18] = sinf(v);
  at[19] = cosf(v);
  at[20] = powf(v, 1.5f);
  at[21] = tanhf(v);
  at[22] = (float)exp((double)v);
  at[23] = (float)sqrt((double)v);
}

__global__ void by_value(Pair pair, double* out) { out[0] = pair.small + pair.large; }
