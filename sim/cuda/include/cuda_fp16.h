// SPDX-License-Identifier: MIT
// CUDA's half precision: __half and __half2, IEEE binary16, for kernels and for the host.
//
// Names and meanings are those of NVIDIA's "CUDA Math API Reference". Device code uses the
// instructions that PTX has for these types, whatever the architecture.
#pragma once

// Programs ask for this name to know whether the header is there.
#define __CUDA_FP16_H__

#ifdef __cplusplus
#include "cuda_runtime.h"
#include "paws_narrow_integers.h"

struct __half_raw {
  unsigned short x;
};
struct __half2_raw {
  unsigned short x, y;
};
struct __nv_bfloat16;

#define PAWS_SCALAR __half
#define PAWS_PAIR __half2
#define PAWS_SCALAR_RAW __half_raw
#define PAWS_PAIR_RAW __half2_raw
#define PAWS_OTHER __nv_bfloat16
#define PAWS_FRACTION 10
#define PAWS_TYPE "f16"
#define PAWS_NAMED(before, after) before##half##after
#define PAWS_TO_BOTH_HALVES __half2half2
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define PAWS_NO_CONVERSIONS
#endif
// Each of them needs what is before it.
// clang-format off
#include "paws_narrow_types.h"
#include "paws_narrow_conversions.h"
#include "paws_narrow_arithmetic.h"
// clang-format on
#ifndef __CUDA_NO_HALF_OPERATORS__
#include "paws_narrow_operators.h"
#endif
#ifndef __CUDA_NO_HALF2_OPERATORS__
#include "paws_narrow_pair_operators.h"
#endif
#if defined(__CUDA__) && defined(__clang__)
#include "paws_narrow_device.h"
#endif
#include "paws_narrow_end.h"

#ifndef CUDA_NO_HALF
typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
#endif

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7c00)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7fff)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7bff)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3c00)
#endif
