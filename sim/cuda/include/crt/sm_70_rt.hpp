// SPDX-License-Identifier: MIT
// What clang's header of intrinsics expects to find under this name: matches over a warp.
#pragma once

// clang 14 gives the masks of 64-bit matches a register of 64 bits, which PTX refuses.
static __inline__ __device__ unsigned int paws_match64_any(unsigned int mask,
                                                           unsigned long long value) {
  unsigned int lanes;
  __asm__ volatile("match.any.sync.b64 %0, %1, %2;"
                   : "=r"(lanes)
                   : "l"(value), "r"(mask)
                   : "memory");
  return lanes;
}
static __inline__ __device__ unsigned int paws_match64_all(unsigned int mask,
                                                           unsigned long long value, int* all) {
  unsigned int lanes;
  __asm__ volatile(
      "{ .reg .pred all;\n"
      "match.all.sync.b64 %0|all, %2, %3;\n"
      "selp.s32 %1, 1, 0, all; }"
      : "=r"(lanes), "=r"(*all)
      : "l"(value), "r"(mask)
      : "memory");
  return lanes;
}

template <typename Value>
static __inline__ __device__ unsigned int __match_any_sync(unsigned int mask, Value value) {
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8, "32 or 64 bits");
  if constexpr (sizeof(Value) == 4) {
    return __match32_any_sync(mask, __builtin_bit_cast(unsigned int, value));
  } else {
    return paws_match64_any(mask, __builtin_bit_cast(unsigned long long, value));
  }
}

template <typename Value>
static __inline__ __device__ unsigned int __match_all_sync(unsigned int mask, Value value,
                                                           int* all) {
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8, "32 or 64 bits");
  if constexpr (sizeof(Value) == 4) {
    return __match32_all_sync(mask, __builtin_bit_cast(unsigned int, value), all);
  } else {
    return paws_match64_all(mask, __builtin_bit_cast(unsigned long long, value), all);
  }
}

static __inline__ __device__ void __nanosleep(unsigned int nanoseconds) {
  __asm__ volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
