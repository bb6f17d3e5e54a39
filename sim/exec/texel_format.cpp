// SPDX-License-Identifier: MIT
#include "sim/exec/texel_format.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

namespace paws::exec {
namespace {

/// IEEE binary16, which f32 holds exactly.
float from_half(std::uint32_t bits) {
  const std::uint32_t exponent = bits >> 10 & 0x1f;
  const std::uint32_t fraction = bits & 0x3ff;
  float value = 0;
  if (exponent == 0) {
    value = std::ldexp(static_cast<float>(fraction), -24);
  } else if (exponent == 0x1f) {
    value = std::bit_cast<float>(0x7f80'0000U | fraction << 13);
  } else {
    value = std::bit_cast<float>((exponent + 112) << 23 | fraction << 13);
  }
  return (bits & 0x8000) != 0 ? -value : value;
}

/// The bits of a channel, extended.
std::uint32_t raw_channel(const std::byte* texel, const TexelFormat& format, unsigned channel) {
  std::uint32_t bits = 0;
  const unsigned bytes = format.bits / 8U;
  std::memcpy(&bits, texel + std::size_t{channel} * bytes, bytes);
  if (format.kind != ChannelKind::signed_integer || format.bits == 32) return bits;
  const std::uint32_t sign = 1U << (format.bits - 1U);
  return (bits ^ sign) - sign;
}

}  // namespace

std::array<std::uint32_t, 4> channels_of(const std::byte* texel, const TexelFormat& format) {
  const bool floating = format.kind == ChannelKind::floating;
  std::array<std::uint32_t, 4> channels{0, 0, 0, floating ? std::bit_cast<std::uint32_t>(1.0F) : 1};
  for (unsigned i = 0; i < format.channels; ++i) {
    const std::uint32_t raw = raw_channel(texel, format, i);
    channels[i] =
        floating && format.bits == 16 ? std::bit_cast<std::uint32_t>(from_half(raw)) : raw;
  }
  return channels;
}

bool gives_floats(const ImageDescriptor& image) {
  return image.format.kind == ChannelKind::floating ||
         (image.normalized_values && image.format.bits < 32);
}

std::array<double, 4> values_of(const std::byte* texel, const ImageDescriptor& image) {
  const TexelFormat& format = image.format;
  const std::array<std::uint32_t, 4> channels = channels_of(texel, format);
  std::array<double, 4> values{0, 0, 0, 1};
  for (unsigned i = 0; i < format.channels; ++i) {
    switch (format.kind) {
      case ChannelKind::floating:
        values[i] = static_cast<double>(std::bit_cast<float>(channels[i]));
        break;
      case ChannelKind::unsigned_integer:
        values[i] = channels[i] / ((1U << format.bits) - 1.0);
        break;
      case ChannelKind::signed_integer:
        values[i] = std::max(
            static_cast<std::int32_t>(channels[i]) / ((1U << (format.bits - 1U)) - 1.0), -1.0);
        break;
    }
  }
  return values;
}

std::array<std::uint32_t, 4> border_channels(const ImageDescriptor& image) {
  std::array<std::uint32_t, 4> channels{};
  for (unsigned i = 0; i < 4; ++i) {
    const float colour = image.border[i];
    channels[i] = gives_floats(image)
                      ? std::bit_cast<std::uint32_t>(colour)
                      : static_cast<std::uint32_t>(static_cast<std::int64_t>(
                            std::isfinite(colour) ? std::clamp(colour, -0x1p31F, 0x1p32F) : 0));
  }
  return channels;
}

}  // namespace paws::exec
