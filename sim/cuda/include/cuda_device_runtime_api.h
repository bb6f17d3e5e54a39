// SPDX-License-Identifier: MIT
// Launches by kernels ("CUDA C++ Programming Guide", CUDA dynamic parallelism). They are not
// supported: no device code here may call these functions, and cuda++ names one that does. They are
// declared for libraries whose functions of the device name them and are never called.
#pragma once

#include "cuda_runtime.h"

#if defined(__CUDA__) && defined(__clang__)
extern "C" {
__device__ void* cudaGetParameterBuffer(size_t alignment, size_t size);
__device__ cudaError_t cudaLaunchDevice(void* function, void* parameters, dim3 grid, dim3 block,
                                        unsigned int shared, cudaStream_t stream);
__device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
}
#endif
