// SPDX-License-Identifier: MIT
// Arithmetic and comparisons of the format that cuda_fp16.h or cuda_bf16.h is defining, and of its
// pairs. Both halves of a pair are computed as one number is.

#define PAWS_MADE(bits) PAWS_NAMED(__ushort_as_, )(bits)
// A device function is one instruction: on the registers of a, b and c. The host's value is `host`,
// and that of a pair `low` and `high`.
#if defined(__CUDA_ARCH__)
#define PAWS_RUN(type, constraint, make, instruction, operands, ...)            \
  type result;                                                                  \
  __asm__(instruction " " operands ";" : "=" constraint(result) : __VA_ARGS__); \
  return make(result)
#define PAWS_SCALAR_1(instruction, host) \
  PAWS_RUN(unsigned short, "h", PAWS_MADE, instruction PAWS_TYPE, "%0, %1", "h"(a.__x))
#define PAWS_SCALAR_2(instruction, host)                                                    \
  PAWS_RUN(unsigned short, "h", PAWS_MADE, instruction PAWS_TYPE, "%0, %1, %2", "h"(a.__x), \
           "h"(b.__x))
#define PAWS_SCALAR_3(instruction, host)                                                        \
  PAWS_RUN(unsigned short, "h", PAWS_MADE, instruction PAWS_TYPE, "%0, %1, %2, %3", "h"(a.__x), \
           "h"(b.__x), "h"(c.__x))
#define PAWS_PAIR_1(instruction, low, high)                                               \
  PAWS_RUN(unsigned int, "r", PAWS_NAMED(paws_, 2), instruction PAWS_TYPE "x2", "%0, %1", \
           "r"(paws_bits(a)))
#define PAWS_PAIR_2(instruction, low, high)                                                   \
  PAWS_RUN(unsigned int, "r", PAWS_NAMED(paws_, 2), instruction PAWS_TYPE "x2", "%0, %1, %2", \
           "r"(paws_bits(a)), "r"(paws_bits(b)))
#define PAWS_PAIR_3(instruction, low, high)                                                       \
  PAWS_RUN(unsigned int, "r", PAWS_NAMED(paws_, 2), instruction PAWS_TYPE "x2", "%0, %1, %2, %3", \
           "r"(paws_bits(a)), "r"(paws_bits(b)), "r"(paws_bits(c)))
#else
#define PAWS_SCALAR_1(instruction, host) return PAWS_MADE(host)
#define PAWS_SCALAR_2(instruction, host) return PAWS_MADE(host)
#define PAWS_SCALAR_3(instruction, host) return PAWS_MADE(host)
#define PAWS_PAIR_1(instruction, low, high) return PAWS_PAIR(low, high)
#define PAWS_PAIR_2(instruction, low, high) return PAWS_PAIR(low, high)
#define PAWS_PAIR_3(instruction, low, high) return PAWS_PAIR(low, high)
#endif

// --- one operand --------------------------------------------------------------------------------
#define PAWS_UNARY(name, instruction, host)                                            \
  PAWS_BOTH PAWS_SCALAR __h##name(PAWS_SCALAR a) { PAWS_SCALAR_1(instruction, host); } \
  PAWS_BOTH PAWS_PAIR __h##name##2(PAWS_PAIR a) {                                      \
    PAWS_PAIR_1(instruction, __h##name(a.x), __h##name(a.y));                          \
  }
PAWS_UNARY(neg, "neg.", static_cast<unsigned short>(a.__x ^ 0x8000))
PAWS_UNARY(abs, "abs.", static_cast<unsigned short>(a.__x & 0x7fff))

// --- two operands -------------------------------------------------------------------------------
#define PAWS_BINARY(name, suffix, instruction, host)                                    \
  PAWS_BOTH PAWS_SCALAR __h##name##suffix(PAWS_SCALAR a, PAWS_SCALAR b) {               \
    PAWS_SCALAR_2(instruction, host);                                                   \
  }                                                                                     \
  PAWS_BOTH PAWS_PAIR __h##name##2##suffix(PAWS_PAIR a, PAWS_PAIR b) {                  \
    PAWS_PAIR_2(instruction, __h##name##suffix(a.x, b.x), __h##name##suffix(a.y, b.y)); \
  }
PAWS_BINARY(add, , "add.rn.", paws_add<PAWS_FRACTION>(a.__x, b.__x))
PAWS_BINARY(sub, , "sub.rn.", paws_sub<PAWS_FRACTION>(a.__x, b.__x))
PAWS_BINARY(mul, , "mul.rn.", paws_mul<PAWS_FRACTION>(a.__x, b.__x))
PAWS_BINARY(add, _rn, "add.rn.", paws_add<PAWS_FRACTION>(a.__x, b.__x))
PAWS_BINARY(sub, _rn, "sub.rn.", paws_sub<PAWS_FRACTION>(a.__x, b.__x))
PAWS_BINARY(mul, _rn, "mul.rn.", paws_mul<PAWS_FRACTION>(a.__x, b.__x))
PAWS_BINARY(min, , "min.", (paws_extreme<PAWS_FRACTION>(a.__x, b.__x, false, false)))
PAWS_BINARY(max, , "max.", (paws_extreme<PAWS_FRACTION>(a.__x, b.__x, true, false)))
PAWS_BINARY(min, _nan, "min.NaN.", (paws_extreme<PAWS_FRACTION>(a.__x, b.__x, false, true)))
PAWS_BINARY(max, _nan, "max.NaN.", (paws_extreme<PAWS_FRACTION>(a.__x, b.__x, true, true)))

// binary32 has more than twice the digits, so rounding its quotient once more changes nothing.
PAWS_BOTH PAWS_SCALAR __hdiv(PAWS_SCALAR a, PAWS_SCALAR b) {
#if defined(__CUDA_ARCH__)
  float quotient;  // by assembly, which -ffast-math does not touch
  __asm__("div.rn.f32 %0, %1, %2;"
          : "=f"(quotient)
          : "f"(PAWS_NAMED(__, 2float)(a)), "f"(PAWS_NAMED(__, 2float)(b)));
  return PAWS_NAMED(__float2, _rn)(quotient);
#else
  return PAWS_MADE(paws_div<PAWS_FRACTION>(a.__x, b.__x));
#endif
}
PAWS_BOTH PAWS_PAIR __h2div(PAWS_PAIR a, PAWS_PAIR b) {
  return PAWS_PAIR(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}

// --- three operands -----------------------------------------------------------------------------
#define PAWS_TERNARY(suffix, instruction, host)                                             \
  PAWS_BOTH PAWS_SCALAR __hfma##suffix(PAWS_SCALAR a, PAWS_SCALAR b, PAWS_SCALAR c) {       \
    PAWS_SCALAR_3(instruction, host);                                                       \
  }                                                                                         \
  PAWS_BOTH PAWS_PAIR __hfma2##suffix(PAWS_PAIR a, PAWS_PAIR b, PAWS_PAIR c) {              \
    PAWS_PAIR_3(instruction, __hfma##suffix(a.x, b.x, c.x), __hfma##suffix(a.y, b.y, c.y)); \
  }
PAWS_TERNARY(, "fma.rn.", paws_fma<PAWS_FRACTION>(a.__x, b.__x, c.__x))
PAWS_TERNARY(_relu, "fma.rn.relu.", paws_relu(paws_fma<PAWS_FRACTION>(a.__x, b.__x, c.__x)))

/// a * b + c of complex numbers: the low half is the real part.
PAWS_BOTH PAWS_PAIR __hcmadd(PAWS_PAIR a, PAWS_PAIR b, PAWS_PAIR c) {
  const PAWS_PAIR sum = PAWS_PAIR(__hfma(a.x, b.x, c.x), __hfma(a.x, b.y, c.y));
  return PAWS_PAIR(__hfma(__hneg(a.y), b.y, sum.x), __hfma(a.y, b.x, sum.y));
}

// --- saturated to [0, 1] ------------------------------------------------------------------------
PAWS_BOTH PAWS_SCALAR paws_saturate(PAWS_SCALAR a) {
  return PAWS_MADE(paws_saturate<PAWS_FRACTION>(a.__x));
}
#define PAWS_SATURATED(name)                                                \
  PAWS_BOTH PAWS_SCALAR __h##name##_sat(PAWS_SCALAR a, PAWS_SCALAR b) {     \
    return paws_saturate(__h##name(a, b));                                  \
  }                                                                         \
  PAWS_BOTH PAWS_PAIR __h##name##2_sat(PAWS_PAIR a, PAWS_PAIR b) {          \
    return PAWS_PAIR(__h##name##_sat(a.x, b.x), __h##name##_sat(a.y, b.y)); \
  }
PAWS_SATURATED(add)
PAWS_SATURATED(sub)
PAWS_SATURATED(mul)
PAWS_BOTH PAWS_SCALAR __hfma_sat(PAWS_SCALAR a, PAWS_SCALAR b, PAWS_SCALAR c) {
  return paws_saturate(__hfma(a, b, c));
}
PAWS_BOTH PAWS_PAIR __hfma2_sat(PAWS_PAIR a, PAWS_PAIR b, PAWS_PAIR c) {
  return PAWS_PAIR(__hfma_sat(a.x, b.x, c.x), __hfma_sat(a.y, b.y, c.y));
}

// --- comparisons --------------------------------------------------------------------------------
// Of pairs: 1 or 0 in each half; a mask; whether both halves are so.
#if defined(__CUDA_ARCH__)
#define PAWS_COMPARE_SCALAR(name, ...)                                                      \
  unsigned short holds;                                                                     \
  __asm__("{ .reg .pred p; setp." #name "." PAWS_TYPE " p, %1, %2; selp.u16 %0, 1, 0, p; }" \
          : "=h"(holds)                                                                     \
          : "h"(a.__x), "h"(b.__x));                                                        \
  return holds != 0
#define PAWS_COMPARE_PAIR(name, low, high)                                                   \
  PAWS_RUN(unsigned int, "r", PAWS_NAMED(paws_, 2),                                          \
           "set." #name "." PAWS_TYPE "x2." PAWS_TYPE "x2", "%0, %1, %2", "r"(paws_bits(a)), \
           "r"(paws_bits(b)))
#define PAWS_COMPARE_MASK(name, low, high)                                         \
  PAWS_RUN(unsigned int, "r", , "set." #name ".u32." PAWS_TYPE "x2", "%0, %1, %2", \
           "r"(paws_bits(a)), "r"(paws_bits(b)))
#else
#define PAWS_COMPARE_SCALAR(name, ...) return paws_compare<PAWS_FRACTION>(a.__x, b.__x, __VA_ARGS__)
#define PAWS_COMPARE_PAIR(name, low, high)                                     \
  const PAWS_SCALAR one = PAWS_MADE(0x3fff >> PAWS_FRACTION << PAWS_FRACTION); \
  const PAWS_SCALAR zero = PAWS_MADE(0);                                       \
  return PAWS_PAIR(low ? one : zero, high ? one : zero)
#define PAWS_COMPARE_MASK(name, low, high) return (low ? 0xffffu : 0u) | (high ? 0xffff0000u : 0u)
#endif
// The arguments: less, equal, greater, unordered.
#define PAWS_COMPARISON(name, ...)                                     \
  PAWS_BOTH bool __h##name(PAWS_SCALAR a, PAWS_SCALAR b) {             \
    PAWS_COMPARE_SCALAR(name, __VA_ARGS__);                            \
  }                                                                    \
  PAWS_BOTH PAWS_PAIR __h##name##2(PAWS_PAIR a, PAWS_PAIR b) {         \
    PAWS_COMPARE_PAIR(name, __h##name(a.x, b.x), __h##name(a.y, b.y)); \
  }                                                                    \
  PAWS_BOTH unsigned int __h##name##2_mask(PAWS_PAIR a, PAWS_PAIR b) { \
    PAWS_COMPARE_MASK(name, __h##name(a.x, b.x), __h##name(a.y, b.y)); \
  }                                                                    \
  PAWS_BOTH bool __hb##name##2(PAWS_PAIR a, PAWS_PAIR b) {             \
    return __h##name##2_mask(a, b) == 0xffffffffu;                     \
  }
PAWS_COMPARISON(eq, false, true, false, false)
PAWS_COMPARISON(ne, true, false, true, false)
PAWS_COMPARISON(lt, true, false, false, false)
PAWS_COMPARISON(le, true, true, false, false)
PAWS_COMPARISON(gt, false, false, true, false)
PAWS_COMPARISON(ge, false, true, true, false)
PAWS_COMPARISON(equ, false, true, false, true)
PAWS_COMPARISON(neu, true, false, true, true)
PAWS_COMPARISON(ltu, true, false, false, true)
PAWS_COMPARISON(leu, true, true, false, true)
PAWS_COMPARISON(gtu, false, false, true, true)
PAWS_COMPARISON(geu, false, true, true, true)

PAWS_BOTH bool __hisnan(PAWS_SCALAR a) { return paws_is_nan<PAWS_FRACTION>(a.__x); }
PAWS_BOTH PAWS_PAIR __hisnan2(PAWS_PAIR a) {
  const unsigned short one = 0x3fff >> PAWS_FRACTION << PAWS_FRACTION;
  return PAWS_PAIR(PAWS_MADE(__hisnan(a.x) ? one : 0), PAWS_MADE(__hisnan(a.y) ? one : 0));
}
/// 1 for infinity, -1 for the negative one, else 0.
PAWS_BOTH int __hisinf(PAWS_SCALAR a) {
  if ((a.__x & 0x7fff) != 0x7fff >> PAWS_FRACTION << PAWS_FRACTION) return 0;
  return a.__x >= 0x8000 ? -1 : 1;
}

#undef PAWS_RUN
#undef PAWS_SCALAR_1
#undef PAWS_SCALAR_2
#undef PAWS_SCALAR_3
#undef PAWS_PAIR_1
#undef PAWS_PAIR_2
#undef PAWS_PAIR_3
#undef PAWS_UNARY
#undef PAWS_BINARY
#undef PAWS_TERNARY
#undef PAWS_SATURATED
#undef PAWS_COMPARE_SCALAR
#undef PAWS_COMPARE_PAIR
#undef PAWS_COMPARE_MASK
#undef PAWS_COMPARISON
