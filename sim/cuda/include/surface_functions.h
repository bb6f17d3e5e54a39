// SPDX-License-Identifier: MIT
// Part of CUDA's headers; here cuda_runtime.h has all of it.
#pragma once

#include "cuda_runtime.h"
