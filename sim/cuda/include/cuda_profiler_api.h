// SPDX-License-Identifier: MIT
// cudaProfilerStart() and cudaProfilerStop() are in the runtime API.
#pragma once

#include "cuda_runtime_api.h"
