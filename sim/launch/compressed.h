// SPDX-License-Identifier: MIT
// Contents of buffers as compressed files (Zstandard, RFC 8878; the name ends with .zst).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

namespace paws {

/// The bytes as one frame that says how many they are.
std::string compressed(std::span<const std::byte> bytes);

/// The inverse. Nothing when `frame` is damaged, or does not say how many bytes it stands for.
std::optional<std::string> decompressed(const std::string& frame);

}  // namespace paws
