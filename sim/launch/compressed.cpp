// SPDX-License-Identifier: MIT
#include "sim/launch/compressed.h"

#include <zstd.h>

#include <cstdint>
#include <stdexcept>

namespace paws {
namespace {

constexpr int kLevel = 3;
/// A frame that says more is damaged: no buffer is so large.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 33;

}  // namespace

std::string compressed(std::span<const std::byte> bytes) {
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress(frame.data(), frame.size(), bytes.data(), bytes.size(), kLevel);
  if (ZSTD_isError(size) != 0) throw std::logic_error("zstd cannot compress");
  frame.resize(size);
  return frame;
}

std::optional<std::string> decompressed(const std::string& frame) {
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size == ZSTD_CONTENTSIZE_ERROR || size == ZSTD_CONTENTSIZE_UNKNOWN || size > kMostBytes) {
    return std::nullopt;
  }
  std::string bytes(size, '\0');
  const std::size_t got = ZSTD_decompress(bytes.data(), bytes.size(), frame.data(), frame.size());
  if (ZSTD_isError(got) != 0 || got != size) return std::nullopt;
  return bytes;
}

}  // namespace paws
