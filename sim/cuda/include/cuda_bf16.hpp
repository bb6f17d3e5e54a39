// SPDX-License-Identifier: MIT
// Everything is in cuda_bf16.h. Some programs include this name.
#pragma once

#include "cuda_bf16.h"
