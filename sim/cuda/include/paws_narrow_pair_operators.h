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
