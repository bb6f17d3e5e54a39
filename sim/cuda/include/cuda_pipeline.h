// SPDX-License-Identifier: MIT
// Part of CUDA's headers: the functions of cuda_pipeline_primitives.h.
#pragma once

#include "cuda_pipeline_primitives.h"
