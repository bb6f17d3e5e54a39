// SPDX-License-Identifier: MIT
// What clang's header of intrinsics expects to find under this name: matches over a warp.
#pragma once

template <typename Value>
static __inline__ __device__ unsigned int __match_any_sync(unsigned int mask, Value value) {
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8, "32 or 64 bits");
  if constexpr (sizeof(Value) == 4) {
    return __match32_any_sync(mask, __builtin_bit_cast(unsigned int, value));
  } else {
    return static_cast<unsigned int>(
        __match64_any_sync(mask, __builtin_bit_cast(unsigned long long, value)));
  }
}

template <typename Value>
static __inline__ __device__ unsigned int __match_all_sync(unsigned int mask, Value value,
                                                           int* all) {
  static_assert(sizeof(Value) == 4 || sizeof(Value) == 8, "32 or 64 bits");
  if constexpr (sizeof(Value) == 4) {
    return __match32_all_sync(mask, __builtin_bit_cast(unsigned int, value), all);
  } else {
    return static_cast<unsigned int>(
        __match64_all_sync(mask, __builtin_bit_cast(unsigned long long, value), all));
  }
}

static __inline__ __device__ void __nanosleep(unsigned int nanoseconds) {
  __asm__ volatile("nanosleep.u32 %0;" ::"r"(nanoseconds));
}
