// SPDX-License-Identifier: MIT
// Everything is in cublas_v2.h. Some programs include this name.
#pragma once

#include "cublas_v2.h"
