// SPDX-License-Identifier: MIT
// Addresses and their state spaces ("CUDA C++ Programming Guide", address space predicate functions
// and address space conversion functions).
#pragma once

#if defined(__CUDA__) && defined(__clang__)

#define PAWS_SPACE(Name, name, space)                                                 \
  static __inline__ __device__                                                        \
      __attribute__((const)) unsigned int __is##Name(const void* pointer) {           \
    return __nvvm_isspacep_##space(pointer);                                          \
  }                                                                                   \
  static __inline__ __device__ size_t __cvta_generic_to_##name(const void* pointer) { \
    return __nv_cvta_generic_to_##name##_impl(pointer);                               \
  }                                                                                   \
  static __inline__ __device__ void* __cvta_##name##_to_generic(size_t address) {     \
    return __nv_cvta_##name##_to_generic_impl(address);                               \
  }
PAWS_SPACE(Global, global, global)
PAWS_SPACE(Shared, shared, shared)
PAWS_SPACE(Constant, constant, const)
PAWS_SPACE(Local, local, local)
#undef PAWS_SPACE

#endif
