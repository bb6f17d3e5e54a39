// SPDX-License-Identifier: MIT
// How the programs here check calls and results: a wrong one ends the program with status 1.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                               \
  do {                                                                                            \
    const cudaError_t check_error = (call);                                                       \
    if (check_error != cudaSuccess) {                                                             \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(check_error)); \
      std::exit(1);                                                                               \
    }                                                                                             \
  } while (false)

#define EXPECT(condition)                                                 \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      std::exit(1);                                                       \
    }                                                                     \
  } while (false)

#define EXPECT_ERROR(error, call)                                            \
  do {                                                                       \
    const cudaError_t check_error = (call);                                  \
    if (check_error != (error)) {                                            \
      std::printf("%s:%d: %s: %s, expected %s\n", __FILE__, __LINE__, #call, \
                  cudaGetErrorName(check_error), cudaGetErrorName(error));   \
      std::exit(1);                                                          \
    }                                                                        \
  } while (false)
