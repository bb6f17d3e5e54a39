// SPDX-License-Identifier: MIT
// Part of CUDA's headers; here cooperative_groups.h has all of it.
#pragma once

#include "../cooperative_groups.h"
