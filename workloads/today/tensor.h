// SPDX-License-Identifier: MIT
// Tensor cores and asynchronous copies (compute capability 8.0), as inline assembly. A statement
// that reads or writes shared memory says so to the compiler, so none is moved across a barrier.
#pragma once

#include "half.h"

/// Shared memory has addresses of 32 bits: from one of these on, an address costs one instruction.
__device__ inline unsigned shared_address(const void* at) {
  unsigned address;
  asm("{.reg .u64 whole;\n cvta.to.shared.u64 whole, %1;\n cvt.u32.u64 %0, whole;}"
      : "=r"(address)
      : "l"(at));
  return address;
}

/// 16 bytes from global to shared memory, past the L1.
__device__ inline void copy_async(unsigned to, const void* from) {
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
}

__device__ inline void commit_copies() { asm volatile("cp.async.commit_group;" ::: "memory"); }

/// Until at most `groups` of the youngest groups of copies are under way.
template <int groups>
__device__ inline void wait_for_copies() {
  asm volatile("cp.async.wait_group %0;" ::"n"(groups) : "memory");
}

/// Four matrices of 8 x 8 halves, of which lane i gives the address of row i % 8 of matrix i / 8.
__device__ inline void load_matrices(unsigned (&to)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}

/// The same, each matrix transposed.
__device__ inline void load_transposed(unsigned (&to)[4], unsigned row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
               : "r"(row)
               : "memory");
}

/// sum += a * b, 16 x 8 results over 16 products each.
__device__ inline void multiply(float (&sum)[4], const unsigned (&a)[4], unsigned b0, unsigned b1) {
  asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
      "{%8, %9}, {%0, %1, %2, %3};"
      : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
