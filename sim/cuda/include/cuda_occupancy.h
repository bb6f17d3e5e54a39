// SPDX-License-Identifier: MIT
// Part of CUDA's headers, which Thrust includes; here cuda_runtime.h has what asks for occupancy.
#pragma once

#include "cuda_runtime.h"
