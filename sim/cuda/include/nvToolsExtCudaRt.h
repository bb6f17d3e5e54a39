// SPDX-License-Identifier: MIT
// NVTX's names of things of the CUDA runtime (nvToolsExt.h).
#pragma once

#include "cuda_runtime_api.h"
#include "nvToolsExt.h"

PAWS_NVTX(void, nvtxNameCudaDeviceA, 0, int, const char*)
PAWS_NVTX(void, nvtxNameCudaDeviceW, 0, int, const wchar_t*)
PAWS_NVTX(void, nvtxNameCudaStreamA, 0, cudaStream_t, const char*)
PAWS_NVTX(void, nvtxNameCudaStreamW, 0, cudaStream_t, const wchar_t*)
PAWS_NVTX(void, nvtxNameCudaEventA, 0, cudaEvent_t, const char*)
PAWS_NVTX(void, nvtxNameCudaEventW, 0, cudaEvent_t, const wchar_t*)

#define nvtxNameCudaDevice PAWS_NVTX_CHOSEN(nvtxNameCudaDevice)
#define nvtxNameCudaStream PAWS_NVTX_CHOSEN(nvtxNameCudaStream)
#define nvtxNameCudaEvent PAWS_NVTX_CHOSEN(nvtxNameCudaEvent)
