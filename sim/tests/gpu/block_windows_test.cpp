// SPDX-License-Identifier: MIT
// Random launches under random block and warp schedulers: windows, host threads and skipped cycles
// change nothing. PAWS_SEED=N repeats one case.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "sim/blocks/block_policies.h"
#include "sim/core/fetch_stage.h"
#include "sim/tests/gpu/support.h"
#include "sim/throttle/throttles.h"

namespace paws {
namespace {

constexpr unsigned kCases = 160;

/// Bodies of kernels whose blocks take different times: arithmetic alone, after which a core is
/// idle at once; loads; nothing; reductions, which a core waits for.
constexpr std::array kBodies{
    R"(
LOOP:
  add.u32 %r3, %r3, 1;
  mul.lo.u32 %r4, %r4, %r3;
  setp.lt.u32 %p1, %r3, %r2;
  @%p1 bra LOOP;
  ret;
)",
    R"(
  and.b32 %r2, %r2, 7;
LOOP:
  add.u32 %r3, %r3, 1;
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd2, %rd0, %rd1;
  ld.global.u32 %r8, [%rd2];
  add.u32 %r4, %r4, %r8;
  setp.lt.u32 %p1, %r3, %r2;
  @%p1 bra LOOP;
  ret;
)",
    R"(
  ret;
)",
    R"(
  and.b32 %r2, %r2, 3;
LOOP:
  add.u32 %r3, %r3, 1;
  mul.wide.u32 %rd1, %r0, 4;
  add.u64 %rd2, %rd0, %rd1;
  red.global.add.u32 [%rd2], 1;
  setp.lt.u32 %p1, %r3, %r2;
  @%p1 bra LOOP;
  ret;
)"};

std::string kernel(const std::string& name, const char* body) {
  return ".visible .entry " + name + R"((.param .u64 buffer)
{
  .reg .pred %p<4>;
  .reg .b32 %r<10>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd0, [buffer];
  mov.u32 %r0, %tid.x;
  mov.u32 %r1, %ctaid.x;
  mul.lo.u32 %r2, %r1, 2654435761;
  shr.u32 %r2, %r2, 24;
)" + body +
         "}\n";
}

/// Launches and a GPU, drawn from a seed.
class Case {
 public:
  explicit Case(unsigned seed) : random_(seed) {
    config_ = small_gpu(draw(1, 4));
    config_.distributor.scope = draw(0, 2);
    config_.distributor.rounding = draw(0, 2);
    config_.distributor.latency = std::array{8U, 32U, 64U, 100U}[draw(0, 3)];
    config_.noise.seed = draw(0, 1);
    config_.distributor.seed = draw(1, 9);
    for (bool* rule : {&config_.distributor.remember, &config_.distributor.row,
                       &config_.distributor.single, &config_.distributor.expand}) {
      *rule = draw(0, 1) != 0;
    }
    const std::array<const char*, 11> names{"rr",       "limit:2",      "lcs",         "bcs",
                                            "lcs+bcs",  "cke",          "cke",         "mcke:1,2",
                                            "mcke:3,1", "random-limit", "random-pairs"};
    blocks_ = names[draw(0, names.size() - 1)];
    // So many as the limits fit in any case.
    config_.core.blocks = draw(blocks_.find(':') != std::string::npos ? 3 : 1, 8);
    const auto most = static_cast<unsigned>(std::min<std::size_t>(
        3, block_scheduler(blocks_, config_.distributor)(1, 1)->most_launches()));
    std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n";
    const unsigned launches = draw(1, most);
    for (unsigned i = 0; i < launches; ++i) {
      text += kernel("k" + std::to_string(i), kBodies[draw(0, kBodies.size() - 1)]);
      shapes_.push_back({{draw(1, 10), draw(1, 3), 1}, {32 * draw(1, 4), draw(1, 2), 1}});
    }
    if (launches == 1 && draw(0, 2) == 0) {
      throttle_ = "dyncta";
      config_.dyncta = {draw(1, 300), draw(0, 50), draw(0, 60), draw(60, 200)};
    }
    const std::array<const char*, 6> schedulers{"single:gto",      "single:sca",   "single:sca",
                                                "single:sca-keep", "single:cggty", "single:tlv"};
    scheduler_ = schedulers[draw(0, schedulers.size() - 1)];
    config_.core.ibuffer = draw(2, 5);
    config_.core.fetch = draw(0, core::kFetchOrders - 1);
    if (scheduler_.starts_with("single:sca")) {
      // Warps of a pair of blocks must be on one scheduler.
      for (exec::LaunchShape& shape : shapes_) shape.block.x = (shape.block.x + 63) / 64 * 64;
    }
    config_.distributor.interval = std::array{0U, 1U, 7U}[draw(0, 2)];
    config_.distributor.start_latency = 150 * draw(0, 1);
    config_.core.launch_interval = draw(0, 3);
    module_ = frontend::compile_text(text, "test.ptx", {config_.frontend});
  }

  [[nodiscard]] const std::string& blocks() const { return blocks_; }
  [[nodiscard]] const std::string& throttle() const { return throttle_; }
  [[nodiscard]] const std::string& scheduler() const { return scheduler_; }

  [[nodiscard]] GpuStatistics run(unsigned window, bool skip, unsigned threads) const {
    DeviceMemory memory;
    memory.load(module_);
    const std::uint64_t address = memory.allocate("buffer", 4096);
    GpuOptions options;
    options.longest_window = window;
    options.skip_idle_cycles = skip;
    options.threads = threads;
    options.block_scheduler = block_scheduler(blocks_, config_.distributor);
    options.filter = throttle_factory(throttle_, config_);
    std::vector<KernelLaunch> launches(shapes_.size());
    for (unsigned i = 0; i < launches.size(); ++i) {
      launches[i].module = &module_;
      launches[i].kernel = module_.find("k" + std::to_string(i));
      launches[i].shape = shapes_[i];
      launches[i].params.resize(launches[i].kernel->param_bytes);
      std::memcpy(launches[i].params.data(), &address, sizeof address);
    }
    Gpu gpu(config_, scheduler_config(config_, scheduler_), make_model, options);
    for (unsigned i = 0; i < 2; ++i) gpu.run_together(launches, memory);
    return gpu.statistics();
  }

 private:
  unsigned draw(std::size_t low, std::size_t high) {
    return static_cast<unsigned>(low + random_() % (high - low + 1));
  }

  std::mt19937 random_;
  GpuConfig config_;
  std::string blocks_;
  std::string throttle_ = kNoThrottle;
  std::string scheduler_;
  std::vector<exec::LaunchShape> shapes_;
  ir::Module module_;
};

void expect_the_same(const GpuStatistics& found, const GpuStatistics& expected) {
  EXPECT_EQ(found.cycles, expected.cycles);
  EXPECT_EQ(found.cores, expected.cores);
  ASSERT_EQ(found.kernels.size(), expected.kernels.size());
  for (std::size_t i = 0; i < found.kernels.size(); ++i) {
    EXPECT_EQ(found.kernels[i].limits, expected.kernels[i].limits) << "launch " << i;
    EXPECT_EQ(found.kernels[i].blocks, expected.kernels[i].blocks) << "launch " << i;
  }
}

void check(unsigned seed) {
  const Case drawn(seed);
  SCOPED_TRACE("PAWS_SEED=" + std::to_string(seed) + ", --blocks " + drawn.blocks() +
               " --scheduler " + drawn.scheduler() + " --throttle " + drawn.throttle());
  const GpuStatistics reference = drawn.run(1, true, 1);
  expect_the_same(drawn.run(0, true, 1), reference);
  expect_the_same(drawn.run(7, true, 2), reference);
  expect_the_same(drawn.run(0, false, 1), reference);
}

TEST(BlockWindows, WindowsThreadsAndSkippingChangeNothing) {
  if (const char* given = std::getenv("PAWS_SEED")) {
    check(static_cast<unsigned>(std::stoul(given)));
    return;
  }
  for (unsigned seed = 0; seed < kCases && !HasFailure(); ++seed) check(seed);
}

}  // namespace
}  // namespace paws
