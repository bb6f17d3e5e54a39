// SPDX-License-Identifier: MIT
// Part of CUDA's headers; here cuda_awbarrier_primitives.h has what it has for C.
#pragma once

#include "cuda_awbarrier_primitives.h"
