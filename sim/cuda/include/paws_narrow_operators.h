// SPDX-License-Identifier: MIT
// Operators on one number of the format that cuda_fp16.h or cuda_bf16.h is defining.

#define PAWS_OPERATOR(symbol, function)                                               \
  PAWS_BOTH PAWS_SCALAR operator symbol(const PAWS_SCALAR& a, const PAWS_SCALAR& b) { \
    return function(a, b);                                                            \
  }                                                                                   \
  PAWS_BOTH PAWS_SCALAR& operator symbol##=(PAWS_SCALAR & a, const PAWS_SCALAR & b) { \
    return a = function(a, b);                                                        \
  }
PAWS_OPERATOR(+, __hadd)
PAWS_OPERATOR(-, __hsub)
PAWS_OPERATOR(*, __hmul)
PAWS_OPERATOR(/, __hdiv)
#undef PAWS_OPERATOR

#define PAWS_STEP(symbol, function)                                              \
  PAWS_BOTH PAWS_SCALAR& operator symbol(PAWS_SCALAR & a) {                      \
    return a = function(a, PAWS_MADE(0x3fff >> PAWS_FRACTION << PAWS_FRACTION)); \
  }                                                                              \
  PAWS_BOTH PAWS_SCALAR operator symbol(PAWS_SCALAR& a, int) {                   \
    const PAWS_SCALAR before = a;                                                \
    symbol a;                                                                    \
    return before;                                                               \
  }
PAWS_STEP(++, __hadd)
PAWS_STEP(--, __hsub)
#undef PAWS_STEP
PAWS_BOTH PAWS_SCALAR operator+(const PAWS_SCALAR& a) { return a; }
PAWS_BOTH PAWS_SCALAR operator-(const PAWS_SCALAR& a) { return __hneg(a); }

#define PAWS_OPERATOR(symbol, function)                                        \
  PAWS_BOTH bool operator symbol(const PAWS_SCALAR& a, const PAWS_SCALAR& b) { \
    return function(a, b);                                                     \
  }
PAWS_OPERATOR(==, __heq)
PAWS_OPERATOR(!=, __hneu)
PAWS_OPERATOR(<, __hlt)
PAWS_OPERATOR(<=, __hle)
PAWS_OPERATOR(>, __hgt)
PAWS_OPERATOR(>=, __hge)
#undef PAWS_OPERATOR
