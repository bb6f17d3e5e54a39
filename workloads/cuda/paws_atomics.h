// SPDX-License-Identifier: MIT
// Atomic functions of CUDA C++ for clang's device code. Each returns the old value.
//
// paws_cuda.h takes them for kernels alone, the CUDA runtime's headers for whole programs.
#pragma once

#ifndef PAWS_DEVICE
#define PAWS_DEVICE static __inline__ __attribute__((always_inline, device))
#endif
using paws_ull = unsigned long long;

PAWS_DEVICE int atomicAdd(int* p, int v) { return __nvvm_atom_add_gen_i(p, v); }
PAWS_DEVICE unsigned int atomicAdd(unsigned int* p, unsigned int v) {
  return __nvvm_atom_add_gen_i((int*)p, (int)v);
}
PAWS_DEVICE paws_ull atomicAdd(paws_ull* p, paws_ull v) {
  return __nvvm_atom_add_gen_ll((long long*)p, (long long)v);
}
PAWS_DEVICE float atomicAdd(float* p, float v) { return __nvvm_atom_add_gen_f(p, v); }
PAWS_DEVICE double atomicAdd(double* p, double v) { return __nvvm_atom_add_gen_d(p, v); }
PAWS_DEVICE int atomicSub(int* p, int v) { return __nvvm_atom_add_gen_i(p, -v); }
PAWS_DEVICE unsigned int atomicSub(unsigned int* p, unsigned int v) {
  return __nvvm_atom_add_gen_i((int*)p, -(int)v);
}
PAWS_DEVICE int atomicExch(int* p, int v) { return __nvvm_atom_xchg_gen_i(p, v); }
PAWS_DEVICE unsigned int atomicExch(unsigned int* p, unsigned int v) {
  return __nvvm_atom_xchg_gen_i((int*)p, (int)v);
}
PAWS_DEVICE float atomicExch(float* p, float v) {
  return __builtin_bit_cast(float, __nvvm_atom_xchg_gen_i((int*)p, __builtin_bit_cast(int, v)));
}
PAWS_DEVICE paws_ull atomicExch(paws_ull* p, paws_ull v) {
  return __nvvm_atom_xchg_gen_ll((long long*)p, (long long)v);
}
PAWS_DEVICE int atomicMin(int* p, int v) { return __nvvm_atom_min_gen_i(p, v); }
PAWS_DEVICE unsigned int atomicMin(unsigned int* p, unsigned int v) {
  return __nvvm_atom_min_gen_ui(p, v);
}
PAWS_DEVICE paws_ull atomicMin(paws_ull* p, paws_ull v) { return __nvvm_atom_min_gen_ull(p, v); }
PAWS_DEVICE int atomicMax(int* p, int v) { return __nvvm_atom_max_gen_i(p, v); }
PAWS_DEVICE unsigned int atomicMax(unsigned int* p, unsigned int v) {
  return __nvvm_atom_max_gen_ui(p, v);
}
PAWS_DEVICE paws_ull atomicMax(paws_ull* p, paws_ull v) { return __nvvm_atom_max_gen_ull(p, v); }
PAWS_DEVICE unsigned int atomicInc(unsigned int* p, unsigned int v) {
  return __nvvm_atom_inc_gen_ui(p, v);
}
PAWS_DEVICE unsigned int atomicDec(unsigned int* p, unsigned int v) {
  return __nvvm_atom_dec_gen_ui(p, v);
}
PAWS_DEVICE int atomicAnd(int* p, int v) { return __nvvm_atom_and_gen_i(p, v); }
PAWS_DEVICE unsigned int atomicAnd(unsigned int* p, unsigned int v) {
  return __nvvm_atom_and_gen_i((int*)p, (int)v);
}
PAWS_DEVICE int atomicOr(int* p, int v) { return __nvvm_atom_or_gen_i(p, v); }
PAWS_DEVICE unsigned int atomicOr(unsigned int* p, unsigned int v) {
  return __nvvm_atom_or_gen_i((int*)p, (int)v);
}
PAWS_DEVICE int atomicXor(int* p, int v) { return __nvvm_atom_xor_gen_i(p, v); }
PAWS_DEVICE unsigned int atomicXor(unsigned int* p, unsigned int v) {
  return __nvvm_atom_xor_gen_i((int*)p, (int)v);
}
PAWS_DEVICE int atomicCAS(int* p, int expected, int v) {
  return __nvvm_atom_cas_gen_i(p, expected, v);
}
PAWS_DEVICE unsigned int atomicCAS(unsigned int* p, unsigned int expected, unsigned int v) {
  return __nvvm_atom_cas_gen_i((int*)p, (int)expected, (int)v);
}
PAWS_DEVICE paws_ull atomicCAS(paws_ull* p, paws_ull expected, paws_ull v) {
  return __nvvm_atom_cas_gen_ll((long long*)p, (long long)expected, (long long)v);
}

PAWS_DEVICE unsigned short atomicCAS(unsigned short* p, unsigned short expected, unsigned short v) {
  unsigned short old;
  __asm__ volatile("atom.cas.b16 %0, [%1], %2, %3;"
                   : "=h"(old)
                   : "l"(p), "h"(expected), "h"(v)
                   : "memory");
  return old;
}

PAWS_DEVICE long long atomicMin(long long* p, long long v) { return __nvvm_atom_min_gen_ll(p, v); }
PAWS_DEVICE long long atomicMax(long long* p, long long v) { return __nvvm_atom_max_gen_ll(p, v); }
PAWS_DEVICE paws_ull atomicAnd(paws_ull* p, paws_ull v) {
  return __nvvm_atom_and_gen_ll((long long*)p, (long long)v);
}
PAWS_DEVICE long long atomicAnd(long long* p, long long v) { return __nvvm_atom_and_gen_ll(p, v); }
PAWS_DEVICE long long atomicOr(long long* p, long long v) { return __nvvm_atom_or_gen_ll(p, v); }
PAWS_DEVICE long long atomicXor(long long* p, long long v) { return __nvvm_atom_xor_gen_ll(p, v); }
PAWS_DEVICE paws_ull atomicOr(paws_ull* p, paws_ull v) {
  return __nvvm_atom_or_gen_ll((long long*)p, (long long)v);
}
PAWS_DEVICE paws_ull atomicXor(paws_ull* p, paws_ull v) {
  return __nvvm_atom_xor_gen_ll((long long*)p, (long long)v);
}

// One device alone has all scopes in one: an atomic of the block or of the system is one of the
// GPU.
#define PAWS_SCOPES(name)                  \
  template <typename T, typename V>        \
  PAWS_DEVICE T name##_block(T* p, V v) {  \
    return name(p, static_cast<T>(v));     \
  }                                        \
  template <typename T, typename V>        \
  PAWS_DEVICE T name##_system(T* p, V v) { \
    return name(p, static_cast<T>(v));     \
  }
PAWS_SCOPES(atomicAdd)
PAWS_SCOPES(atomicSub)
PAWS_SCOPES(atomicExch)
PAWS_SCOPES(atomicMin)
PAWS_SCOPES(atomicMax)
PAWS_SCOPES(atomicAnd)
PAWS_SCOPES(atomicOr)
PAWS_SCOPES(atomicXor)
#undef PAWS_SCOPES
template <typename T, typename V>
PAWS_DEVICE T atomicCAS_block(T* p, V expected, V v) {
  return atomicCAS(p, static_cast<T>(expected), static_cast<T>(v));
}
template <typename T, typename V>
PAWS_DEVICE T atomicCAS_system(T* p, V expected, V v) {
  return atomicCAS(p, static_cast<T>(expected), static_cast<T>(v));
}
PAWS_DEVICE unsigned int atomicInc_block(unsigned int* p, unsigned int v) {
  return atomicInc(p, v);
}
PAWS_DEVICE unsigned int atomicDec_block(unsigned int* p, unsigned int v) {
  return atomicDec(p, v);
}
PAWS_DEVICE unsigned int atomicInc_system(unsigned int* p, unsigned int v) {
  return atomicInc(p, v);
}
PAWS_DEVICE unsigned int atomicDec_system(unsigned int* p, unsigned int v) {
  return atomicDec(p, v);
}
