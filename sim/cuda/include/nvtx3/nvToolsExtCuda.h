// SPDX-License-Identifier: MIT
// Version 3 of NVTX has its headers here.
#pragma once

#include "../nvToolsExtCuda.h"
