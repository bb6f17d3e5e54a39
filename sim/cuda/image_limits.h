// SPDX-License-Identifier: MIT
// The largest images, in texels: those of compute capability 7.5 and 8.0 ("CUDA C++ Programming
// Guide", "Technical Specifications per Compute Capability").
#pragma once

namespace paws::cuda {

inline constexpr int kMaxWidth = 131072;    ///< of 1D and 2D arrays
inline constexpr int kMaxHeight = 65536;    ///< of 2D arrays
inline constexpr int kMaxSide3d = 16384;    ///< of a 3D array, in all directions
inline constexpr int kMaxSide = 32768;      ///< of layers, faces of cubes, and arrays with levels
inline constexpr int kMaxLayers = 2048;     ///< of layered arrays
inline constexpr int kMaxFaces = 2046;      ///< of cubes, all layers together
inline constexpr int kMaxLinear = 1 << 27;  ///< of linear memory

}  // namespace paws::cuda
