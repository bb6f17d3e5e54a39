// SPDX-License-Identifier: MIT
// Of cuRAND's host API ("cuRAND Library"), what kernels need that call its device API
// (curand_kernel.h): Poisson distributions for curand_discrete(). Its generators are not there.
#pragma once

#include "cuda_runtime_api.h"

// The names are CUDA's.
// NOLINTBEGIN(bugprone-reserved-identifier,modernize-use-nullptr)

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
