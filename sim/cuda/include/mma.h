// SPDX-License-Identifier: MIT
// Products of matrices by the tensor cores of a warp ("CUDA C++ Programming Guide", warp matrix
// functions), as the wmma instructions of PTX have them. The guide leaves open which element of a
// matrix is in which lane and place of a fragment; so does this.
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)

namespace nvcuda {
namespace wmma {

enum layout_t { mem_row_major, mem_col_major };
struct row_major;
struct col_major;
struct matrix_a;
struct matrix_b;
struct accumulator;
namespace precision {
struct tf32;
}

/// Rounds to the precision of tf32.
static __inline__ __device__ float __float_to_tf32(float a) {
  unsigned int bits;
  __asm__("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(a));
  return __builtin_bit_cast(float, bits);
}

/// A lane's part of a matrix: its elements, which fill so many registers of the instructions.
template <typename Element, typename Register, unsigned int Registers>
struct paws_fragment {
  static constexpr unsigned int num_elements = Registers * sizeof(Register) / sizeof(Element);
  static constexpr unsigned int num_storage_elements = num_elements;
  typedef Element element_type;
  typedef Element storage_element_type;

  Element x[num_elements];

  __device__ void paws_get(Register (&registers)[Registers]) const {
    memcpy(registers, x, sizeof(x));
  }
  __device__ void paws_set(const Register (&registers)[Registers]) {
    memcpy(x, registers, sizeof(x));
  }
};

template <typename Use, int M, int N, int K, typename Element, typename Layout = void>
class fragment;

template <typename Element, typename Register, unsigned int Registers, typename Value>
static __inline__ __device__ void fill_fragment(paws_fragment<Element, Register, Registers>& f,
                                                const Value& value) {
  for (Element& x : f.x) x = value;
}

// The registers r0, r1, ... of an instruction: as its text names them, and as its operands.
#define PAWS_NAMES_1(r) "{%[" #r "0]}"
#define PAWS_NAMES_2(r) "{%[" #r "0],%[" #r "1]}"
#define PAWS_NAMES_4(r) "{%[" #r "0],%[" #r "1],%[" #r "2],%[" #r "3]}"
#define PAWS_NAMES_8(r) \
  "{%[" #r "0],%[" #r "1],%[" #r "2],%[" #r "3],%[" #r "4],%[" #r "5],%[" #r "6],%[" #r "7]}"
#define PAWS_OPERANDS_1(r, constraint) [r##0] constraint(r[0])
#define PAWS_OPERANDS_2(r, constraint) PAWS_OPERANDS_1(r, constraint), [r##1] constraint(r[1])
#define PAWS_OPERANDS_4(r, constraint) \
  PAWS_OPERANDS_2(r, constraint), [r##2] constraint(r[2]), [r##3] constraint(r[3])
#define PAWS_OPERANDS_8(r, constraint)                                              \
  PAWS_OPERANDS_4(r, constraint), [r##4] constraint(r[4]), [r##5] constraint(r[5]), \
      [r##6] constraint(r[6]), [r##7] constraint(r[7])

// --- fragments of the factors
// ---------------------------------------------------------------------
#define PAWS_LOAD(Use, letter, M, N, K, shape, Tag, Element, type, count, Register, constraint,    \
                  Layout, layout)                                                                  \
  static __inline__ __device__ void load_matrix_sync(fragment<Use, M, N, K, Tag, Layout>& f,       \
                                                     const Element* matrix, unsigned int stride) { \
    Register r[count];                                                                             \
    __asm__ volatile("wmma.load." letter ".sync.aligned." layout "." shape "." type                \
                     " " PAWS_NAMES_##count(r) ", [%[matrix]], %[stride];"                         \
                     : PAWS_OPERANDS_##count(r, "=" constraint)                                    \
                     : [matrix] "l"(matrix), [stride] "r"(stride)                                  \
                     : "memory");                                                                  \
    f.paws_set(r);                                                                                 \
  }
// Tag is what the program writes for the type of the elements.
#define PAWS_FACTOR(Use, letter, M, N, K, shape, Tag, Element, type, count, Register, constraint) \
  template <typename Layout>                                                                      \
  class fragment<Use, M, N, K, Tag, Layout> : public paws_fragment<Element, Register, count> {};  \
  PAWS_LOAD(Use, letter, M, N, K, shape, Tag, Element, type, count, Register, constraint,         \
            row_major, "row")                                                                     \
  PAWS_LOAD(Use, letter, M, N, K, shape, Tag, Element, type, count, Register, constraint,         \
            col_major, "col")
#define PAWS_FACTORS(M, N, K, shape, Tag, Element, type, a_count, b_count, Register, constraint) \
  PAWS_FACTOR(matrix_a, "a", M, N, K, shape, Tag, Element, type, a_count, Register, constraint)  \
  PAWS_FACTOR(matrix_b, "b", M, N, K, shape, Tag, Element, type, b_count, Register, constraint)

// --- fragments of sums
// ----------------------------------------------------------------------------
#define PAWS_LOAD_SUM(shape, type, count, constraint, layout)            \
  __asm__ volatile("wmma.load.c.sync.aligned." layout "." shape "." type \
                   " " PAWS_NAMES_##count(r) ", [%[matrix]], %[stride];" \
                   : PAWS_OPERANDS_##count(r, "=" constraint)            \
                   : [matrix] "l"(matrix), [stride] "r"(stride)          \
                   : "memory")
#define PAWS_STORE_SUM(shape, type, count, constraint, layout)                                    \
  __asm__ volatile("wmma.store.d.sync.aligned." layout "." shape "." type                         \
                   " [%[matrix]], " PAWS_NAMES_##count(r) ", %[stride];" ::PAWS_OPERANDS_##count( \
                       r, constraint),                                                            \
                   [matrix] "l"(matrix), [stride] "r"(stride)                                     \
                   : "memory")
#define PAWS_SUM(M, N, K, shape, Element, type, count, Register, constraint)                     \
  template <>                                                                                    \
  class fragment<accumulator, M, N, K, Element, void>                                            \
      : public paws_fragment<Element, Register, count> {};                                       \
  static __inline__ __device__ void load_matrix_sync(fragment<accumulator, M, N, K, Element>& f, \
                                                     const Element* matrix, unsigned int stride, \
                                                     layout_t layout) {                          \
    Register r[count];                                                                           \
    if (layout == mem_row_major) {                                                               \
      PAWS_LOAD_SUM(shape, type, count, constraint, "row");                                      \
    } else {                                                                                     \
      PAWS_LOAD_SUM(shape, type, count, constraint, "col");                                      \
    }                                                                                            \
    f.paws_set(r);                                                                               \
  }                                                                                              \
  static __inline__ __device__ void store_matrix_sync(                                           \
      Element* matrix, const fragment<accumulator, M, N, K, Element>& f, unsigned int stride,    \
      layout_t layout) {                                                                         \
    Register r[count];                                                                           \
    f.paws_get(r);                                                                               \
    if (layout == mem_row_major) {                                                               \
      PAWS_STORE_SUM(shape, type, count, constraint, "row");                                     \
    } else {                                                                                     \
      PAWS_STORE_SUM(shape, type, count, constraint, "col");                                     \
    }                                                                                            \
  }

// --- products
// -------------------------------------------------------------------------------------
#define PAWS_MULTIPLY(shape, types, a_count, b_count, constraint, count, sum_constraint, layouts, \
                      saturation)                                                                 \
  __asm__ volatile("wmma.mma.sync.aligned." layouts "." shape "." types saturation                \
                   " " PAWS_NAMES_##count(r) ", " PAWS_NAMES_##a_count(                           \
                       p) ", " PAWS_NAMES_##b_count(q) ", " PAWS_NAMES_##count(s) ";"             \
                   : PAWS_OPERANDS_##count(r, "=" sum_constraint)                                 \
                   : PAWS_OPERANDS_##a_count(p, constraint),                                      \
                     PAWS_OPERANDS_##b_count(q, constraint),                                      \
                     PAWS_OPERANDS_##count(s, sum_constraint))
// d = a * b + c
#define PAWS_PRODUCT_OF(M, N, K, shape, Tag, types, a_count, b_count, Register, constraint, Sum,   \
                        count, SumRegister, sum_constraint, A, B, layouts)                         \
  static __inline__ __device__ void mma_sync(fragment<accumulator, M, N, K, Sum>& d,               \
                                             const fragment<matrix_a, M, N, K, Tag, A>& a,         \
                                             const fragment<matrix_b, M, N, K, Tag, B>& b,         \
                                             const fragment<accumulator, M, N, K, Sum>& c) {       \
    SumRegister r[count], s[count];                                                                \
    Register p[a_count], q[b_count];                                                               \
    a.paws_get(p);                                                                                 \
    b.paws_get(q);                                                                                 \
    c.paws_get(s);                                                                                 \
    PAWS_MULTIPLY(shape, types, a_count, b_count, constraint, count, sum_constraint, layouts, ""); \
    d.paws_set(r);                                                                                 \
  }
// The same of integers. `saturate`: a sum stays within 32 bits.
#define PAWS_INTEGER_PRODUCT_OF(M, N, K, shape, Tag, types, a_count, b_count, Register,           \
                                constraint, Sum, count, SumRegister, sum_constraint, A, B,        \
                                layouts)                                                          \
  static __inline__ __device__ void mma_sync(                                                     \
      fragment<accumulator, M, N, K, Sum>& d, const fragment<matrix_a, M, N, K, Tag, A>& a,       \
      const fragment<matrix_b, M, N, K, Tag, B>& b, const fragment<accumulator, M, N, K, Sum>& c, \
      bool saturate = false) {                                                                    \
    SumRegister r[count], s[count];                                                               \
    Register p[a_count], q[b_count];                                                              \
    a.paws_get(p);                                                                                \
    b.paws_get(q);                                                                                \
    c.paws_get(s);                                                                                \
    if (saturate) {                                                                               \
      PAWS_MULTIPLY(shape, types, a_count, b_count, constraint, count, sum_constraint, layouts,   \
                    ".satfinite");                                                                \
    } else {                                                                                      \
      PAWS_MULTIPLY(shape, types, a_count, b_count, constraint, count, sum_constraint, layouts,   \
                    "");                                                                          \
    }                                                                                             \
    d.paws_set(r);                                                                                \
  }
#define PAWS_LAYOUTS(product, ...)                              \
  product(__VA_ARGS__, row_major, row_major, "row.row")         \
      product(__VA_ARGS__, row_major, col_major, "row.col")     \
          product(__VA_ARGS__, col_major, row_major, "col.row") \
              product(__VA_ARGS__, col_major, col_major, "col.col")

// --- binary16
// -------------------------------------------------------------------------------------
#define PAWS_HALF(M, N, K, shape)                                                                  \
  PAWS_FACTORS(M, N, K, shape, __half, __half, "f16", 8, 8, unsigned int, "r")                     \
  PAWS_SUM(M, N, K, shape, __half, "f16", 4, unsigned int, "r")                                    \
  PAWS_SUM(M, N, K, shape, float, "f32", 8, float, "f")                                            \
  PAWS_SUM(M, N, K, shape, int, "s32", 8, int, "r")                                                \
  PAWS_LAYOUTS(PAWS_PRODUCT_OF, M, N, K, shape, __half, "f16.f16", 8, 8, unsigned int, "r",        \
               __half, 4, unsigned int, "r")                                                       \
  PAWS_LAYOUTS(PAWS_PRODUCT_OF, M, N, K, shape, __half, "f32.f32", 8, 8, unsigned int, "r", float, \
               8, float, "f")
PAWS_HALF(16, 16, 16, "m16n16k16")
PAWS_HALF(32, 8, 16, "m32n8k16")
PAWS_HALF(8, 32, 16, "m8n32k16")
#undef PAWS_HALF

// --- bfloat16, and integers of 8 bits
// ---------------------------------------------------------------
#define PAWS_BFLOAT(M, N, K, shape, a_count, b_count)                                        \
  PAWS_FACTORS(M, N, K, shape, __nv_bfloat16, __nv_bfloat16, "bf16", a_count, b_count,       \
               unsigned int, "r")                                                            \
  PAWS_LAYOUTS(PAWS_PRODUCT_OF, M, N, K, shape, __nv_bfloat16, "f32.bf16.bf16.f32", a_count, \
               b_count, unsigned int, "r", float, 8, float, "f")
PAWS_BFLOAT(16, 16, 16, "m16n16k16", 4, 4)
PAWS_BFLOAT(32, 8, 16, "m32n8k16", 8, 2)
PAWS_BFLOAT(8, 32, 16, "m8n32k16", 2, 8)
#undef PAWS_BFLOAT

#define PAWS_BYTES(M, N, K, shape, Byte, type, a_count, b_count)                           \
  PAWS_FACTORS(M, N, K, shape, Byte, Byte, type, a_count, b_count, unsigned int, "r")      \
  PAWS_LAYOUTS(PAWS_INTEGER_PRODUCT_OF, M, N, K, shape, Byte, "s32." type "." type ".s32", \
               a_count, b_count, unsigned int, "r", int, 8, int, "r")
PAWS_BYTES(16, 16, 16, "m16n16k16", signed char, "s8", 2, 2)
PAWS_BYTES(16, 16, 16, "m16n16k16", unsigned char, "u8", 2, 2)
PAWS_BYTES(32, 8, 16, "m32n8k16", signed char, "s8", 4, 1)
PAWS_BYTES(32, 8, 16, "m32n8k16", unsigned char, "u8", 4, 1)
PAWS_BYTES(8, 32, 16, "m8n32k16", signed char, "s8", 1, 4)
PAWS_BYTES(8, 32, 16, "m8n32k16", unsigned char, "u8", 1, 4)
#undef PAWS_BYTES

// --- tf32 and binary64
// ------------------------------------------------------------------------------
PAWS_FACTORS(16, 16, 8, "m16n16k8", precision::tf32, float, "tf32", 4, 4, unsigned int, "r")
PAWS_SUM(16, 16, 8, "m16n16k8", float, "f32", 8, float, "f")
PAWS_LAYOUTS(PAWS_PRODUCT_OF, 16, 16, 8, "m16n16k8", precision::tf32, "f32.tf32.tf32.f32", 4, 4,
             unsigned int, "r", float, 8, float, "f")
PAWS_FACTORS(8, 8, 4, "m8n8k4", double, double, "f64", 1, 1, double, "d")
PAWS_SUM(8, 8, 4, "m8n8k4", double, "f64", 2, double, "d")
PAWS_LAYOUTS(PAWS_PRODUCT_OF, 8, 8, 4, "m8n8k4", double, "f64.f64.f64.f64", 1, 1, double, "d",
             double, 2, double, "d")

#undef PAWS_NAMES_1
#undef PAWS_NAMES_2
#undef PAWS_NAMES_4
#undef PAWS_NAMES_8
#undef PAWS_OPERANDS_1
#undef PAWS_OPERANDS_2
#undef PAWS_OPERANDS_4
#undef PAWS_OPERANDS_8
#undef PAWS_LOAD
#undef PAWS_FACTOR
#undef PAWS_FACTORS
#undef PAWS_LOAD_SUM
#undef PAWS_STORE_SUM
#undef PAWS_SUM
#undef PAWS_MULTIPLY
#undef PAWS_PRODUCT_OF
#undef PAWS_INTEGER_PRODUCT_OF
#undef PAWS_LAYOUTS

}  // namespace wmma
}  // namespace nvcuda

#endif
