// SPDX-License-Identifier: MIT
// Where the texels of an image lie.
//
// Arrays lie in tiles of 64 bytes by 8 rows, row after row inside a tile, tile after tile in a row
// of tiles: neighbours in both directions share cache lines, 64 bytes by 2 rows each. A 1D array is
// one row without tiles. Layers and the slices of a 3D array follow each other.
#pragma once

#include <algorithm>
#include <cstdint>

#include "sim/exec/image_descriptor.h"

namespace paws::exec {

inline constexpr unsigned kTileBytes = 64;
inline constexpr unsigned kTileRows = 8;

/// Texels of a level; `layers` counts slices of a 3D image too. None is 0.
struct ImageExtent {
  std::uint64_t width = 1, height = 1, layers = 1;
};

inline ImageExtent extent_of(const ImageDescriptor& image, unsigned level) {
  const auto part = [level](std::uint32_t size) {
    return std::max<std::uint64_t>(std::uint64_t{size} >> level, 1);
  };
  ImageExtent extent{part(image.width), part(image.height), part(image.depth)};
  if (image.layers != 0) extent.layers = image.layers;
  return extent;
}

/// Bytes of a layer of an array with rows of `width` bytes; `height` of a 1D array is 0.
inline std::uint64_t layer_bytes(std::uint64_t width, std::uint64_t height) {
  const std::uint64_t padded = (width + kTileBytes - 1) / kTileBytes * kTileBytes;
  if (height == 0) return padded;
  return padded * ((height + kTileRows - 1) / kTileRows * kTileRows);
}

/// Where byte `x` of a row lies in an array with rows of `width` bytes, from its beginning.
inline std::uint64_t array_offset(std::uint64_t width, std::uint64_t height, std::uint64_t x,
                                  std::uint64_t y, std::uint64_t layer) {
  const std::uint64_t base = layer * layer_bytes(width, height);
  if (height == 0) return base + x;
  const std::uint64_t tiles = (width + kTileBytes - 1) / kTileBytes;
  const std::uint64_t tile = y / kTileRows * tiles + x / kTileBytes;
  return base + tile * kTileBytes * kTileRows + y % kTileRows * kTileBytes + x % kTileBytes;
}

/// Bytes of a level.
inline std::uint64_t level_bytes(const ImageDescriptor& image, unsigned level) {
  const ImageExtent extent = extent_of(image, level);
  const std::uint64_t row = extent.width * image.format.bytes();
  switch (image.kind) {
    case ImageKind::linear:
      return row;
    case ImageKind::pitched:
      return (extent.height - 1) * image.pitch + row;
    default:
      return extent.layers * layer_bytes(row, image.height == 0 ? 0 : extent.height);
  }
}

/// The address of byte `x` of row `y`, inside the level.
inline std::uint64_t byte_address(const ImageDescriptor& image, unsigned level, std::uint64_t x,
                                  std::uint64_t y, std::uint64_t layer) {
  switch (image.kind) {
    case ImageKind::linear:
      return image.level[0] + x;
    case ImageKind::pitched:
      return image.level[0] + y * image.pitch + x;
    default: {
      const ImageExtent extent = extent_of(image, level);
      return image.level[level] + array_offset(extent.width * image.format.bytes(),
                                               image.height == 0 ? 0 : extent.height, x, y, layer);
    }
  }
}

}  // namespace paws::exec
