// SPDX-License-Identifier: MIT
// A number of 16 bits and a pair of them. cuda_fp16.h and cuda_bf16.h include this once each, and
// say by macros which format it is.

struct __align__(2) PAWS_SCALAR {
  unsigned short __x;

  PAWS_SCALAR() = default;
  __host__ __device__ constexpr PAWS_SCALAR(const PAWS_SCALAR_RAW& raw) : __x(raw.x) {}
  __host__ __device__ operator PAWS_SCALAR_RAW() const { return PAWS_SCALAR_RAW{__x}; }
  __host__ __device__ explicit PAWS_SCALAR(PAWS_OTHER value);
#ifndef PAWS_NO_CONVERSIONS
  __host__ __device__ PAWS_SCALAR(float value);
  __host__ __device__ PAWS_SCALAR(double value);
  __host__ __device__ PAWS_SCALAR(int value);
  __host__ __device__ PAWS_SCALAR(unsigned int value);
  __host__ __device__ PAWS_SCALAR(short value);
  __host__ __device__ PAWS_SCALAR(unsigned short value);
  __host__ __device__ PAWS_SCALAR(long value);
  __host__ __device__ PAWS_SCALAR(unsigned long value);
  __host__ __device__ PAWS_SCALAR(long long value);
  __host__ __device__ PAWS_SCALAR(unsigned long long value);
  __host__ __device__ operator float() const;
  __host__ __device__ operator bool() const { return (__x & 0x7fff) != 0; }
  __host__ __device__ operator char() const;
  __host__ __device__ operator signed char() const;
  __host__ __device__ operator unsigned char() const;
  __host__ __device__ operator int() const;
  __host__ __device__ operator unsigned int() const;
  __host__ __device__ operator short() const;
  __host__ __device__ operator unsigned short() const;
  __host__ __device__ operator long() const;
  __host__ __device__ operator unsigned long() const;
  __host__ __device__ operator long long() const;
  __host__ __device__ operator unsigned long long() const;
#endif
};

struct __align__(4) PAWS_PAIR {
  PAWS_SCALAR x, y;

  PAWS_PAIR() = default;
  __host__ __device__ constexpr PAWS_PAIR(const PAWS_SCALAR& low, const PAWS_SCALAR& high)
      : x(low), y(high) {}
  __host__ __device__ PAWS_PAIR(const PAWS_PAIR_RAW& raw)
      : x(PAWS_SCALAR_RAW{raw.x}), y(PAWS_SCALAR_RAW{raw.y}) {}
  __host__ __device__ operator PAWS_PAIR_RAW() const { return PAWS_PAIR_RAW{x.__x, y.__x}; }
};

PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__ushort_as_, )(unsigned short bits) {
  return PAWS_SCALAR(PAWS_SCALAR_RAW{bits});
}
PAWS_BOTH PAWS_SCALAR PAWS_NAMED(__short_as_, )(short bits) {
  return PAWS_NAMED(__ushort_as_, )(static_cast<unsigned short>(bits));
}
PAWS_BOTH unsigned short PAWS_NAMED(__, _as_ushort)(PAWS_SCALAR a) { return a.__x; }
PAWS_BOTH short PAWS_NAMED(__, _as_short)(PAWS_SCALAR a) { return static_cast<short>(a.__x); }

/// A pair as the 32 bits of a register.
PAWS_BOTH unsigned int paws_bits(const PAWS_PAIR& pair) {
  unsigned int bits;
  __builtin_memcpy(&bits, &pair, sizeof(bits));
  return bits;
}
PAWS_BOTH PAWS_PAIR PAWS_NAMED(paws_, 2)(unsigned int bits) {
  PAWS_PAIR pair;
  __builtin_memcpy(&pair, &bits, sizeof(bits));
  return pair;
}
