// SPDX-License-Identifier: MIT
// cuRAND's host API ("cuRAND Library"): generators, which are in libcurand.so (sim/cuda/curand.cu),
// and Poisson distributions for curand_discrete() of the device API (curand_kernel.h).
#pragma once

#include "cuda_runtime_api.h"

// The names are CUDA's.
// NOLINTBEGIN(bugprone-reserved-identifier,modernize-use-nullptr)

// Programs ask for this name to know whether the header is there.
#define CURAND_H_
#define CURAND_VERSION 10300
#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3
#define CURAND_VER_PATCH 0

typedef enum curandStatus {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_VERSION_MISMATCH = 100,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_ALLOCATION_FAILED = 102,
  CURAND_STATUS_TYPE_ERROR = 103,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
  CURAND_STATUS_LAUNCH_FAILURE = 201,
  CURAND_STATUS_PREEXISTING_FAILURE = 202,
  CURAND_STATUS_INITIALIZATION_FAILED = 203,
  CURAND_STATUS_ARCH_MISMATCH = 204,
  CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus;
typedef curandStatus curandStatus_t;

/// Those that curandCreateGenerator() knows, and names of others.
typedef enum curandRngType {
  CURAND_RNG_TEST = 0,
  CURAND_RNG_PSEUDO_DEFAULT = 100,
  CURAND_RNG_PSEUDO_XORWOW = 101,
  CURAND_RNG_PSEUDO_MRG32K3A = 121,
  CURAND_RNG_PSEUDO_MTGP32 = 141,
  CURAND_RNG_PSEUDO_MT19937 = 142,
  CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
  CURAND_RNG_QUASI_DEFAULT = 200,
  CURAND_RNG_QUASI_SOBOL32 = 201,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL32 = 202,
  CURAND_RNG_QUASI_SOBOL64 = 203,
  CURAND_RNG_QUASI_SCRAMBLED_SOBOL64 = 204
} curandRngType;
typedef curandRngType curandRngType_t;
/// Of the pseudorandom ones only LEGACY differs from the others, and for MRG32k3a alone.
typedef enum curandOrdering {
  CURAND_ORDERING_PSEUDO_BEST = 100,
  CURAND_ORDERING_PSEUDO_DEFAULT = 101,
  CURAND_ORDERING_PSEUDO_SEEDED = 102,
  CURAND_ORDERING_PSEUDO_LEGACY = 103,
  CURAND_ORDERING_PSEUDO_DYNAMIC = 104,
  CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering;
typedef curandOrdering curandOrdering_t;
typedef struct curandGenerator_st* curandGenerator_t;

#ifdef __cplusplus
extern "C" {
#endif
curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type);
/// Draws on the host, into memory of the host.
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandGetVersion(int* version);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
/// Prepares what the first numbers need.
curandStatus_t curandGenerateSeeds(curandGenerator_t generator);
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* output, size_t count);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* output, size_t count);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* output,
                                           size_t count);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* output, size_t count,
                                    float mean, float stddev);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* output, size_t count,
                                          double mean, double stddev);
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* output, size_t count,
                                       float mean, float stddev);
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* output,
                                             size_t count, double mean, double stddev);
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* output,
                                     size_t count, double lambda);
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
#include <cmath>
#include <vector>

/// In device memory, with `length` values behind it: the chances of at most first, first + 1, ...
struct curandDiscreteDistribution_st {
  unsigned int first, length;
};
typedef struct curandDiscreteDistribution_st* curandDiscreteDistribution_t;

static inline curandStatus_t curandCreatePoissonDistribution(double lambda,
                                                             curandDiscreteDistribution_t* made) {
  if (!(lambda > 0 && lambda <= 400000)) return CURAND_STATUS_OUT_OF_RANGE;
  // Numbers further away have a chance of less than 2^-64.
  const double far = 12 * std::sqrt(lambda) + 30;
  const unsigned int first = lambda > far ? static_cast<unsigned int>(lambda - far) : 0;
  const unsigned int length = static_cast<unsigned int>(lambda + far) - first + 1;
  std::vector<double> table(length + 1);
  double sum = 0;
  for (unsigned int i = 0; i < length; ++i) {
    const double k = first + i;
    sum += std::exp(k * std::log(lambda) - lambda - std::lgamma(k + 1));
    table[i + 1] = sum;
  }
  for (double& value : table) value /= sum;
  const curandDiscreteDistribution_st head = {first, length};
  static_assert(sizeof(head) == sizeof(double), "it takes the first one's place");
  __builtin_memcpy(table.data(), &head, sizeof(head));
  const size_t bytes = table.size() * sizeof(double);
  void* memory = nullptr;
  if (cudaMalloc(&memory, bytes) != cudaSuccess) return CURAND_STATUS_ALLOCATION_FAILED;
  if (cudaMemcpy(memory, table.data(), bytes, cudaMemcpyHostToDevice) != cudaSuccess) {
    return CURAND_STATUS_PREEXISTING_FAILURE;
  }
  *made = static_cast<curandDiscreteDistribution_t>(memory);
  return CURAND_STATUS_SUCCESS;
}
static inline curandStatus_t curandDestroyDistribution(curandDiscreteDistribution_t distribution) {
  return cudaFree(distribution) == cudaSuccess ? CURAND_STATUS_SUCCESS
                                               : CURAND_STATUS_NOT_INITIALIZED;
}
#endif
// NOLINTEND(bugprone-reserved-identifier,modernize-use-nullptr)
