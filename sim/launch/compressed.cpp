// SPDX-License-Identifier: MIT
#include "sim/launch/compressed.h"

#include <zstd.h>

#include <cstdint>
#include <memory>
#include <stdexcept>

namespace paws {
namespace {

constexpr int kLevel = 3;
/// A frame that says more is damaged: no buffer is so large.
constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 33;

}  // namespace

std::string compressed(std::span<const std::byte> bytes) {
  const std::unique_ptr<ZSTD_CCtx, decltype(&ZSTD_freeCCtx)> context(ZSTD_createCCtx(),
                                                                     ZSTD_freeCCtx);
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_compressionLevel, kLevel);
  // So that a changed byte is found when the frame is read.
  ZSTD_CCtx_setParameter(context.get(), ZSTD_c_checksumFlag, 1);
  std::string frame(ZSTD_compressBound(bytes.size()), '\0');
  const std::size_t size =
      ZSTD_compress2(context.get(), frame.data(), frame.size(), bytes.data(), bytes.size());
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
