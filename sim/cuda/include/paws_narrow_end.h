// SPDX-License-Identifier: MIT
// Takes back the macros of cuda_fp16.h and cuda_bf16.h: the other one sets them anew.
#undef PAWS_SCALAR
#undef PAWS_PAIR
#undef PAWS_SCALAR_RAW
#undef PAWS_PAIR_RAW
#undef PAWS_OTHER
#undef PAWS_FRACTION
#undef PAWS_TYPE
#undef PAWS_NAMED
#undef PAWS_TO_BOTH_HALVES
#undef PAWS_NO_CONVERSIONS
#undef PAWS_MADE
