// SPDX-License-Identifier: MIT
// Code size: a loop over straight code whose length the launch chooses, for the instruction cache.
// Every chunk is 13 times 8 independent additions, so that a warp is limited by its fetches, and a
// way out of the turn: 107 instructions, 856 bytes. Inline PTX keeps the compiler from shortening
// the code or from taking the test of a chunk out of the loop.

#define ADD8                                                                   \
  asm volatile(                                                                \
      "add.u32 %0, %0, %8;\n\tadd.u32 %1, %1, %8;\n\tadd.u32 %2, %2, %8;\n\t"  \
      "add.u32 %3, %3, %8;\n\tadd.u32 %4, %4, %8;\n\tadd.u32 %5, %5, %8;\n\t"  \
      "add.u32 %6, %6, %8;\n\tadd.u32 %7, %7, %8;"                             \
      : "+r"(a), "+r"(b), "+r"(c), "+r"(d), "+r"(e), "+r"(f), "+r"(g), "+r"(h) \
      : "r"(one));
#define CHUNK                                                                    \
  ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 ADD8 asm volatile( \
      "sub.s32 %0, %0, 1;" : "+r"(left));                                        \
  if (left == 0) continue;
#define CHUNKS4 CHUNK CHUNK CHUNK CHUNK
#define CHUNKS16 CHUNKS4 CHUNKS4 CHUNKS4 CHUNKS4

/// `turns` times the first `chunks` chunks, of which there are 64.
__global__ void straight_code(int turns, int chunks, unsigned int* out) {
  unsigned int a = threadIdx.x, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
  unsigned int one = 1;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    int left = chunks;
    CHUNKS16 CHUNKS16 CHUNKS16 CHUNKS16
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = a + b + c + d + e + f + g + h;
}
