// SPDX-License-Identifier: MIT
// Everything is in cuda_fp16.h. Some programs include this name.
#pragma once

#include "cuda_fp16.h"
