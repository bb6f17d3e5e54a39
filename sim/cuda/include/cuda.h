// SPDX-License-Identifier: MIT
// Programs include this header for CUDA_VERSION. The driver API itself (cuInit, cuLaunchKernel,
// ...) does not exist here.
#pragma once

#include "cuda_runtime_api.h"

typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice;
