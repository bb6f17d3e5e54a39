// SPDX-License-Identifier: MIT
// What the bytes of a texel mean.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "sim/exec/image_descriptor.h"

namespace paws::exec {

/// Channels as the 32 bits that a fetch without filter gives: integers extended, floats as f32.
/// Those that the format has not are 0, the fourth one 1, as graphics has it.
std::array<std::uint32_t, 4> channels_of(const std::byte* texel, const TexelFormat& format);

/// Whether a fetch gives floats: the channels are, or the image asks for normalized values of 8 or
/// 16 bits. Only then are texels filtered.
bool gives_floats(const ImageDescriptor& image);

/// Channels as numbers to filter; gives_floats() holds.
std::array<double, 4> values_of(const std::byte* texel, const ImageDescriptor& image);

/// The border: zero, or the colour that the image has.
std::array<std::uint32_t, 4> border_channels(const ImageDescriptor& image);

}  // namespace paws::exec
