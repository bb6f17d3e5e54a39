// SPDX-License-Identifier: MIT
// Random numbers in kernels: the device API of cuRAND ("cuRAND Library", device API overview) for
// three of its generators, whose sequences these are:
//
//   XORWOW         G. Marsaglia, "Xorshift RNGs", Journal of Statistical Software, 2003
//   Philox4_32_10  Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011
//   MRG32k3a       L'Ecuyer et al., "An object-oriented random-number package with many long
//                  streams and substreams", Operations Research, 2002
//
// Poisson numbers of a mean between 64 and 4000 come from another method than cuRAND's, and so do
// those of curand_discrete(): the distribution is the same, the numbers are not.
#pragma once

#define CURAND_KERNEL_H_

#include "cuda_runtime.h"
#include "curand.h"
#ifndef __CUDACC__  // a C++ source, which may name the types of states
#include <math.h>

#include "host_mathematics.h"
#endif

// libcurand.so draws on the host, too, and jumps there alone.
#ifdef PAWS_RANDOM_ON_HOST
#define PAWS_RANDOM static __inline__ __host__ __device__
#define PAWS_JUMPS static const
#else
#define PAWS_RANDOM static __inline__ __device__
#define PAWS_JUMPS static __device__ const
#endif
#include "paws_xorwow_jumps.h"

// --- states -------------------------------------------------------------------------------------
// Of two normal numbers that were made at once, the second waits here for the next call of the same
// function: a bit of the flag for each of them.
#define PAWS_SECOND_NORMAL   \
  int boxmuller_flag;        \
  int boxmuller_flag_double; \
  float boxmuller_extra;     \
  double boxmuller_extra_double
struct curandStateXORWOW {
  unsigned int d, v[5];
  PAWS_SECOND_NORMAL;
};
struct curandStatePhilox4_32_10 {
  uint4 ctr, output;
  uint2 key;
  unsigned int STATE;
  PAWS_SECOND_NORMAL;
};
struct curandStateMRG32k3a {
  unsigned int s1[3], s2[3];
  PAWS_SECOND_NORMAL;
};
#undef PAWS_SECOND_NORMAL
typedef struct curandStateXORWOW curandStateXORWOW_t;
typedef struct curandStateXORWOW curandState_t;
typedef struct curandStateXORWOW curandState;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;
typedef struct curandStateMRG32k3a curandStateMRG32k3a_t;

template <class State>
PAWS_RANDOM void paws_no_second_normal(State* state) {
  state->boxmuller_flag = state->boxmuller_flag_double = 0;
  state->boxmuller_extra = 0;
  state->boxmuller_extra_double = 0;
}

// --- XORWOW -------------------------------------------------------------------------------------
PAWS_RANDOM void paws_step(unsigned int v[5]) {
  const unsigned int t = v[0] ^ v[0] >> 2;
  for (int i = 0; i < 4; ++i) v[i] = v[i + 1];
  v[4] = v[4] ^ v[4] << 4 ^ t ^ t << 1;
}
PAWS_RANDOM unsigned int curand(curandStateXORWOW_t* state) {
  paws_step(state->v);
  state->d += 362437;
  return state->v[4] + state->d;
}
/// n steps of those that the table's half is for.
PAWS_RANDOM void paws_jump(unsigned long long n, const unsigned int table[32][5],
                           unsigned int v[5]) {
  for (int digit = 0; n != 0; n >>= 2, ++digit) {
    for (unsigned int times = n & 3; times != 0; --times) {
      unsigned int sum[5] = {};
      for (int word = 0; word < 5; ++word) {
        unsigned int powers = table[digit][word];
        for (int bit = 0; bit < 32; ++bit, powers >>= 1) {
          const unsigned int mask = 0 - (powers & 1);
          for (int i = 0; i < 5; ++i) sum[i] ^= v[i] & mask;
          paws_step(v);
        }
      }
      for (int i = 0; i < 5; ++i) v[i] = sum[i];
    }
  }
}
PAWS_RANDOM void skipahead(unsigned long long n, curandStateXORWOW_t* state) {
  paws_jump(n, paws_xorwow_jumps[0], state->v);
  state->d += 362437 * static_cast<unsigned int>(n);
}
PAWS_RANDOM void skipahead_sequence(unsigned long long n, curandStateXORWOW_t* state) {
  paws_jump(n, paws_xorwow_jumps[1], state->v);
}
PAWS_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStateXORWOW_t* state) {
  const unsigned int low = 1099087573u * (static_cast<unsigned int>(seed) ^ 0xaad26b49u);
  const unsigned int high = 2591861531u * (static_cast<unsigned int>(seed >> 32) ^ 0xf7dcefddu);
  // Marsaglia's own numbers, and the seed.
  state->d = 6615241 + high + low;
  state->v[0] = 123456789 + low;
  state->v[1] = 362436069 ^ low;
  state->v[2] = 521288629 + high;
  state->v[3] = 88675123 ^ high;
  state->v[4] = 5783321 + low;
  paws_no_second_normal(state);
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

// --- Philox4_32_10 ------------------------------------------------------------------------------
PAWS_RANDOM uint4 curand_Philox4x32_10(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long long x = 0xd2511f53ull * counter.x;
    const unsigned long long z = 0xcd9e8d57ull * counter.z;
    counter =
        uint4{static_cast<unsigned int>(z >> 32) ^ counter.y ^ key.x, static_cast<unsigned int>(z),
              static_cast<unsigned int>(x >> 32) ^ counter.w ^ key.y, static_cast<unsigned int>(x)};
    key.x += 0x9e3779b9;
    key.y += 0xbb67ae85;
  }
  return counter;
}
/// Adds to the lower half of a counter; what does not fit goes to the upper one.
PAWS_RANDOM void paws_count(unsigned long long n, uint4* counter) {
  const unsigned long long low = counter->x | static_cast<unsigned long long>(counter->y) << 32;
  const unsigned long long sum = low + n;
  counter->x = static_cast<unsigned int>(sum);
  counter->y = static_cast<unsigned int>(sum >> 32);
  if (sum < low && ++counter->z == 0) ++counter->w;
}
PAWS_RANDOM void paws_next_block(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  paws_count(n, &state->ctr);
  state->output = curand_Philox4x32_10(state->ctr, state->key);
}
PAWS_RANDOM unsigned int paws_of_block(uint4 block, unsigned int i) {
  return i == 0 ? block.x : i == 1 ? block.y : i == 2 ? block.z : block.w;
}
PAWS_RANDOM unsigned int curand(curandStatePhilox4_32_10_t* state) {
  const unsigned int word = paws_of_block(state->output, state->STATE++);
  if (state->STATE == 4) {
    state->STATE = 0;
    paws_next_block(1, state);
  }
  return word;
}
/// The next four numbers.
PAWS_RANDOM uint4 curand4(curandStatePhilox4_32_10_t* state) {
  const uint4 now = state->output;
  paws_next_block(1, state);
  unsigned int four[4];
  for (unsigned int i = 0; i < 4; ++i) {
    const unsigned int at = state->STATE + i;
    four[i] = paws_of_block(at < 4 ? now : state->output, at % 4);
  }
  return uint4{four[0], four[1], four[2], four[3]};
}
PAWS_RANDOM void skipahead(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned int at = state->STATE + static_cast<unsigned int>(n & 3);
  state->STATE = at % 4;
  paws_next_block(n / 4 + at / 4, state);
}
PAWS_RANDOM void skipahead_sequence(unsigned long long n, curandStatePhilox4_32_10_t* state) {
  const unsigned long long high =
      (state->ctr.z | static_cast<unsigned long long>(state->ctr.w) << 32) + n;
  state->ctr.z = static_cast<unsigned int>(high);
  state->ctr.w = static_cast<unsigned int>(high >> 32);
  paws_next_block(0, state);
}
PAWS_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStatePhilox4_32_10_t* state) {
  state->ctr = uint4{0, 0, 0, 0};
  state->key = uint2{static_cast<unsigned int>(seed), static_cast<unsigned int>(seed >> 32)};
  state->STATE = 0;
  paws_no_second_normal(state);
  skipahead_sequence(subsequence, state);
  skipahead(offset, state);
}

// --- MRG32k3a -----------------------------------------------------------------------------------
#define PAWS_M1 4294967087u
#define PAWS_M2 4294944443u

/// a modulo m = 2^32 - c, where c < 2^16.
PAWS_RANDOM unsigned int paws_modulo(unsigned long long a, unsigned int m) {
  const unsigned int c = 0 - m;
  for (int i = 0; i < 2; ++i) a = (a >> 32) * c + (a & 0xffffffffu);
  return static_cast<unsigned int>(a >= m ? a - m : a);
}
/// The next number of the generator, 1 to PAWS_M1.
PAWS_RANDOM unsigned int paws_next(curandStateMRG32k3a_t* state) {
  unsigned int* a = state->s1;
  unsigned int* b = state->s2;
  const unsigned int x = paws_modulo(1403580ull * a[1] + 810728ull * (PAWS_M1 - a[0]), PAWS_M1);
  const unsigned int y = paws_modulo(527612ull * b[2] + 1370589ull * (PAWS_M2 - b[0]), PAWS_M2);
  a[0] = a[1];
  a[1] = a[2];
  a[2] = x;
  b[0] = b[1];
  b[1] = b[2];
  b[2] = y;
  return x > y ? x - y : x - y + PAWS_M1;
}
PAWS_RANDOM unsigned int curand(curandStateMRG32k3a_t* state) {
  return static_cast<unsigned int>(paws_next(state) * 1.000000048662);
}

struct paws_matrix {
  unsigned int of[3][3];
};
PAWS_RANDOM unsigned int paws_row_times(const unsigned int row[3], unsigned int x, unsigned int y,
                                        unsigned int z, unsigned int m) {
  const unsigned long long sum =
      static_cast<unsigned long long>(paws_modulo(1ull * row[0] * x, m)) +
      paws_modulo(1ull * row[1] * y, m) + paws_modulo(1ull * row[2] * z, m);
  return paws_modulo(sum, m);
}
/// v = a^n v.
PAWS_RANDOM void paws_times_power(paws_matrix a, unsigned long long n, unsigned int m,
                                  unsigned int v[3]) {
  for (; n != 0; n >>= 1) {
    if ((n & 1) != 0) {
      const unsigned int x = v[0], y = v[1], z = v[2];
      for (int i = 0; i < 3; ++i) v[i] = paws_row_times(a.of[i], x, y, z, m);
    }
    const paws_matrix b = a;
    for (int i = 0; i < 3; ++i) {
      for (int j = 0; j < 3; ++j) {
        a.of[i][j] = paws_row_times(b.of[i], b.of[0][j], b.of[1][j], b.of[2][j], m);
      }
    }
  }
}
PAWS_RANDOM void skipahead(unsigned long long n, curandStateMRG32k3a_t* state) {
  paws_times_power({{{0, 1, 0}, {0, 0, 1}, {PAWS_M1 - 810728, 1403580, 0}}}, n, PAWS_M1, state->s1);
  paws_times_power({{{0, 1, 0}, {0, 0, 1}, {PAWS_M2 - 1370589, 0, 527612}}}, n, PAWS_M2, state->s2);
}
/// The matrices are those of one step to the power of 2^76.
PAWS_RANDOM void skipahead_subsequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  paws_times_power({{{82758667, 1871391091, 4127413238},
                     {3672831523, 69195019, 1871391091},
                     {3672091415, 3528743235, 69195019}}},
                   n, PAWS_M1, state->s1);
  paws_times_power({{{1511326704, 3759209742, 1610795712},
                     {4292754251, 1511326704, 3889917532},
                     {3859662829, 4292754251, 3708466080}}},
                   n, PAWS_M2, state->s2);
}
/// To the power of 2^127.
PAWS_RANDOM void skipahead_sequence(unsigned long long n, curandStateMRG32k3a_t* state) {
  paws_times_power({{{2427906178, 3580155704, 949770784},
                     {226153695, 1230515664, 3580155704},
                     {1988835001, 986791581, 1230515664}}},
                   n, PAWS_M1, state->s1);
  paws_times_power({{{1464411153, 277697599, 1610723613},
                     {32183930, 1464411153, 1022607788},
                     {2824425944, 32183930, 2093834863}}},
                   n, PAWS_M2, state->s2);
}
PAWS_RANDOM void curand_init(unsigned long long seed, unsigned long long subsequence,
                             unsigned long long offset, curandStateMRG32k3a_t* state) {
  const unsigned int low = static_cast<unsigned int>(seed) ^ 0x55555555u;
  const unsigned int high = static_cast<unsigned int>(seed >> 32) ^ 0xaaaaaaaau;
  for (int i = 0; i < 3; ++i) {
    const unsigned long long first = i % 2 == 0 ? low : high;
    const unsigned long long second = i % 2 == 0 ? high : low;
    state->s1[i] = seed == 0 ? 12345 : paws_modulo(12345 * first, PAWS_M1);
    state->s2[i] = seed == 0 ? 12345 : paws_modulo(12345 * second, PAWS_M2);
  }
  paws_no_second_normal(state);
  skipahead_subsequence(subsequence, state);
  skipahead(offset, state);
}
#undef PAWS_M1
#undef PAWS_M2

// --- uniform numbers, without 0, with 1 ----------------------------------------------------------
PAWS_RANDOM float paws_uniform(unsigned int x) { return x * 0x1p-32f + 0x1p-33f; }
PAWS_RANDOM double paws_uniform_double(unsigned int low, unsigned int high) {
  return (low ^ static_cast<unsigned long long>(high) << 21) * 0x1p-53 + 0x1p-54;
}
template <class State>
PAWS_RANDOM float curand_uniform(State* state) {
  return paws_uniform(curand(state));
}
/// Of two numbers of 32 bits.
template <class State>
PAWS_RANDOM double paws_uniform_of_two(State* state) {
  const unsigned int low = curand(state);
  return paws_uniform_double(low, curand(state));
}
PAWS_RANDOM double curand_uniform_double(curandStateXORWOW_t* state) {
  return paws_uniform_of_two(state);
}
/// As in the library, of one number of 32 bits.
PAWS_RANDOM double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return curand(state) * 0x1p-32 + 0x1p-32;
}
PAWS_RANDOM double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return paws_next(state) * 2.3283065498378288e-10;
}
PAWS_RANDOM double paws_uniform_of_two(curandStateMRG32k3a_t* state) {
  return curand_uniform_double(state);
}
PAWS_RANDOM float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(curand_uniform_double(state));
}
PAWS_RANDOM float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return float4{paws_uniform(x.x), paws_uniform(x.y), paws_uniform(x.z), paws_uniform(x.w)};
}
PAWS_RANDOM double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  const uint4 x = curand4(state);
  return double2{paws_uniform_double(x.x, x.y), paws_uniform_double(x.z, x.w)};
}
PAWS_RANDOM double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_uniform2_double(state);
  const double2 b = curand_uniform2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}

// --- normal numbers (Box and Muller) ------------------------------------------------------------
/// Of two uniform numbers.
PAWS_RANDOM float2 paws_normal(float distance, float turn) {
  const float radius = sqrtf(-2 * logf(distance));
  float2 made;
  sincosf(turn * 6.2831855f, &made.x, &made.y);
  made.x *= radius;
  made.y *= radius;
  return made;
}
PAWS_RANDOM double2 paws_normal(double distance, double turn) {
  const double radius = sqrt(-2 * log(distance));
  double2 made;
  sincospi(2 * turn, &made.x, &made.y);
  made.x *= radius;
  made.y *= radius;
  return made;
}
template <class State>
PAWS_RANDOM float2 curand_normal2(State* state) {
  const float distance = curand_uniform(state);
  return paws_normal(distance, curand_uniform(state));
}
template <class State>
PAWS_RANDOM double2 curand_normal2_double(State* state) {
  const double distance = paws_uniform_of_two(state);
  return paws_normal(distance, paws_uniform_of_two(state));
}
/// A function that gives one of two numbers at a time; the bit says for whom the other one waits.
#define PAWS_ONE_OF_TWO(name, type, pair, suffix, bit, parameters, arguments) \
  template <class State>                                                      \
  PAWS_RANDOM type name parameters {                                          \
    if (state->boxmuller_flag##suffix == bit) {                               \
      state->boxmuller_flag##suffix = 0;                                      \
      return state->boxmuller_extra##suffix;                                  \
    }                                                                         \
    const auto both = pair arguments;                                         \
    state->boxmuller_flag##suffix = bit;                                      \
    state->boxmuller_extra##suffix = both.y;                                  \
    return both.x;                                                            \
  }
PAWS_ONE_OF_TWO(curand_normal, float, curand_normal2, , 1, (State * state), (state))
PAWS_ONE_OF_TWO(curand_normal_double, double, curand_normal2_double, _double, 1, (State * state),
                (state))
PAWS_RANDOM float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const float2 a = curand_normal2(state);
  const float2 b = curand_normal2(state);
  return float4{a.x, a.y, b.x, b.y};
}
PAWS_RANDOM double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 a = curand_normal2_double(state);
  const double2 b = curand_normal2_double(state);
  return double4{a.x, a.y, b.x, b.y};
}

// --- logarithmically normal numbers -------------------------------------------------------------
template <class State>
PAWS_RANDOM float2 curand_log_normal2(State* state, float mean, float stddev) {
  const float2 a = curand_normal2(state);
  return float2{expf(mean + stddev * a.x), expf(mean + stddev * a.y)};
}
template <class State>
PAWS_RANDOM double2 curand_log_normal2_double(State* state, double mean, double stddev) {
  const double2 a = curand_normal2_double(state);
  return double2{exp(mean + stddev * a.x), exp(mean + stddev * a.y)};
}
PAWS_ONE_OF_TWO(curand_log_normal, float, curand_log_normal2, , 2,
                (State * state, float mean, float stddev), (state, mean, stddev))
PAWS_ONE_OF_TWO(curand_log_normal_double, double, curand_log_normal2_double, _double, 2,
                (State * state, double mean, double stddev), (state, mean, stddev))
#undef PAWS_ONE_OF_TWO
PAWS_RANDOM float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean, float stddev) {
  const float2 a = curand_log_normal2(state, mean, stddev);
  const float2 b = curand_log_normal2(state, mean, stddev);
  return float4{a.x, a.y, b.x, b.y};
}
PAWS_RANDOM double4 curand_log_normal4_double(curandStatePhilox4_32_10_t* state, double mean,
                                              double stddev) {
  const double2 a = curand_log_normal2_double(state, mean, stddev);
  const double2 b = curand_log_normal2_double(state, mean, stddev);
  return double4{a.x, a.y, b.x, b.y};
}

// --- discrete numbers ---------------------------------------------------------------------------
/// By factors until their product is less than e^-lambda (Knuth, "The art of computer programming",
/// 3.4.1); by transformed rejection (Hoermann, "The transformed rejection method for generating
/// Poisson random variables", 1993); as a rounded normal number.
template <class State>
PAWS_RANDOM unsigned int curand_poisson(State* state, double lambda) {
  if (lambda < 64) {
    unsigned int factors = 0;
    for (float product = expf(static_cast<float>(lambda)); product > 1; ++factors) {
      product *= curand_uniform(state);
    }
    return factors == 0 ? 0 : factors - 1;
  }
  if (lambda > 4000) {
    return static_cast<unsigned int>(sqrt(lambda) * curand_normal_double(state) + lambda + 0.5);
  }
  const double b = 0.931 + 2.53 * sqrt(lambda);
  const double a = -0.059 + 0.02483 * b;
  for (;;) {
    const double u = paws_uniform_of_two(state) - 0.5;
    const double v = paws_uniform_of_two(state);
    const double inside = 0.5 - fabs(u);
    const double k = floor((2 * a / inside + b) * u + lambda + 0.43);
    if (inside >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2)) return static_cast<unsigned int>(k);
    if (k < 0 || (inside < 0.013 && v > inside)) continue;
    const double chance = log(v * (1.1239 + 1.1328 / (b - 3.4)) / (a / (inside * inside) + b));
    if (chance <= k * log(lambda) - lambda - lgamma(k + 1)) return static_cast<unsigned int>(k);
  }
}
PAWS_RANDOM uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  const unsigned int x = curand_poisson(state, lambda);
  const unsigned int y = curand_poisson(state, lambda);
  const unsigned int z = curand_poisson(state, lambda);
  return uint4{x, y, z, curand_poisson(state, lambda)};
}

/// The first number that is at most as likely as a uniform one.
PAWS_RANDOM unsigned int paws_discrete(unsigned int x, curandDiscreteDistribution_t distribution) {
  const double* chances = reinterpret_cast<const double*>(distribution + 1);
  const double uniform = x * 0x1p-32 + 0x1p-33;
  unsigned int low = 0;
  for (unsigned int high = distribution->length - 1; low < high;) {
    const unsigned int middle = (low + high) / 2;
    if (chances[middle] < uniform) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return distribution->first + low;
}
template <class State>
PAWS_RANDOM unsigned int curand_discrete(State* state, curandDiscreteDistribution_t distribution) {
  return paws_discrete(curand(state), distribution);
}
PAWS_RANDOM uint4 curand_discrete4(curandStatePhilox4_32_10_t* state,
                                   curandDiscreteDistribution_t distribution) {
  const uint4 x = curand4(state);
  return uint4{paws_discrete(x.x, distribution), paws_discrete(x.y, distribution),
               paws_discrete(x.z, distribution), paws_discrete(x.w, distribution)};
}
#undef PAWS_RANDOM
