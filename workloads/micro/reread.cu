// SPDX-License-Identifier: MIT
// Bandwidth of the caches: every warp reads its own 16 lines again and again. Nothing needs the
// words that are read (run with frontend.remove_dead_code=false), so that the loads alone take
// time.

#define LOAD(cache, line) \
  asm volatile("ld.global." cache ".u32 %0, [%1+%2];" : "=r"(word) : "l"(at), "n"((line) * 128))
#define LOAD4(cache, a, b, c, d) \
  LOAD(cache, a);                \
  LOAD(cache, b);                \
  LOAD(cache, c);                \
  LOAD(cache, d)
#define REREAD(name, cache)                                     \
  __global__ void name(const int* in, int turns, int* out) {    \
    const int thread = blockIdx.x * blockDim.x + threadIdx.x;   \
    const int* at = in + thread / 32 * (16 * 32) + thread % 32; \
    int word;                                                   \
    _Pragma("unroll 1") for (int i = 0; i < turns; ++i) {       \
      LOAD4(cache, 0, 1, 2, 3);                                 \
      LOAD4(cache, 4, 5, 6, 7);                                 \
      LOAD4(cache, 8, 9, 10, 11);                               \
      LOAD4(cache, 12, 13, 14, 15);                             \
    }                                                           \
    out[thread] = *at;                                          \
  }

REREAD(reread_l1, "ca")
REREAD(reread_l2, "cg")

#define LOAD_WORD(ahead) \
  asm volatile("ld.global.ca.u32 %0, [%1+%2];" : "=r"(word) : "l"(at), "n"((ahead) * 4))

/// The same with lanes `stride` words apart, over two warps: 64 words, and those that lie 4, 8, to
/// 28 words ahead of them.
__global__ void reread_strided(const int* in, int stride, int turns, int* out) {
  const int thread = blockIdx.x * blockDim.x + threadIdx.x;
  const int* at = in + thread % 64 * stride;
  int word;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    LOAD_WORD(0);
    LOAD_WORD(4);
    LOAD_WORD(8);
    LOAD_WORD(12);
    LOAD_WORD(16);
    LOAD_WORD(20);
    LOAD_WORD(24);
    LOAD_WORD(28);
  }
  out[thread] = *at;
}
