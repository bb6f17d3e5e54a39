// SPDX-License-Identifier: MIT
// Texture fetches. The values are worked out by hand from the CUDA C++ Programming Guide, "Texture
// Fetching" and "Cubemap Textures".
#include <cmath>
#include <limits>

#include "sim/tests/exec/texture_support.h"

namespace paws::exec {
namespace {

const char* const kTex1d = "tex.1d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0}];";
const char* const kTex2d = "tex.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0,%r1}];";

/// T = {10, 20, 30, 40}.
std::vector<float> four(ImageDescriptor image, const std::vector<Place>& places) {
  ImageRun run(kTex1d);
  run.fill<float>(image, std::vector<float>{10, 20, 30, 40});
  return first_floats(run.run(image, places));
}

TEST(Texture, PointSamplingTakesTheTexelUnderTheCoordinate) {
  const ImageDescriptor image = image_1d(4);
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(four(image, {place(0), place(0.99), place(1), place(3.5), place(-0.5), place(9),
                         place(nan), place(infinity), place(-infinity)}),
            (std::vector<float>{10, 10, 20, 40, 10, 40, 10, 40, 10}));
}

TEST(Texture, LinearFilteringMixesNeighboursByTheFractionFromTheCentre) {
  ImageDescriptor image = image_1d(4);
  image.linear = true;
  // x = 1.25: xB = 0.75, i = 0, alpha = 0.75: 0.25 * 10 + 0.75 * 20.
  EXPECT_EQ(four(image, {place(0.5), place(1), place(1.25), place(0), place(4), place(3.25)}),
            (std::vector<float>{10, 15, 17.5, 10, 40, 37.5}));
}

TEST(Texture, TheFractionHasEightBits) {
  ImageDescriptor image = image_1d(4);
  image.linear = true;
  // 1/512 is half a step and becomes one, 1/1024 none, 1 - 1/1024 becomes 1.
  EXPECT_EQ(four(image, {place(0.5 + 1.0 / 512), place(0.5 + 1.0 / 1024), place(1.5 - 1.0 / 1024),
                         place(0.5 + 3.0 / 256)}),
            (std::vector<float>{10 + 10.0F / 256, 10, 20, 10 + 30.0F / 256}));
}

TEST(Texture, TheBorderIsZeroOrItsColour) {
  ImageDescriptor image = image_1d(4);
  image.address_mode[0] = AddressMode::border;
  EXPECT_EQ(four(image, {place(-1), place(4), place(3.9), place(0)}),
            (std::vector<float>{0, 0, 40, 10}));
  image.linear = true;
  EXPECT_EQ(four(image, {place(0), place(4), place(5)}), (std::vector<float>{5, 20, 0}));
  image.border[0] = 6;
  EXPECT_EQ(four(image, {place(0), place(5)}), (std::vector<float>{8, 6}));
}

TEST(Texture, NormalizedCoordinatesWrapMirrorAndClamp) {
  ImageDescriptor image = image_1d(4);
  image.normalized = true;
  EXPECT_EQ(four(image, {place(0.25), place(0.74), place(7), place(-3)}),
            (std::vector<float>{20, 30, 40, 10}));
  image.address_mode[0] = AddressMode::wrap;
  EXPECT_EQ(four(image, {place(1.25), place(-0.25), place(-7)}), (std::vector<float>{20, 40, 10}));
  image.address_mode[0] = AddressMode::mirror;
  // 1.125 is 0.875 from the other side, and -0.125 is 0.125.
  EXPECT_EQ(four(image, {place(1.125), place(-0.125), place(2.25)}),
            (std::vector<float>{40, 10, 20}));
}

TEST(Texture, LinearFilteringReachesAcrossTheEdgeAsTheModeSays) {
  ImageDescriptor image = image_1d(4);
  image.normalized = image.linear = true;
  image.address_mode[0] = AddressMode::wrap;
  // x = 0: xB = -0.5: half of T[3], half of T[0].
  EXPECT_EQ(four(image, {place(0), place(1), place(0.25)}), (std::vector<float>{25, 25, 15}));
  image.address_mode[0] = AddressMode::mirror;
  EXPECT_EQ(four(image, {place(0), place(0.25)}), (std::vector<float>{10, 15}));
}

TEST(Texture, TwoAndThreeDimensions) {
  ImageDescriptor image = image_2d(2, 2);
  ImageRun run(kTex2d);
  run.fill<float>(image, std::vector<float>{0, 16, 32, 64});
  EXPECT_EQ(first_floats(run.run(image, {place(1.5, 0.2), place(0.1, 1.9)})),
            (std::vector<float>{16, 32}));
  image.linear = true;
  // (1.25, 0.5): alpha = 0.75, beta = 0.
  EXPECT_EQ(first_floats(run.run(image, {place(1, 1), place(1.25, 0.5), place(1.25, 1.25)})),
            (std::vector<float>{28, 12, 0.25F * 12 + 0.75F * 56}));

  ImageDescriptor box = image_2d(2, 2);
  box.depth = 2;
  box.linear = true;
  ImageRun boxes("tex.3d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0,%r1,%r2,%r2}];");
  boxes.fill<float>(box, std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(
      first_floats(boxes.run(box, {place(1, 1, 1), place(0.5, 0.5, 1.25), place(1.5, 1.5, 9)})),
      (std::vector<float>{4.5, 4, 8}));
}

TEST(Texture, ChannelsOfEveryFormat) {
  using Words = std::vector<Texel>;
  const auto words = [](const char* type, TexelFormat format, const auto& values) {
    using Value = typename std::decay_t<decltype(values)>::value_type;
    ImageDescriptor image = image_1d(1, format);
    ImageRun run(std::string("tex.1d.v4.") + type + ".s32 {%d0,%d1,%d2,%d3}, [%handle, {%r0}];");
    run.fill<Value>(image, values);
    return run.run(image, {Place{}});
  };
  constexpr auto kSigned = ChannelKind::signed_integer;
  constexpr auto kUnsigned = ChannelKind::unsigned_integer;
  constexpr auto kFloating = ChannelKind::floating;
  EXPECT_EQ(words("u32", {kUnsigned, 4, 8}, std::vector<std::uint8_t>{1, 200, 3, 255}),
            (Words{{1, 200, 3, 255}}));
  EXPECT_EQ(words("s32", {kSigned, 2, 8}, std::vector<std::int8_t>{-1, -128}),
            (Words{{0xffff'ffff, 0xffff'ff80, 0, 1}}));
  EXPECT_EQ(words("u32", {kUnsigned, 1, 16}, std::vector<std::uint16_t>{65535}),
            (Words{{65535, 0, 0, 1}}));
  EXPECT_EQ(words("s32", {kSigned, 1, 16}, std::vector<std::int16_t>{-2}),
            (Words{{0xffff'fffe, 0, 0, 1}}));
  EXPECT_EQ(words("s32", {kSigned, 4, 32}, std::vector<std::int32_t>{-7, 8, 9, 10}),
            (Words{{0xffff'fff9, 8, 9, 10}}));
  EXPECT_EQ(words("f32", {kFloating, 2, 32}, std::vector<float>{1.5F, -2}),
            (Words{{word(1.5F), word(-2), 0, word(1)}}));
  // 1, -2, the smallest number, infinity.
  EXPECT_EQ(
      words("f32", {kFloating, 4, 16}, std::vector<std::uint16_t>{0x3c00, 0xc000, 0x0001, 0x7c00}),
      (Words{{word(1), word(-2), word(0x1p-24F), word(std::numeric_limits<float>::infinity())}}));
}

TEST(Texture, NormalizedValues) {
  ImageDescriptor image = image_1d(2, {ChannelKind::unsigned_integer, 1, 8});
  image.normalized_values = true;
  ImageRun run(kTex1d);
  run.fill<std::uint8_t>(image, std::vector<std::uint8_t>{51, 255});
  EXPECT_EQ(first_floats(run.run(image, {place(0), place(1)})), (std::vector<float>{0.2F, 1}));
  image.linear = true;
  EXPECT_EQ(first_floats(run.run(image, {place(1)})), (std::vector<float>{0.6F}));
  ImageDescriptor with_sign = image_1d(3, {ChannelKind::signed_integer, 1, 8});
  with_sign.normalized_values = true;
  run.fill<std::int8_t>(with_sign, std::vector<std::int8_t>{-128, -127, 127});
  EXPECT_EQ(first_floats(run.run(with_sign, {place(0), place(1), place(2)})),
            (std::vector<float>{-1, -1, 1}));
  ImageDescriptor wide = image_1d(2, {ChannelKind::signed_integer, 1, 16});
  wide.normalized_values = true;
  run.fill<std::int16_t>(wide, std::vector<std::int16_t>{-32767, 16384});
  EXPECT_EQ(first_floats(run.run(wide, {place(0), place(1)})),
            (std::vector<float>{-1, 16384.0F / 32767}));
}

TEST(Texture, LinearMemoryReadsAsZeroOutside) {
  ImageDescriptor image = image_1d(3);
  image.kind = ImageKind::linear;
  ImageRun run("tex.1d.v4.f32.s32 {%d0,%d1,%d2,%d3}, [%handle, {%r0}];");
  run.fill<float>(image, std::vector<float>{7, 8, 9});
  EXPECT_EQ(first_floats(run.run(image, {Place{0}, Place{2}, Place{3}, Place{0xffff'ffff}})),
            (std::vector<float>{7, 9, 0, 0}));
}

TEST(Texture, RowsOfPitchedMemory) {
  ImageDescriptor image = image_2d(2, 2);
  image.kind = ImageKind::pitched;
  image.pitch = 96;
  ImageRun run(kTex2d);
  image.level[0] = run.ptx().buffer("rows", 192);
  run.ptx().at<float>(image.level[0] + 4) = 5;
  run.ptx().at<float>(image.level[0] + 96) = 6;
  EXPECT_EQ(first_floats(run.run(image, {place(1, 0), place(0, 1)})), (std::vector<float>{5, 6}));
}

TEST(Texture, TilesOfArrays) {
  // Rows of 160 bytes are 3 tiles of 64. (17, 9) is in the second tile of the second row of tiles,
  // byte 4 of row 1 there. Layers have 16 rows of 192 bytes.
  EXPECT_EQ(array_offset(160, 9, 68, 9, 0), (1U * 3 + 1) * 512 + 64 + 4);
  EXPECT_EQ(layer_bytes(160, 9), 3072U);
  EXPECT_EQ(array_offset(160, 9, 0, 0, 2), 6144U);
  EXPECT_EQ(array_offset(160, 0, 68, 0, 1), 192U + 68);
  // Two rows of a tile are one cache line.
  EXPECT_EQ(array_offset(160, 9, 0, 2, 0), 128U);
}

TEST(Texture, LayersAreChosenByNumber) {
  ImageDescriptor image = image_2d(2, 1);
  image.kind = ImageKind::layered;
  image.layers = 3;
  ImageRun run("tex.a2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0,%r1,%r2,%r2}];");
  run.fill<float>(image, std::vector<float>{1, 2, 3, 4, 5, 6});
  const auto at = [](std::uint32_t layer, float x) { return Place{layer, word(x), word(0)}; };
  EXPECT_EQ(first_floats(run.run(image, {at(0, 1), at(1, 0), at(2, 1), at(9, 0)})),
            (std::vector<float>{2, 3, 6, 5}));

  ImageDescriptor rows = image_1d(2);
  rows.kind = ImageKind::layered;
  rows.layers = 2;
  ImageRun lines("tex.a1d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0,%r1}];");
  lines.fill<float>(rows, std::vector<float>{1, 2, 3, 4});
  EXPECT_EQ(first_floats(lines.run(rows, {at(0, 1), at(1, 0)})), (std::vector<float>{2, 3}));
}

TEST(Texture, CubesHaveTheFacesOfTheGuide) {
  ImageDescriptor image = image_2d(2, 2);
  image.kind = ImageKind::cube;
  image.layers = 6;
  ImageRun run("tex.cube.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0,%r1,%r2,%r2}];");
  std::vector<float> values;
  for (int i = 0; i < 24; ++i) values.push_back(static_cast<float>(i));
  run.fill<float>(image, values);
  // Face 0, x = 1: s = -z = 0.5, t = -y = 0.5, so both are in the second half: texel 3 of face 0.
  EXPECT_EQ(first_floats(
                run.run(image, {place(1, -0.5, -0.5), place(-1, 0.5, 0.5), place(0.5, 1, -0.5),
                                place(0.5, -1, 0.5), place(-0.5, -0.5, 1), place(0.5, 0.5, -1)})),
            (std::vector<float>{3, 4 + 1, 8 + 1, 12 + 1, 16 + 2, 20 + 0}));

  ImageDescriptor two = image;
  two.layers = 12;
  ImageRun cubes("tex.acube.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0,%r1,%r2,%r3}];");
  for (int i = 24; i < 48; ++i) values.push_back(static_cast<float>(i));
  cubes.fill<float>(two, values);
  EXPECT_EQ(first_floats(cubes.run(two, {Place{1, word(1), word(-0.5F), word(-0.5F)}})),
            (std::vector<float>{27}));
}

TEST(Texture, LevelsOfAMipmap) {
  ImageDescriptor image = image_2d(4, 4);
  image.levels = 3;
  image.last_level = 9;
  ImageRun run("tex.level.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0,%r1}], %r2;");
  run.fill<float>(image, {std::vector<float>(16, 1), {2, 3, 4, 5}, {8}});
  // Level 1 has 2 by 2 texels; coordinates in texels of a level.
  EXPECT_EQ(first_floats(run.run(image, {place(0, 0, 0), place(1, 1, 1), place(0, 0, 1.4),
                                         place(0, 0, 1.6), place(0, 0, 7)})),
            (std::vector<float>{1, 5, 2, 8, 8}));
  image.linear_levels = true;
  image.normalized = true;
  EXPECT_EQ(first_floats(run.run(image, {place(0.9, 0.9, 0.25), place(0.1, 0.1, 1.5)})),
            (std::vector<float>{2, 5}));
  image.level_bias = 1;
  image.last_level = 1;
  EXPECT_EQ(first_floats(run.run(image, {place(0.9, 0.9, 0), place(0.9, 0.9, 3)})),
            (std::vector<float>{5, 5}));

  ImageDescriptor plain = image_2d(4, 4);
  plain.levels = 3;
  plain.last_level = 9;
  ImageRun grads(
      "tex.grad.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0,%r1}], {%r2,%r3}, {%r4,%r5};");
  grads.fill<float>(plain, {std::vector<float>(16, 1), {2, 3, 4, 5}, {8}});
  // A step of 2 texels is level 1, one of 4 level 2.
  EXPECT_EQ(first_floats(grads.run(plain, {place(0, 0, 1, 0, 0, 1), place(0, 0, 2, 0, 0, 1),
                                           place(0, 0, 0, 1, 0, 4), place(0, 0, 0, 0, 0, 0)})),
            (std::vector<float>{1, 2, 8, 1}));
  // Coordinates that do not change ask for the first level, however far the bias goes.
  plain.level_bias = 1;
  EXPECT_EQ(first_floats(grads.run(plain, {place(0, 0, 0, 0, 0, 0), place(0, 0, 1, 0, 0, 1)})),
            (std::vector<float>{1, 2}));
}

TEST(Texture, GatherGivesTheFourTexelsThatWouldBeMixed) {
  ImageDescriptor image = image_2d(2, 2, {ChannelKind::floating, 2, 32});
  ImageRun run("tld4.g.2d.v4.f32.f32 {%d0,%d1,%d2,%d3}, [%handle, {%r0,%r1}];");
  run.fill<float>(image, std::vector<float>{0, 1, 0, 2, 0, 3, 0, 4});
  // Lower left, lower right, upper right, upper left; y grows downwards.
  EXPECT_EQ(run.run(image, {place(1, 1)}),
            (std::vector<Texel>{{word(3), word(4), word(2), word(1)}}));
  // In the mirrored copy left of the image, what is further right has the smaller x.
  image.normalized = true;
  image.address_mode = {AddressMode::mirror, AddressMode::mirror, AddressMode::mirror};
  EXPECT_EQ(run.run(image, {place(-0.5, 0.5), place(0.5, -0.5)}),
            (std::vector<Texel>{{word(4), word(3), word(1), word(2)},
                                {word(1), word(2), word(4), word(3)}}));
}

TEST(Texture, Queries) {
  ImageDescriptor image = image_2d(5, 6);
  image.depth = 7;
  image.levels = 2;
  ImageRun run(
      "txq.width.b32 %d0, [%handle]; txq.height.b32 %d1, [%handle];\n"
      "txq.depth.b32 %d2, [%handle]; txq.num_mipmap_levels.b32 %d3, [%handle];");
  EXPECT_EQ(run.run(image, {Place{}}), (std::vector<Texel>{{5, 6, 7, 2}}));
}

TEST(Texture, WhatCannotBeFetchedIsAnError) {
  ImageDescriptor image = image_2d(2, 2);
  ImageRun run(kTex2d);
  run.fill<float>(image, std::vector<float>{1, 2, 3, 4});
  ImageDescriptor other = image_1d(2);
  other.level = image.level;
  EXPECT_NE(run.error(other, {Place{}}).find("a .2d access to a 1D array"), std::string::npos);
  other = image;
  other.magic = ImageDescriptor::kSurface;
  EXPECT_NE(run.error(other, {Place{}}).find("is no texture object"), std::string::npos);
  other = image;
  other.format = {ChannelKind::unsigned_integer, 1, 32};
  other.linear = true;
  EXPECT_NE(run.error(other, {Place{}}).find("linear filtering of a texture of integers"),
            std::string::npos);
  other = image;
  other.level[0] = 0x1000;
  EXPECT_NE(run.error(other, {Place{}}).find("4-byte texture fetch at global address 0x1000"),
            std::string::npos);
  run.prepare(image, {Place{}});
  run.params()[0] = 0x5000;
  EXPECT_NE(run.ptx()
                .run_error(run.shape(), run.params())
                .find("kernel 'k', block (0,0,0), warp 0, lane 0, thread (0,0,0): no texture "
                      "object at address 0x5000"),
            std::string::npos);
}

TEST(Texture, RowsOfLargeWarpsFetchTheSame) {
  ImageDescriptor image = image_1d(4);
  image.linear = true;
  ImageRun run(kTex1d);
  run.fill<float>(image, std::vector<float>{10, 20, 30, 40});
  run.ptx().use_rows(2);
  std::vector<Place> places;
  for (int i = 0; i < 64; ++i) places.push_back(place(i / 16.0));
  const std::vector<float> values = first_floats(run.run(image, places));
  EXPECT_EQ(values[16], 15);
  EXPECT_EQ(values[63], 40);
}

}  // namespace
}  // namespace paws::exec
