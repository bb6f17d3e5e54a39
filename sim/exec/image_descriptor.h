// SPDX-License-Identifier: MIT
// What the handle of a texture or surface object points to: the memory, its format, and how it is
// sampled. The descriptor lies in global memory and the handle is its address, so that a launch
// description (docs/guide/launch.md) holds objects as it holds buffers, and a destroyed object is
// found as freed memory is.
#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

namespace paws::exec {

enum class ChannelKind : std::uint8_t { signed_integer, unsigned_integer, floating };

/// One to four channels of 8, 16 or 32 bits, one behind the other; floating ones have 16 or 32.
struct TexelFormat {
  ChannelKind kind = ChannelKind::unsigned_integer;
  std::uint8_t channels = 1;
  std::uint8_t bits = 8;  ///< of a channel

  [[nodiscard]] unsigned bytes() const { return channels * bits / 8U; }
  bool operator==(const TexelFormat&) const = default;
};

/// How the texels lie in memory (sim/exec/image_layout.h).
enum class ImageKind : std::uint8_t {
  linear,   ///< one behind the other, from the address on
  pitched,  ///< in rows, `pitch` bytes apart
  array,    ///< in tiles
  layered,  ///< an array of layers, each 1D or 2D in tiles
  cube      ///< six layers for each cube
};

enum class AddressMode : std::uint8_t { wrap, clamp, mirror, border };

struct ImageDescriptor {
  static constexpr std::uint64_t kTexture = 0x5041'5753'5445'5831;  ///< `magic` of a texture
  static constexpr std::uint64_t kSurface = 0x5041'5753'5355'5246;
  static constexpr unsigned kMaxLevels = 16;

  std::uint64_t magic = 0;
  ImageKind kind = ImageKind::array;
  TexelFormat format;
  std::array<AddressMode, 3> address_mode{AddressMode::clamp, AddressMode::clamp,
                                          AddressMode::clamp};
  bool linear = false;             ///< filter inside a level
  bool linear_levels = false;      ///< filter between levels
  bool normalized = false;         ///< coordinates go from 0 to 1
  bool normalized_values = false;  ///< integers of 8 and 16 bits become floats from 0 or -1 to 1
  std::uint8_t levels = 1;
  // Texels of the first level; `height` is 0 of a 1D image, `depth` 0 of one that is not 3D.
  std::uint32_t width = 0, height = 0, depth = 0;
  std::uint32_t layers = 0;  ///< of layered images; of cubes six for each; else 0
  std::uint64_t pitch = 0;   ///< bytes, of pitched images
  float level_bias = 0, first_level = 0, last_level = 0;
  std::array<float, 4> border{};
  std::array<std::uint64_t, kMaxLevels> level{};  ///< where each level begins
};
static_assert(std::is_trivially_copyable_v<ImageDescriptor>);

}  // namespace paws::exec
