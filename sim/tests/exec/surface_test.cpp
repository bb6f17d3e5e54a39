// SPDX-License-Identifier: MIT
// Loads from surfaces and stores to them. x counts bytes, as the CUDA C++ Programming Guide says.
#include "sim/tests/exec/texture_support.h"

namespace paws::exec {
namespace {

ImageDescriptor surface_2d(std::uint32_t width, std::uint32_t height, TexelFormat format) {
  ImageDescriptor image = image_2d(width, height, format);
  image.magic = ImageDescriptor::kSurface;
  return image;
}

constexpr TexelFormat kWord{ChannelKind::unsigned_integer, 1, 32};

Place at(int x, int y, int layer = 0) {
  return {static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y),
          static_cast<std::uint32_t>(layer)};
}

std::vector<std::uint32_t> first_words(const std::vector<Texel>& texels) {
  std::vector<std::uint32_t> words;
  words.reserve(texels.size());
  for (const Texel& texel : texels) words.push_back(texel[0]);
  return words;
}

TEST(Surface, LoadsAndStores) {
  ImageDescriptor image = surface_2d(2, 2, kWord);
  ImageRun load("suld.b.2d.b32.trap {%d0}, [%handle, {%r0,%r1}];");
  load.fill<std::uint32_t>(image, std::vector<std::uint32_t>{5, 6, 7, 8});
  EXPECT_EQ(first_words(load.run(image, {at(0, 0), at(4, 0), at(0, 1), at(4, 1)})),
            (std::vector<std::uint32_t>{5, 6, 7, 8}));

  ImageDescriptor target = surface_2d(2, 2, {ChannelKind::unsigned_integer, 4, 8});
  ImageRun store(
      "cvt.u16.u32 %h0, %r0; cvt.u16.u32 %h1, %r1; mov.b16 %h2, 300; mov.b16 %h3, 9;\n"
      "sust.b.2d.v4.b8.trap [%handle, {%r0,%r1}], {%h0,%h1,%h2,%h3};\n"
      "suld.b.2d.b32.trap %d0, [%handle, {%r0,%r1}];\n"
      "suld.b.2d.v4.b8.trap {%h0,%h1,%h2,%h3}, [%handle, {%r0,%r1}]; cvt.u32.u16 %d1, %h2;");
  store.fill<std::uint8_t>(target, std::vector<std::uint8_t>(16, 0));
  // A channel takes the low byte: 300 is 44.
  EXPECT_EQ(store.run(target, {at(4, 1)}), (std::vector<Texel>{{0x092c'0104, 44, 0, 0}}));
  EXPECT_EQ(store.ptx().at<std::uint8_t>(target.level[0] + 64 + 4 + 2), 44);
}

TEST(Surface, LayersSlicesAndWideValues) {
  ImageDescriptor box = surface_2d(2, 2, {ChannelKind::unsigned_integer, 2, 32});
  box.depth = 2;
  ImageRun three(
      "mov.b64 %from, 77; sust.b.3d.b64.trap [%handle, {%r0,%r1,%r2,%r2}], {%from};\n"
      "suld.b.3d.v2.b32.trap {%d0,%d1}, [%handle, {%r0,%r1,%r2,%r2}];");
  three.fill<std::uint32_t>(box, std::vector<std::uint32_t>(16, 1));
  EXPECT_EQ(three.run(box, {at(8, 1, 1)}), (std::vector<Texel>{{77, 0, 0, 0}}));

  ImageDescriptor layers = surface_2d(2, 1, kWord);
  layers.kind = ImageKind::layered;
  layers.layers = 2;
  ImageRun layered("suld.b.a2d.b32.trap {%d0}, [%handle, {%r2,%r0,%r1,%r1}];");
  layered.fill<std::uint32_t>(layers, std::vector<std::uint32_t>{1, 2, 3, 4});
  EXPECT_EQ(first_words(layered.run(layers, {at(4, 0, 0), at(0, 0, 1)})),
            (std::vector<std::uint32_t>{2, 3}));
}

TEST(Surface, OutsideItTrapsClampsOrGivesZero) {
  ImageDescriptor image = surface_2d(2, 2, kWord);
  const std::vector<std::uint32_t> values{5, 6, 7, 8};
  const auto outside = std::vector<Place>{at(8, 0), at(-4, 1), at(0, 9)};
  ImageRun clamp("suld.b.2d.b32.clamp {%d0}, [%handle, {%r0,%r1}];");
  clamp.fill<std::uint32_t>(image, values);
  EXPECT_EQ(first_words(clamp.run(image, outside)), (std::vector<std::uint32_t>{6, 7, 7}));
  ImageRun zero(
      "mov.b32 %d0, 3; sust.b.2d.b32.zero [%handle, {%r0,%r1}], {%d0};\n"
      "suld.b.2d.b32.zero {%d0}, [%handle, {%r0,%r1}];");
  zero.fill<std::uint32_t>(image, values);
  EXPECT_EQ(first_words(zero.run(image, outside)), (std::vector<std::uint32_t>{0, 0, 0}));
  EXPECT_EQ(zero.ptx().at<std::uint32_t>(image.level[0] + 4), 6U);
  ImageRun trap("suld.b.2d.b32.trap {%d0}, [%handle, {%r0,%r1}];");
  trap.fill<std::uint32_t>(image, values);
  EXPECT_NE(trap.error(image, {at(8, 1)})
                .find("4-byte surface load at byte 8 of row 1 of layer 0: outside the surface, "
                      "which has 1 layers of 2 rows of 8 bytes"),
            std::string::npos);
  EXPECT_NE(trap.error(image, {at(2, 0)}).find("not a multiple of 4"), std::string::npos);
}

TEST(Surface, Queries) {
  const ImageDescriptor image = surface_2d(5, 6, kWord);
  ImageRun run("suq.width.b32 %d0, [%handle]; suq.height.b32 %d1, [%handle];");
  EXPECT_EQ(run.run(image, {Place{}}), (std::vector<Texel>{{5, 6, 0, 0}}));
}

}  // namespace
}  // namespace paws::exec
