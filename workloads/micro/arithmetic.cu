// SPDX-License-Identifier: MIT
// Arithmetic: every thread of a warp follows a chain of 128 equal instructions per turn, each of
// which needs the one before. One warp shows the latency, many warps the rate. Inline PTX keeps the
// compiler from shortening the chains; the values stay what they are (or count), so that they can
// be checked.

#define LINK4(body) body body body body
#define LINK32(body) LINK4(LINK4(body)) LINK4(LINK4(body))
#define LINK64(body) LINK32(body) LINK32(body)
#define LINK128(body) LINK64(body) LINK64(body)
#define CHAIN(name, type, constraint, instruction, other)                                        \
  __global__ void name(int turns, type start, type other, type* out) {                           \
    type x = start;                                                                              \
    _Pragma("unroll 1") for (int i = 0; i < turns; ++i) {                                        \
      LINK128(asm volatile(instruction " %0, %0, %1;" : "+" constraint(x) : constraint(other));) \
    }                                                                                            \
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;                                              \
  }
CHAIN(chain_add_u32, unsigned int, "r", "add.u32", step)
CHAIN(chain_mul_u32, unsigned int, "r", "mul.lo.u32", factor)
CHAIN(chain_add_u64, unsigned long long, "l", "add.u64", step)
CHAIN(chain_add_f32, float, "f", "add.rn.f32", step)
CHAIN(chain_add_f64, double, "d", "add.rn.f64", step)
CHAIN(chain_div_u32, unsigned int, "r", "div.u32", divisor)
CHAIN(chain_div_f32, float, "f", "div.rn.f32", divisor)

/// x << 0, which no compiler knows.
__global__ void chain_shl_u32(int turns, unsigned int start, unsigned int distance,
                              unsigned int* out) {
  unsigned int x = start;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    LINK128(asm volatile("shl.b32 %0, %0, %1;" : "+r"(x) : "r"(distance));)
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void chain_fma_f32(int turns, float start, float factor, float* out) {
  float x = start;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    LINK128(asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(factor));)
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void chain_rsqrt_f32(int turns, float start, float unused, float* out) {
  float x = start;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    LINK128(asm volatile("rsqrt.approx.f32 %0, %0;" : "+f"(x));)
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

__global__ void chain_sqrt_f32(int turns, float start, float unused, float* out) {
  float x = start;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    LINK128(asm volatile("sqrt.rn.f32 %0, %0;" : "+f"(x));)
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/// 128 conversions, there and back, in a turn.
__global__ void chain_cvt(int turns, unsigned int start, unsigned int unused, unsigned int* out) {
  unsigned int x = start;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    float y;
    LINK4(LINK4(LINK4(
        asm volatile("cvt.rn.f32.u32 %1, %0;\n\tcvt.rzi.u32.f32 %0, %1;" : "+r"(x), "=f"(y));)))
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/// Two chains of additions side by side, 64 links each a turn, so that one warp has more than one
/// instruction to issue.
__global__ void two_chains(int turns, unsigned int* out) {
  unsigned int index = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int a = index, b = a;
  unsigned int one = 1;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    LINK64(
        asm volatile("add.u32 %0, %0, %2;\n\tadd.u32 %1, %1, %2;" : "+r"(a), "+r"(b) : "r"(one));)
  }
  out[index] = a + b;
}

/// Four chains, 32 links each a turn.
__global__ void four_chains(int turns, unsigned int* out) {
  unsigned int index = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned int a = index, b = a, c = a, d = a;
  unsigned int one = 1;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    LINK32(asm volatile("add.u32 %0, %0, %4;\n\tadd.u32 %1, %1, %4;\n\t"
                        "add.u32 %2, %2, %4;\n\tadd.u32 %3, %3, %4;" : "+r"(a),
                        "+r"(b), "+r"(c), "+r"(d) : "r"(one));)
  }
  out[index] = a + b + c + d;
}

/// The chain of additions, but only warps whose number is a multiple of `every` walk it.
__global__ void some_warps(int turns, int every, unsigned int step, unsigned int* out) {
  unsigned int x = 0;
  if (threadIdx.x / 32 % every == 0) {
#pragma unroll 1
    for (int i = 0; i < turns; ++i) {
      LINK128(asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "r"(step));)
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/// Lanes below `split` add one, the others subtract minus one: a divergent branch unless split is 0
/// or 32.
__global__ void two_paths(int turns, int split, int one, int minus_one, int* out) {
  int x = 0;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    if (threadIdx.x % 32 < split) {
      LINK64(asm volatile("add.s32 %0, %0, %1;" : "+r"(x) : "r"(one));)
    } else {
      LINK64(asm volatile("sub.s32 %0, %0, %1;" : "+r"(x) : "r"(minus_one));)
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

/// 16 barriers a turn.
__global__ void barriers(int turns, int* out) {
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (int k = 0; k < 16; ++k) __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = turns;
}
