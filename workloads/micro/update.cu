// SPDX-License-Identifier: MIT
// Sums that are kept in global memory, as a compiler leaves them where pointers may overlap: a load
// and a store of one line in every turn. `turns` is a multiple of 8.

__global__ void update(int turns, int* sums) {
  int* at = sums + blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < turns; i += 8) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      int sum;
      asm volatile("ld.global.u32 %0, [%1];" : "=r"(sum) : "l"(at));
      asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(sum + 3));
    }
  }
}
