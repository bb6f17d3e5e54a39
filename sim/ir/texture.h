// SPDX-License-Identifier: MIT
// What instructions on textures and surfaces say (PTX ISA, "Texture Instructions" and "Surface
// Instructions").
#pragma once

#include <cstdint>

namespace paws::ir {

/// How coordinates name a texel. `a`: an array of layers; the number of the layer comes first.
enum class ImageShape : std::uint8_t { d1, d2, d3, a1d, a2d, cube, acube };

enum class TexMode : std::uint8_t {
  base,   ///< of the first level
  level,  ///< of the level that an operand names
  grad,   ///< of the level that follows from how fast the coordinates change
  gather  ///< tld4: one component of the four texels that linear filtering would mix
};

/// What a surface access outside the surface does.
enum class SurfaceEdge : std::uint8_t {
  trap,   ///< ends the run
  clamp,  ///< accesses the nearest place inside
  zero    ///< a load gives 0, a store does nothing
};

enum class ImageQuery : std::uint8_t { width, height, depth, array_size, levels };

/// Fields of an Instruction with Op::tex, suld, sust or image_query.
struct ImageAccess {
  ImageShape shape = ImageShape::d1;
  TexMode mode = TexMode::base;
  SurfaceEdge edge = SurfaceEdge::trap;
  ImageQuery query = ImageQuery::width;
  std::uint8_t component = 0;  ///< TexMode::gather: 0 to 3
  bool surface = false;        ///< image_query: of a surface
};

/// Whether the layer's number is the first operand behind the handle.
constexpr bool has_layer(ImageShape shape) {
  return shape == ImageShape::a1d || shape == ImageShape::a2d || shape == ImageShape::acube;
}

/// Coordinates, the layer's number not counted.
constexpr unsigned coordinates_of(ImageShape shape) {
  switch (shape) {
    case ImageShape::d1:
    case ImageShape::a1d:
      return 1;
    case ImageShape::d2:
    case ImageShape::a2d:
      return 2;
    default:
      return 3;
  }
}

/// Operands that name the texel: the layer's number and the coordinates.
constexpr unsigned place_operands(ImageShape shape) {
  return coordinates_of(shape) + (has_layer(shape) ? 1 : 0);
}

/// Operands behind them: the level, or the derivatives by x and by y on the screen.
constexpr unsigned level_operands(const ImageAccess& access) {
  switch (access.mode) {
    case TexMode::level:
      return 1;
    case TexMode::grad:
      return 2 * coordinates_of(access.shape);
    default:
      return 0;
  }
}

const char* to_string(ImageShape shape);
const char* to_string(TexMode mode);
const char* to_string(SurfaceEdge edge);
const char* to_string(ImageQuery query);

}  // namespace paws::ir
