// SPDX-License-Identifier: MIT
// From coordinates to texels and their weights, as the CUDA C++ Programming Guide says in its
// appendix "Texture Fetching" and in "Cubemap Textures". Nothing here looks at the texels.
#pragma once

#include <array>
#include <cstdint>

#include "sim/exec/image_descriptor.h"
#include "sim/ir/texture.h"

namespace paws::exec {

/// Texels of a fetch, at most: the corners of a cube, or four of each of two levels.
inline constexpr unsigned kMaxTexels = 8;

/// A place that no texel has: the border.
inline constexpr std::uint64_t kNoTexel = ~std::uint64_t{0};

struct WeightedTexel {
  std::uint64_t address = kNoTexel;
  double weight = 1;
};

/// The texels of one lane's fetch. Those of a gather come in the order of its results.
struct TexelSet {
  std::array<WeightedTexel, kMaxTexels> texels;
  unsigned count = 0;

  void add(std::uint64_t address, double weight) { texels[count++] = {address, weight}; }
};

/// What the operands of a fetch say. Coordinates beyond those of the shape do not count.
struct TexturePlace {
  std::array<float, 3> at{};            ///< with coordinates of f32
  std::array<std::int32_t, 3> index{};  ///< with coordinates of s32
  std::uint32_t layer = 0;
  float level = 0;
  std::array<float, 3> along_x{}, along_y{};  ///< derivatives
};

/// `integer`: the coordinates are s32, which never filter.
TexelSet texels_of(const ImageDescriptor& image, const ir::ImageAccess& access, bool integer,
                   const TexturePlace& place);

}  // namespace paws::exec
