// SPDX-License-Identifier: MIT
// Copies from and to arrays, whose rows lie in tiles.
#pragma once

#include <cstddef>

#include "sim/cuda/copy_time.h"
#include "sim/cuda/runtime.h"

namespace paws::cuda {

/// One side of a copy of a box: an array, or rows of plain memory.
struct BoxSide {
  cudaArray_const_t array = nullptr;
  std::size_t x = 0, y = 0, z = 0;   ///< where the box begins in the array; x in bytes
  const void* pointer = nullptr;     ///< of the box's first byte in plain memory
  std::size_t pitch = 0, slice = 0;  ///< bytes from row to row, and from slice to slice
};

/// `width` in bytes.
cudaError_t copy_box(Runtime& runtime, const BoxSide& to, const BoxSide& from, std::size_t width,
                     std::size_t height, std::size_t depth, cudaMemcpyKind kind,
                     const Submission& submission);

/// cudaMemcpy3D(): between arrays, plain memory, or both.
cudaError_t copy_box(Runtime& runtime, const cudaMemcpy3DParms* parameters,
                     const Submission& submission);

/// `bytes` of an array in the order of its rows, from the place that the side says on; the other
/// side is plain memory.
cudaError_t copy_rows(Runtime& runtime, const BoxSide& to, const BoxSide& from, std::size_t bytes,
                      cudaMemcpyKind kind, const Submission& submission);

}  // namespace paws::cuda
