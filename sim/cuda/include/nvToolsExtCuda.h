// SPDX-License-Identifier: MIT
// NVTX's names of things of the driver API (nvToolsExt.h), as far as they are the runtime's, too.
#pragma once

#include "cuda.h"
#include "nvToolsExt.h"

PAWS_NVTX(void, nvtxNameCuDeviceA, 0, CUdevice, const char*)
PAWS_NVTX(void, nvtxNameCuDeviceW, 0, CUdevice, const wchar_t*)
PAWS_NVTX(void, nvtxNameCuStreamA, 0, CUstream, const char*)
PAWS_NVTX(void, nvtxNameCuStreamW, 0, CUstream, const wchar_t*)
PAWS_NVTX(void, nvtxNameCuEventA, 0, CUevent, const char*)
PAWS_NVTX(void, nvtxNameCuEventW, 0, CUevent, const wchar_t*)

#define nvtxNameCuDevice PAWS_NVTX_CHOSEN(nvtxNameCuDevice)
#define nvtxNameCuStream PAWS_NVTX_CHOSEN(nvtxNameCuStream)
#define nvtxNameCuEvent PAWS_NVTX_CHOSEN(nvtxNameCuEvent)
