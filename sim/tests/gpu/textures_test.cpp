// SPDX-License-Identifier: MIT
// What texture fetches and surface accesses mean for cycles, and that windows change nothing.

#include <fmt/format.h>
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
    run.config.texture.bytes = 0;
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
  const auto accesses = [](bool linear, unsigned cache_bytes) {
    GpuRun run = with_images(linear);
    run.config.texture.bytes = cache_bytes;
    // Rows 2 and 3 are one line. Halfway to the row before, row 1 counts, too.
    run.run(std::string(kPlaces) +
            "add.u32 %r2, %r2, 2; cvt.rn.f32.u32 %f5, %r1; cvt.rn.f32.u32 %f6, %r2;\n"
            "tex.2d.v4.f32.f32 {%f1,%f2,%f3,%f4}, [%rd0, {%f5,%f6}];\n"
            "st.global.f32 [%rd2+8192], %f1; ret;");
    EXPECT_EQ(run.statistics.cores.gld_requested_bytes, 0U) << "no global load";
    const CoreStatistics& cores = run.statistics.cores;
    const std::uint64_t l1 = cores.l1_accesses - cores.l1_store_accesses;
    EXPECT_EQ(cache_bytes == 0 ? cores.texture_accesses : l1, 0U);
    return cores.texture_accesses + l1;
  };
  EXPECT_EQ(accesses(false, 0), 1U);
  EXPECT_EQ(accesses(true, 0), 2U);
  // Rows of 64 bytes, lines of 32.
  EXPECT_EQ(accesses(false, 12288), 4U);
  EXPECT_EQ(accesses(true, 12288), 6U);
}

/// Fetches of one warp, one after the other, from each of the first `lines` 32 bytes.
std::string fetch(unsigned lines) {
  return repeat(lines, [](unsigned i) {
    return fmt::format(
        "mov.u32 %r1, {}; mov.u32 %r2, {};\n"
        "tex.2d.v4.f32.s32 {{%f1,%f2,%f3,%f4}}, [%rd0, {{%r1,%r2}}]; add.f32 %f5, %f5, %f1;",
        i % 2 * 8, i / 2);
  });
}

/// A texture cache of 32 lines in four sets.
GpuRun with_texture_cache() {
  GpuRun run = with_images(false);
  run.config.icache.bytes = 0;  // every fetch hits
  run.config.texture.bytes = 1024;
  run.config.texture.ways = 8;
  return run;
}

const char* const kEnd = "st.global.f32 [%rd0+8192], %f5; ret;";

TEST(TextureCache, HitsWhileTheTableFits) {
  const auto misses = [](unsigned lines) {
    GpuRun run = with_texture_cache();
    run.run(fetch(lines) + fetch(lines) + kEnd);
    const CoreStatistics& cores = run.statistics.cores;
    EXPECT_EQ(cores.texture_accesses, 2 * lines);
    EXPECT_EQ(cores.texture_hits + cores.texture_misses, 2 * lines) << "no two under way";
    EXPECT_EQ(cores.l1_accesses, 1U) << "the store";
    return cores.texture_misses;
  };
  EXPECT_EQ(misses(31), 31U);
  EXPECT_EQ(misses(32), 32U);
  EXPECT_EQ(misses(33), 33U + 9U) << "the set of nine lines misses again";
  EXPECT_EQ(misses(36), 2 * 36U) << "all four do";
}

TEST(TextureCache, GlobalLoadsEvictNothing) {
  const std::string loads = repeat(48, [](unsigned i) {
    return fmt::format("ld.global.f32 %f6, [%rd0+{}]; add.f32 %f5, %f5, %f6;", 8192 + 128 * i);
  });
  GpuRun run = with_texture_cache();
  run.config.l1.bytes = 1024;
  run.config.l1.ways = 8;
  run.buffer_bytes = 32768;
  run.run(fetch(32) + loads + fetch(32) + kEnd);
  EXPECT_EQ(run.statistics.cores.texture_misses, 32U);
  EXPECT_EQ(run.statistics.cores.texture_hits, 32U);
  EXPECT_EQ(run.statistics.cores.l1_misses - run.statistics.cores.l1_store_misses, 48U);
  // A surface does not, either: it goes the way of global memory.
  run = with_texture_cache();
  run.run("add.u64 %rd3, %rd0, 512;\n" + fetch(1) +
          "mov.u32 %r1, 0; mov.u32 %r2, 0; suld.b.2d.b32.trap {%f6}, [%rd3, {%r1,%r2}];\n"
          "add.f32 %f5, %f5, %f6;\n" +
          kEnd);
  EXPECT_EQ(run.statistics.cores.texture_accesses, 1U);
  EXPECT_EQ(run.statistics.cores.l1_accesses, 2U);
}

TEST(TextureCache, AHitTakesItsLatency) {
  const auto memory_cycles = [](unsigned bytes, unsigned hits) {
    GpuRun run = with_texture_cache();
    run.config.texture.bytes = bytes;
    run.run(fetch(1) + repeat(hits, [](unsigned) { return fetch(1); }) + kEnd);
    return static_cast<double>(run.statistics.cores.memory_cycles);
  };
  const GpuConfig config = with_texture_cache().config;
  ASSERT_GT(config.texture.latency, config.l1.latency);
  EXPECT_EQ(memory_cycles(1024, 12) - memory_cycles(1024, 2), 10 * (config.texture.latency + 1));
  // A miss passes the same stages; its line is shorter than one of the L1.
  EXPECT_NEAR(memory_cycles(1024, 0) - memory_cycles(0, 0),
              config.texture.latency - config.l1.latency, 10);
}

TEST(TextureCache, WithoutOneTexturesUseTheL1) {
  const auto run_with = [](const std::function<void(GpuConfig&)>& set) {
    GpuRun run = with_texture_cache();
    set(run.config);
    run.run(fetch(36) + fetch(36) + kEnd);
    return run;
  };
  const GpuRun none = run_with([](GpuConfig& config) { config.texture = {}; });
  EXPECT_EQ(none.statistics.cores.texture_accesses, 0U);
  EXPECT_EQ(none.statistics.cores.l1_misses, 9U + 1U) << "lines of 128 bytes, and the store";
  EXPECT_EQ(none.statistics.cores.l1_hits, 2 * 36U - 9U);
  expect_same(run_with([](GpuConfig& config) { config.texture = {0, 128, 2, 7, 1}; }), none,
              "the other keys are void");
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
