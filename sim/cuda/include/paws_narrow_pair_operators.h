// SPDX-License-Identifier: MIT
// Operators on pairs of the format that cuda_fp16.h or cuda_bf16.h is defining. A comparison holds
// when it does for both halves.

#define PAWS_OPERATOR(symbol, function)                                         \
  PAWS_BOTH PAWS_PAIR operator symbol(const PAWS_PAIR& a, const PAWS_PAIR& b) { \
    return function(a, b);                                                      \
  }                                                                             \
  PAWS_BOTH PAWS_PAIR& operator symbol##=(PAWS_PAIR & a, const PAWS_PAIR & b) { \
    return a = function(a, b);                                                  \
  }
PAWS_OPERATOR(+, __hadd2)
PAWS_OPERATOR(-, __hsub2)
PAWS_OPERATOR(*, __hmul2)
PAWS_OPERATOR(/, __h2div)
#undef PAWS_OPERATOR
#define PAWS_STEP(symbol, function)                                              \
  PAWS_BOTH PAWS_PAIR& operator symbol(PAWS_PAIR & a) {                          \
    const PAWS_SCALAR one = PAWS_MADE(0x3fff >> PAWS_FRACTION << PAWS_FRACTION); \
    return a = function(a, PAWS_PAIR(one, one));                                 \
  }                                                                              \
  PAWS_BOTH PAWS_PAIR operator symbol(PAWS_PAIR& a, int) {                       \
    const PAWS_PAIR before = a;                                                  \
    symbol a;                                                                    \
    return before;                                                               \
  }
PAWS_STEP(++, __hadd2)
PAWS_STEP(--, __hsub2)
#undef PAWS_STEP
PAWS_BOTH PAWS_PAIR operator+(const PAWS_PAIR& a) { return a; }
PAWS_BOTH PAWS_PAIR operator-(const PAWS_PAIR& a) { return __hneg2(a); }

#define PAWS_OPERATOR(symbol, function) \
  PAWS_BOTH bool operator symbol(const PAWS_PAIR& a, const PAWS_PAIR& b) { return function(a, b); }
PAWS_OPERATOR(==, __hbeq2)
PAWS_OPERATOR(!=, __hbneu2)
PAWS_OPERATOR(<, __hblt2)
PAWS_OPERATOR(<=, __hble2)
PAWS_OPERATOR(>, __hbgt2)
PAWS_OPERATOR(>=, __hbge2)
#undef PAWS_OPERATOR
