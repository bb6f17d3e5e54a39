// SPDX-License-Identifier: MIT
// y = alpha x + w in 16 bits, the example of half precision (docs/guide/launch.md).

struct half {  // binary16, as __half of cuda_fp16.h
  unsigned short bits;
};
struct bfloat16 {  // as __nv_bfloat16 of cuda_bf16.h
  unsigned short bits;
};

__device__ float to_float(half value) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value.bits));
  return wide;
}
__device__ float to_float(bfloat16 value) { return __int_as_float(value.bits << 16); }
__device__ half to_half(float value) {
  half narrow;
  asm("cvt.rn.f16.f32 %0, %1;" : "=h"(narrow.bits) : "f"(value));
  return narrow;
}

__global__ void scale_add(int n, half alpha, const half* x, const bfloat16* w, half* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = to_half(to_float(alpha) * to_float(x[i]) + to_float(w[i]));
}
