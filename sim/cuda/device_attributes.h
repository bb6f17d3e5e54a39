// SPDX-License-Identifier: MIT
// The device's properties one by one.
#pragma once

#include <optional>

#include "sim/cuda/include/cuda_runtime_api.h"

namespace paws::cuda {

/// Nothing: CUDA has no such attribute.
std::optional<int> attribute_of(const cudaDeviceProp& p, cudaDeviceAttr attribute);

}  // namespace paws::cuda
