// SPDX-License-Identifier: MIT
// Part of CUDA's headers; here cuda_pipeline_primitives.h has what it has for C.
#pragma once

#include "cuda_pipeline_primitives.h"
