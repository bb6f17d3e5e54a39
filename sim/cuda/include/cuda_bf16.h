// SPDX-License-Identifier: MIT
// CUDA's bfloat16: __nv_bfloat16 and __nv_bfloat162, for kernels and for the host. As cuda_fp16.h.
#pragma once

#define __CUDA_BF16_H__

#ifdef __cplusplus
#include "cuda_fp16.h"

struct __nv_bfloat16_raw {
  unsigned short x;
};
struct __nv_bfloat162_raw {
  unsigned short x, y;
};

#define PAWS_SCALAR __nv_bfloat16
#define PAWS_PAIR __nv_bfloat162
#define PAWS_SCALAR_RAW __nv_bfloat16_raw
#define PAWS_PAIR_RAW __nv_bfloat162_raw
#define PAWS_OTHER __half
#define PAWS_FRACTION 7
#define PAWS_TYPE "bf16"
#define PAWS_NAMED(before, after) before##bfloat16##after
#define PAWS_TO_BOTH_HALVES __bfloat162bfloat162
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define PAWS_NO_CONVERSIONS
#endif
// Each of them needs what is before it.
// clang-format off
#include "paws_narrow_types.h"
#include "paws_narrow_conversions.h"
#include "paws_narrow_arithmetic.h"
// clang-format on
#ifndef __CUDA_NO_BFLOAT16_OPERATORS__
#include "paws_narrow_operators.h"
#endif
#ifndef __CUDA_NO_BFLOAT162_OPERATORS__
#include "paws_narrow_pair_operators.h"
#endif
#if defined(__CUDA__) && defined(__clang__)
#include "paws_narrow_device.h"
#endif
#include "paws_narrow_end.h"

__host__ __device__ inline __half::__half(__nv_bfloat16 value)
    : __x(__float2half_rn(__bfloat162float(value)).__x) {}
__host__ __device__ inline __nv_bfloat16::__nv_bfloat16(__half value)
    : __x(__float2bfloat16_rn(__half2float(value)).__x) {}

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7f80)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7f7f)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3f80)
#endif
