// SPDX-License-Identifier: MIT
// What texture fetches and surface accesses mean for cycles, and that windows change nothing.

#include <gtest/gtest.h>

#include <cstring>

#include "sim/exec/image_descriptor.h"
#include "sim/tests/gpu/races.h"

namespace paws {
namespace {

constexpr std::uint64_t kSurfaceAt = 512;
constexpr std::uint64_t kTexelsAt = 1024;
constexpr std::uint64_t kResultsAt = 8192;

/// A texture at the beginning of the buffer, a surface behind it, both of the same 16 by 32 floats.
GpuRun with_images(bool linear) {
  GpuRun run;
  run.shape.block = {32, 1, 1};
  run.buffer_bytes = 16384;
  run.prepare = [linear](std::uint64_t address, std::byte* data) {
    exec::ImageDescriptor image;
    image.format = {exec::ChannelKind::floating, 1, 32};
    image.width = 16;
    image.height = 32;
    image.linear = linear;
    image.level[0] = address + kTexelsAt;
    image.magic = exec::ImageDescriptor::kTexture;
    std::memcpy(data, &image, sizeof(image));
    image.magic = exec::ImageDescriptor::kSurface;
    std::memcpy(data + kSurfaceAt, &image, sizeof(image));
    for (unsigned i = 0; i < 16 * 32; ++i) {
      const auto value = static_cast<float>(i);
      std::memcpy(data + kTexelsAt + 4UL * i, &value, sizeof(value));
    }
  };
  return run;
}

const char* const kPlaces =
    "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd2, %rd0, %rd1; add.u64 %rd3, %rd0, 512;\n"
    "and.b32 %r1, %r0, 15; shr.u32 %r2, %r0, 4;\n";

TEST(Textures, AFetchTakesAsLongAsALoadOfTheSameLine) {
  const auto cycles = [](const std::string& access) {
    GpuRun run = with_images(false);
    run.config.icache.bytes = 0;  // every fetch hits
    run.run(kPlaces + access + "st.global.f32 [%rd2+8192], %f1; ret;");
    for (unsigned i = 0; i < 32; ++i) {
      float value = 0;
      std::memcpy(&value, &run.words[kResultsAt / 4 + i], sizeof(value));
      EXPECT_EQ(value, static_cast<float>(i));
    }
    return static_cast<double>(run.statistics.cycles);
  };
  const double loaded = cycles("ld.global.f32 %f1, [%rd2+1024];\n");
  const double fetched = cycles("tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd0, {%r1,%r2}];\n");
  const double surface =
      cycles("shl.b32 %r1, %r1, 2; suld.b.2d.b32.trap {%f1}, [%rd3, {%r1,%r2}];\n");
  // A miss takes hundreds of cycles. Before the access stand other instructions: an address, or
  // coordinates.
  EXPECT_GT(loaded, 500);
  EXPECT_NEAR(fetched, loaded, 30);
  EXPECT_NEAR(surface, loaded, 30);
}

TEST(Textures, LinearFilteringTouchesTheLinesOfAllItsTexels) {
  const auto accesses = [](bool linear) {
    GpuRun run = with_images(linear);
    // Rows 2 and 3 are one line. Halfway to the row before, row 1 counts, too.
    run.run(std::string(kPlaces) +
            "add.u32 %r2, %r2, 2; cvt.rn.f32.u32 %f5, %r1; cvt.rn.f32.u32 %f6, %r2;\n"
            "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd0, {%f5,%f6}];\n"
            "st.global.f32 [%rd2+8192], %f1; ret;");
    EXPECT_EQ(run.statistics.cores.gld_requested_bytes, 0U) << "no global load";
    return run.statistics.cores.l1_accesses - run.statistics.cores.l1_store_accesses;
  };
  EXPECT_EQ(accesses(false), 1U);
  EXPECT_EQ(accesses(true), 2U);
}

TEST(Textures, WindowsAndThreadsChangeNothing) {
  GpuRun run = with_images(true);
  run.config.cores = 3;
  run.shape.grid = {12, 1, 1};
  run.shape.block = {96, 1, 1};
  run.launches = 2;
  // Every block writes what others read, at once and by both ways.
  const std::string body =
      "mov.u32 %r3, %ctaid.x; and.b32 %r1, %r0, 15; mad.lo.u32 %r2, %r3, 3, %r0;\n"
      "and.b32 %r2, %r2, 31; add.u64 %rd3, %rd0, 512;\n"
      "LOOP: cvt.rn.f32.u32 %f5, %r1; cvt.rn.f32.u32 %f6, %r2;\n"
      "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd0, {%f5,%f6}];\n"
      "shl.b32 %r4, %r1, 2; suld.b.2d.b32.trap {%f7}, [%rd3, {%r4,%r2}];\n"
      "add.f32 %f7, %f7, %f1; xor.b32 %r5, %r2, 5;\n"
      "sust.b.2d.b32.trap [%rd3, {%r4,%r5}], {%f7};\n"
      "mul.wide.u32 %rd1, %r0, 4; add.u64 %rd2, %rd0, %rd1; st.global.f32 [%rd2+8192], %f7;\n"
      "add.u32 %r2, %r2, 7; and.b32 %r2, %r2, 31;\n"
      "add.u32 %r6, %r6, 1; setp.lt.u32 %p1, %r6, 4; @%p1 bra LOOP; ret;";
  expect_no_difference(run, body, "textures");
}

TEST(Textures, AreNotInBarrelCores) {
  GpuRun run = with_images(false);
  run.config = load_gpu("lwm2011");
  run.config.cores = 1;
  EXPECT_NE(error_of([&] {
              run.run(std::string(kPlaces) +
                      "tex.2d.v4.f32.s32 {%f1,%f2,%f3,%f4}, [%rd0, {%r1,%r2}];\n"
                      "st.global.f32 [%rd2+8192], %f1; ret;");
            })
                .find("kernel 'test' accesses textures or surfaces, which the GPU 'lwm2011' does "
                      "not have"),
            std::string::npos);
}

}  // namespace
}  // namespace paws
