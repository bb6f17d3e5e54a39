// SPDX-License-Identifier: MIT
// Images in memory, and kernels that fetch from them, for tests.
#pragma once

#include <array>
#include <cstring>
#include <string>
#include <vector>

#include "sim/exec/image_descriptor.h"
#include "sim/exec/image_layout.h"
#include "sim/tests/exec/ptx_harness.h"

namespace paws::exec {

/// A fetch's coordinates and what comes behind them, as the kernel's registers %r0 to %r7.
using Place = std::array<std::uint32_t, 8>;
using Texel = std::array<std::uint32_t, 4>;

inline std::uint32_t word(float x) { return std::bit_cast<std::uint32_t>(x); }
template <class... Numbers>
Place place(Numbers... numbers) {
  return {word(static_cast<float>(numbers))...};
}

inline constexpr TexelFormat kFloat{ChannelKind::floating, 1, 32};

inline ImageDescriptor image_1d(std::uint32_t width, TexelFormat format = kFloat) {
  ImageDescriptor image;
  image.magic = ImageDescriptor::kTexture;
  image.format = format;
  image.width = width;
  return image;
}
inline ImageDescriptor image_2d(std::uint32_t width, std::uint32_t height,
                                TexelFormat format = kFloat) {
  ImageDescriptor image = image_1d(width, format);
  image.height = height;
  return image;
}

/// A kernel whose threads do one instruction each: `instruction` has the handle in %handle, its
/// operands in %r0 to %r7 and leaves its results in %d0 to %d3.
class ImageRun {
 public:
  explicit ImageRun(const std::string& instruction)
      : ptx_(R"(
.visible .entry k(.param .u64 image, .param .u64 in, .param .u64 out) {
  .reg .b32 %r<8>, %d<4>, %index; .reg .b64 %handle, %from, %to; .reg .b16 %h<4>;
  mov.u32 %index, %tid.x;
  ld.param.u64 %handle, [image]; ld.param.u64 %from, [in]; ld.param.u64 %to, [out];
  mad.wide.u32 %from, %index, 32, %from; mad.wide.u32 %to, %index, 16, %to;
  ld.global.v4.b32 {%r0,%r1,%r2,%r3}, [%from]; ld.global.v4.b32 {%r4,%r5,%r6,%r7}, [%from+16];
  mov.b32 %d0, 0; mov.b32 %d1, 0; mov.b32 %d2, 0; mov.b32 %d3, 0;
  )" + instruction +
             R"(
  st.global.v4.b32 [%to], {%d0,%d1,%d2,%d3};
  ret;
})") {}

  /// Memory for all levels of the image; the descriptor's addresses are filled.
  template <class Value>
  void fill(ImageDescriptor& image, const std::vector<std::vector<Value>>& levels) {
    for (unsigned level = 0; level < levels.size(); ++level) {
      const std::uint64_t bytes = level_bytes(image, level);
      image.level[level] = ptx_.buffer("array", bytes);
      const ImageExtent extent = extent_of(image, level);
      const std::size_t row = extent.width * image.format.bytes() / sizeof(Value);
      for (std::size_t i = 0; i < levels[level].size(); ++i) {
        const std::uint64_t y = i / row;
        const std::uint64_t address = byte_address(image, level, i % row * sizeof(Value),
                                                   y % extent.height, y / extent.height);
        ptx_.at<Value>(address) = levels[level][i];
      }
    }
  }
  template <class Value>
  void fill(ImageDescriptor& image, const std::vector<Value>& values) {
    fill(image, std::vector<std::vector<Value>>{values});
  }

  std::vector<Texel> run(const ImageDescriptor& image, const std::vector<Place>& places) {
    prepare(image, places);
    ptx_.run(shape_, params_);
    std::vector<Texel> results(places.size());
    std::memcpy(results.data(), &ptx_.at<std::byte>(params_[2]), results.size() * sizeof(Texel));
    return results;
  }
  std::string error(const ImageDescriptor& image, const std::vector<Place>& places) {
    prepare(image, places);
    return ptx_.run_error(shape_, params_);
  }
  PtxRun& ptx() { return ptx_; }
  std::vector<std::uint64_t>& params() { return params_; }
  [[nodiscard]] const LaunchShape& shape() const { return shape_; }

  void prepare(const ImageDescriptor& image, const std::vector<Place>& places) {
    const auto threads = static_cast<std::uint32_t>(places.size());
    shape_ = {{1, 1, 1}, {threads, 1, 1}};
    params_ = {ptx_.buffer("object", sizeof(image)), ptx_.buffer("in", threads * sizeof(Place)),
               ptx_.buffer("out", threads * sizeof(Texel))};
    std::memcpy(&ptx_.at<std::byte>(params_[0]), &image, sizeof(image));
    std::memcpy(&ptx_.at<std::byte>(params_[1]), places.data(), threads * sizeof(Place));
  }

 private:
  PtxRun ptx_;
  LaunchShape shape_;
  std::vector<std::uint64_t> params_;
};

/// The first channel of each result.
inline std::vector<float> first_floats(const std::vector<Texel>& texels) {
  std::vector<float> values;
  values.reserve(texels.size());
  for (const Texel& texel : texels) values.push_back(std::bit_cast<float>(texel[0]));
  return values;
}

}  // namespace paws::exec
