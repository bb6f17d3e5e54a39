// SPDX-License-Identifier: MIT
// Half precision in 16 and 32 bits, without cuda_fp16.h: clang has no CUDA SDK here.
#pragma once

using half_bits = unsigned short;  // binary16, as __half

/// Two halves in a register, the first one in the low bits.
__device__ inline unsigned pack(float first, float second) {
  unsigned both;
  asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(both) : "f"(second), "f"(first));
  return both;
}

__device__ inline float2 unpack(unsigned both) {
  float2 wide;
  asm("{.reg .b16 a, b;\n mov.b32 {a, b}, %2;\n cvt.f32.f16 %0, a;\n cvt.f32.f16 %1, b;}"
      : "=f"(wide.x), "=f"(wide.y)
      : "r"(both));
  return wide;
}

__device__ inline float to_float(half_bits value) {
  float wide;
  asm("cvt.f32.f16 %0, %1;" : "=f"(wide) : "h"(value));
  return wide;
}

/// 16 bytes of global memory that the kernel does not write. clang would take the copy of a
/// structure apart into two of 8 bytes, and some reads of its members into four of 4.
__device__ inline uint4 load_16(const void* from) {
  uint4 bits;
  asm("{.reg .u64 at;\n cvta.to.global.u64 at, %4;\n ld.global.v4.u32 {%0, %1, %2, %3}, [at];}"
      : "=r"(bits.x), "=r"(bits.y), "=r"(bits.z), "=r"(bits.w)
      : "l"(from));
  return bits;
}
