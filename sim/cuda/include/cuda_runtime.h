// SPDX-License-Identifier: MIT
// CUDA C++ for clang without a CUDA SDK: scripts/cuda++ puts this file before every .cu source, as
// nvcc does with its own. A host compiler gets the runtime API alone.
#pragma once

// Programs ask for this name to know whether the header is there.
#define __CUDA_RUNTIME_H__

#if defined(__CUDA__) && defined(__clang__)
// Device overloads must be declared before the host functions of the same names.
#include <__clang_cuda_math_forward_declares.h>
#define __CUDACC__ 1
// So must these be for clang's operators new and delete, which come with <memory>.
extern "C" {
__attribute__((device)) void* malloc(__SIZE_TYPE__) __attribute__((nothrow, malloc));
__attribute__((device)) void free(void*) __attribute__((nothrow));
}
#endif

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifdef __cplusplus
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <new>

#include "channel_descriptor.h"
#include "cuda_runtime_templates.h"
#endif

#if defined(__CUDA__) && defined(__clang__)
#include "cuda_device_runtime_api.h"
#include "device_language.h"
#include "managed_variables.h"
#include "surface_indirect_functions.h"
#include "texture_indirect_functions.h"
// Only here, where <memory> is behind us: libstdc++ writes __attribute__((__noinline__)) in it.
#define __noinline__ __attribute__((noinline))
#endif
