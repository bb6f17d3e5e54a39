// SPDX-License-Identifier: MIT
#include "sim/config/gpu_config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "sim/support/error.h"
#include "sim/tests/support/temporary_folder.h"

namespace paws {
namespace {

std::string message_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

class ConfigFile : public testing::Test {
 protected:
  std::string write(const std::string& text) { return folder_.write("gpu.toml", text).string(); }

 private:
  const TemporaryFolder folder_;
};

TEST(GpuConfig, PresetsHoldTheMachinesOfThePapers) {
  const GpuConfig m2090 = load_gpu("m2090");
  EXPECT_EQ(m2090.cores, 16U);
  EXPECT_EQ(m2090.core.warps, 48U);
  EXPECT_EQ(m2090.core.blocks, 8U);
  EXPECT_EQ(m2090.core.schedulers, 2U);
  EXPECT_EQ(m2090.core.issue_interval, 2U);
  EXPECT_EQ(m2090.scheduler.ready, 6U);
  // 32 ALUs, 4 SFUs, 16 load-store units for a warp of 32, double precision at half rate.
  EXPECT_EQ(m2090.core.alu_interval * 32, m2090.core.schedulers * ir::kWarpSize);
  EXPECT_EQ(m2090.core.sfu_interval * 4, ir::kWarpSize);
  EXPECT_EQ(m2090.core.memory_interval * 16, ir::kWarpSize);
  EXPECT_EQ(m2090.core.double_interval * 16, ir::kWarpSize);
  EXPECT_DOUBLE_EQ(m2090.core.clock_mhz, 1300);
  // Peak bandwidth of Table I: 177 GB/s.
  EXPECT_NEAR(m2090.dram.clock_mhz * 1e6 * m2090.dram.channels * m2090.dram.bytes_per_clock, 177e9,
              1e9);
  const GpuConfig c2050 = load_gpu("c2050");
  EXPECT_EQ(c2050.cores, 14U);
  EXPECT_NEAR(c2050.dram.clock_mhz * 1e6 * c2050.dram.channels * c2050.dram.bytes_per_clock, 144e9,
              1e9);
  const GpuConfig lee28 = load_gpu("lee28");
  EXPECT_EQ(lee28.cores, 28U);
  EXPECT_EQ(lee28.l1.bytes, 32768U);
  EXPECT_EQ(lee28.l2.bytes, lee28.dram.channels * 131072U);
  // What the paper does not say keeps m2090's nanoseconds.
  EXPECT_NEAR(lee28.interconnect.latency / lee28.interconnect.clock_mhz,
              m2090.interconnect.latency / m2090.interconnect.clock_mhz, 1e-3);
  EXPECT_NEAR(lee28.l2.latency / lee28.interconnect.clock_mhz,
              m2090.l2.latency / m2090.interconnect.clock_mhz, 1e-3);
}

TEST(GpuConfig, TheA100IsThatOfItsWhitepaper) {
  const GpuConfig a100 = load_gpu("a100");
  const double clocks = a100.cores * a100.core.clock_mhz * 1e6;
  const double warps = a100.core.schedulers * ir::kWarpSize * clocks;
  EXPECT_NEAR(2 * warps / a100.core.alu_interval, 19.5e12, 0.1e12) << "FP32 operations";
  EXPECT_NEAR(2 * warps / a100.core.double_interval, 9.7e12, 0.1e12) << "FP64 operations";
  EXPECT_EQ(a100.core.sfu_interval * 4, ir::kWarpSize);
  EXPECT_NEAR(a100.dram.clock_mhz * 1e6 * a100.dram.channels * a100.dram.bytes_per_clock, 1555e9,
              1e9);
  EXPECT_EQ(a100.l2.bytes, 40U << 20);
  EXPECT_EQ(a100.frontend.register_file.per_thread, 255U);
  EXPECT_EQ(a100.warps_per_scheduler(), 16U);
}

TEST(GpuConfig, ThreadsAreScheduledIndependentlyFromComputeCapability70On) {
  const auto yields = [](const char* preset, const std::vector<std::string>& settings, bool told) {
    GpuConfig config = load_gpu(preset);
    for (const std::string& setting : settings) set_key(config, setting);
    schedule_threads(config, told);
    check(config);
    return config.frontend.yield_after;
  };
  EXPECT_EQ(load_gpu("a100").frontend.yield_after, kYieldAfter);
  EXPECT_EQ(yields("a100", {}, false), kYieldAfter);
  EXPECT_EQ(yields("a100", {"device.capability=61"}, true), 0U);
  EXPECT_EQ(yields("a100", {"core.yield_after=0"}, true), 0U);
  // The presets of Fermi do not say 7.5, they only tell it to programs.
  for (const char* fermi : {"m2090", "c2050", "lee28"}) {
    EXPECT_EQ(yields(fermi, {}, false), 0U) << fermi;
    EXPECT_EQ(yields(fermi, {}, true), kYieldAfter) << fermi;
  }
  EXPECT_EQ(yields("m2090", {"device.capability=69"}, true), 0U);
  EXPECT_EQ(yields("m2090", {"device.capability=70"}, false), kYieldAfter);
  EXPECT_EQ(yields("m2090", {"core.yield_after=3"}, true), 3U);
  EXPECT_EQ(yields("lwm2011", {"device.capability=80"}, true), 0U) << "a barrel core";
}

TEST(GpuConfig, SubCoresAreNotLikeTheOthers) {
  auto wrong = [](const char* preset, const std::vector<std::string>& settings) {
    GpuConfig config = load_gpu(preset);
    for (const std::string& setting : settings) set_key(config, setting);
    return message_of([&] { check(config); });
  };
  EXPECT_EQ(wrong("m2090", {"core.sub_cores=true"}),
            "core.sub_cores: the register banks of a core (core.register_banks, 16) serve all "
            "schedulers; those of sub-cores are not modelled: 0");
  EXPECT_EQ(wrong("m2090", {"core.sub_cores=true", "core.register_banks=0"}), "");
  EXPECT_EQ(wrong("lwm2011", {"core.sub_cores=true"}),
            "core.sub_cores: a barrel core (core.pipeline_stages) has one pipeline");
  EXPECT_EQ(wrong("a100", {"core.memory_queue=3"}),
            "core.sub_cores: core.memory_queue (3) has no room for an instruction of each of the 4 "
            "schedulers");
  EXPECT_EQ(wrong("a100", {"core.shared_bytes=167936", "l1.bytes=28672", "l1.ways=14"}), "");
}

TEST_F(ConfigFile, TheListingIsAConfigurationAgain) {
  GpuConfig config = load_gpu("m2090");
  set_key(config, "cores=3");
  set_key(config, "scheduler.tie_by_arrival=true");
  set_key(config, "scheduler.wake_oldest=true");
  set_key(config, "scheduler.affinity=finish-group");
  set_key(config, "dram.clock_mhz=812.5");
  const GpuConfig again = load_gpu(write(to_toml(config)));
  EXPECT_EQ(again.cores, 3U);
  EXPECT_TRUE(again.scheduler.tie_by_arrival);
  EXPECT_TRUE(again.scheduler.wake_oldest);
  EXPECT_EQ(again.scheduler.affinity, Affinity::finish_group);
  EXPECT_DOUBLE_EQ(again.dram.clock_mhz, 812.5);
}

TEST(GpuConfig, BytesMayHaveAUnit) {
  GpuConfig config = load_gpu("m2090");
  set_key(config, "l1.bytes=48K");
  EXPECT_EQ(config.l1.bytes, 48U * 1024);
  set_key(config, "l2.bytes=3M");
  EXPECT_EQ(config.l2.bytes, 3U * 1024 * 1024);
  for (const char* wrong : {"l1.bytes=K", "l1.bytes=48k", "l1.bytes=4.5K", "l1.bytes=-1K",
                            "l1.bytes=17592186044416M", "core.registers=32K", "l1.ways=1K"}) {
    EXPECT_NE(message_of([&] { set_key(config, wrong); }).find("the value must be an integer"),
              std::string::npos)
        << wrong;
  }
}

TEST(GpuConfig, SetNamesWhatIsWrong) {
  GpuConfig config = load_gpu("m2090");
  EXPECT_EQ(message_of([&] { set_key(config, "core.warp=8"); }),
            "--set: unknown key 'core.warp'; did you mean \"core.warps\"?");
  EXPECT_EQ(message_of([&] { set_key(config, "core.warps"); }),
            "--set core.warps: expected key=value");
  EXPECT_EQ(message_of([&] { set_key(config, "core.warps=many"); }),
            "--set core.warps=many: the value must be an integer from 4 to 128 warps");
  EXPECT_EQ(message_of([&] { set_key(config, "core.warps=-1"); }),
            "--set core.warps=-1: the value must be an integer from 4 to 128 warps");
  EXPECT_EQ(message_of([&] { set_key(config, "scheduler.affinity=1"); }),
            "--set scheduler.affinity=1: the value must be one of none, finish, finish-at-entry, "
            "group, block-age, finish-group");
  EXPECT_EQ(message_of([&] { set_key(config, "core.warps=8.5"); }),
            "--set core.warps=8.5: the value must be an integer from 4 to 128 warps");
  EXPECT_EQ(message_of([&] { set_key(config, "phases.cut_at_blocks=2"); }),
            "--set phases.cut_at_blocks=2: the value must be true or false");
  EXPECT_EQ(message_of([&] { set_key(config, "core.clock_mhz=nan"); }),
            "--set core.clock_mhz=nan: the value must be a number from 1 to 10000 MHz");
  EXPECT_EQ(config.core.warps, 48U);
}

TEST(GpuConfig, RelationsBetweenKeysAreChecked) {
  auto wrong = [](const std::vector<std::string>& settings) {
    GpuConfig config = load_gpu("m2090");
    for (const std::string& setting : settings) set_key(config, setting);
    return message_of([&] { check(config); });
  };
  EXPECT_EQ(wrong({}), "");
  EXPECT_EQ(wrong({"scheduler.ready=25"}),
            "scheduler.ready (25) is larger than the warps of a scheduler (24)");
  EXPECT_EQ(wrong({"dyncta.memory_high=100"}),
            "dyncta.memory_low (128) is larger than dyncta.memory_high (100)");
  EXPECT_EQ(wrong({"core.warps=47"}), "core.warps (47) is not a multiple of core.schedulers (2)");
  EXPECT_EQ(wrong({"core.warps=6", "scheduler.ready=1"}),
            "core.warps / core.schedulers is 3, but a scheduler has 4 to 64 warps");
  EXPECT_EQ(wrong({"phases.code=5", "scheduler.phase_bits=4"}),
            "phases.code (5) is wider than scheduler.phase_bits (4)");
  EXPECT_EQ(wrong({"phases.common_code=true"}),
            "phases.common_code needs phases.code: there are no codes");
  EXPECT_EQ(wrong({"phases.code=5", "scheduler.key_source=3"}),
            "phases.code: the compiler has no codes of measured lengths (scheduler.key_source 3)");
  EXPECT_EQ(wrong({"l2.slices=7"}), "l2.slices (7) is not a multiple of dram.channels (6)");
  const std::string parts = "l2.partitions=2";
  const std::string far = "l2.far_latency=60";
  EXPECT_EQ(wrong({parts, far}), "");
  EXPECT_EQ(wrong({parts}),
            "l2.partitions needs l2.far_latency: the way from one part to the other");
  EXPECT_EQ(wrong({parts, far, "l2.bytes=0"}),
            "l2.partitions: there is no L2 (l2.bytes) to have parts");
  EXPECT_EQ(wrong({parts, far, "l2.slices=3", "dram.channels=3"}),
            "l2.slices (3) is not a multiple of l2.partitions (2)");
  EXPECT_EQ(wrong({"l1.bytes=1024", "l1.ways=16"}),
            "l1.bytes (1024) is not a multiple of a set of 16 ways of 128 bytes, 2048 bytes");
  EXPECT_EQ(wrong({"l1.ways=6"}),
            "l1.bytes (16384) is not a multiple of a set of 6 ways of 128 bytes, 768 bytes");
  EXPECT_EQ(wrong({"l2.bytes=786431"}), "l2.bytes (786431) is not a multiple of l2.slices (12)");
  EXPECT_EQ(wrong({"l2.ways=7"}),
            "l2.bytes / l2.slices (65536) is not a multiple of a set of 7 ways of 128 bytes, "
            "896 bytes");
  EXPECT_EQ(wrong({"icache.line_bytes=48"}), "icache.line_bytes (48) is not a power of two");
  EXPECT_EQ(wrong({"icache.bytes=256"}),
            "icache.bytes (256) is not a multiple of a set of 4 ways of 128 bytes, 512 bytes");
  EXPECT_EQ(wrong({"icache.bytes=0"}), "");
  EXPECT_EQ(
      wrong({"icache.l15_bytes=1536"}),
      "icache.l15_bytes (1536) is not a multiple of a set of 8 ways of 128 bytes, 1024 bytes");
  EXPECT_EQ(wrong({"icache.l15_bytes=0"}), "");
  EXPECT_EQ(wrong({"l1.tag_banks=3"}), "l1.tag_banks (3) is not a power of two");
  EXPECT_EQ(wrong({"texture.line_bytes=96"}), "texture.line_bytes (96) is not a power of two");
  EXPECT_EQ(wrong({"texture.ways=36"}),
            "texture.bytes (12288) is not a multiple of a set of 36 ways of 32 bytes, 1152 bytes");
  EXPECT_EQ(wrong({"texture.ways=36", "texture.bytes=0"}), "");
  EXPECT_EQ(wrong({"l1.tag_banks=4", "l1.store_keeps=true", "core.launch_interval=3"}), "");
  EXPECT_EQ(wrong({"dram.row_bytes=200"}),
            "dram.row_bytes (200) is not a multiple of a line of 128 bytes");
  EXPECT_EQ(wrong({"subroutine.f32_div=64", "core.pipeline_latency=32"}),
            "a division or root of 64 instructions (subroutine.*) with 32 cycles each "
            "(core.pipeline_latency) takes more than 2000 cycles");
  EXPECT_EQ(wrong({"subroutine.integer64_div=64", "core.pipeline_latency=31"}), "");
  EXPECT_EQ(wrong({"frontend.registers_per_thread=64"}),
            "frontend.registers_per_thread (64) is more than core.thread_registers (63)");
}

TEST(GpuConfig, TheMachineOfLargeWarpsIsThatOfThePaper) {
  GpuConfig config = load_gpu("lwm2011");
  EXPECT_TRUE(config.barrel());
  EXPECT_EQ(config.warp_slots() * ir::kWarpSize, 1024U);
  EXPECT_EQ(config.core.pipeline_stages, 7U);
  EXPECT_NEAR(config.dram.clock_mhz * 1e6 * config.dram.bytes_per_clock, 81e9, 0.1e9);
  EXPECT_EQ(config.dram.reorder, 1U);
  EXPECT_EQ(config.l2.bytes, 0U);
  // A scheduler has four slots at least, large warps or not.
  for (const auto& [rows, slots, of_scheduler] :
       {std::array{1U, 32U, 32U}, std::array{8U, 4U, 4U}, std::array{16U, 2U, 4U},
        std::array{32U, 1U, 4U}}) {
    config.core.warp_rows = rows;
    check(config);
    EXPECT_EQ(config.warp_slots(), slots) << rows;
    EXPECT_EQ(config.warps_per_scheduler(), of_scheduler) << rows;
  }
}

TEST(GpuConfig, BarrelCoresAreNotLikeTheOthers) {
  auto wrong = [](const char* preset, const std::vector<std::string>& settings) {
    GpuConfig config = load_gpu(preset);
    for (const std::string& setting : settings) set_key(config, setting);
    return message_of([&] { check(config); });
  };
  EXPECT_EQ(wrong("lwm2011", {}), "");
  EXPECT_EQ(wrong("lwm2011", {"core.warp_rows=3"}),
            "core.warps (32) is not a multiple of core.warp_rows (3)");
  EXPECT_EQ(wrong("lwm2011", {"core.memory_stage=6"}),
            "core.pipeline_stages (7) has no stage 6 behind fetch and decode (core.memory_stage)");
  EXPECT_EQ(wrong("lwm2011", {"core.schedulers=2"}),
            "a barrel core (core.pipeline_stages) has one scheduler that selects in every cycle: "
            "core.schedulers is 2, core.issue_interval 1");
  EXPECT_EQ(wrong("lwm2011", {"cores=4"}),
            "l1.write_back: the L1s of 4 cores would need coherence, which the simulator does not "
            "have");
  EXPECT_EQ(wrong("lwm2011", {"cores=4", "l1.write_back=false"}), "");
  for (const char* name : {"core.local_private", "large.global_by_rows", "large.jump_once",
                           "large.pack_guard", "large.refetch_first", "l1.write_back"}) {
    EXPECT_EQ(wrong("m2090", {std::string(name) + "=true"}),
              std::string(name) + " needs a barrel core (core.pipeline_stages)");
  }
  EXPECT_EQ(wrong("m2090", {"l2.bytes=0"}), "");
  EXPECT_EQ(wrong("lwm2011", {"core.launch_interval=2"}),
            "core.launch_interval (2): a barrel core (core.pipeline_stages) starts a warp per "
            "cycle: 0");
  EXPECT_EQ(wrong("lwm2011", {"l1.tag_banks=2"}),
            "l1.tag_banks (2): the back end of a barrel core (core.pipeline_stages) looks up one "
            "line at a time: 1");
  EXPECT_EQ(wrong("lwm2011", {"core.yield_after=16"}),
            "core.yield_after is not for a barrel core (core.pipeline_stages)");
  for (const char* divergence : {"core.divergence=1", "core.divergence=2"}) {
    EXPECT_EQ(wrong("lwm2011", {divergence}), "");
    EXPECT_EQ(wrong("m2090", {divergence}),
              "core.divergence needs a barrel core (core.pipeline_stages)");
  }
  EXPECT_EQ(wrong("lwm2011", {"core.divergence=2", "core.warp_rows=8"}),
            "core.divergence is 2: warps are formed anew of 32 threads, so there are no large "
            "ones: core.warp_rows is 8");
}

TEST(GpuConfig, ASchedulerOfEveryCyclePlacesTwoWarps) {
  auto wrong = [](const char* preset, const std::string& name,
                  const std::vector<std::string>& settings) {
    GpuConfig config = load_gpu(preset);
    EXPECT_EQ(set_scheduler_name(config.scheduler, name), std::nullopt);
    for (const std::string& setting : settings) set_key(config, setting);
    return message_of([&] { check(config); });
  };
  const std::string message =
      "scheduler single:paws-ordered: a scheduler that may issue in every cycle "
      "(core.issue_interval 1) needs scheduler.compares = 2";
  for (const char* preset : {"m2090", "lwm2011"}) {
    const std::vector<std::string> every{"core.issue_interval=1", "scheduler.compares=1"};
    EXPECT_EQ(wrong(preset, "single:paws-ordered", every), message) << preset;
    EXPECT_EQ(wrong(preset, "single:paws", every), "") << preset;
    EXPECT_EQ(wrong(preset, "single:paws-ordered", {every[0], "scheduler.compares=2"}), "")
        << preset;
    EXPECT_EQ(wrong(preset, "single:paws-ordered", {}), "") << preset;
  }
}

TEST(GpuConfig, L1AndSharedMemoryDivideOneArray) {
  GpuConfig config = load_gpu("m2090");
  set_key(config, "l1.bytes=49152");
  EXPECT_EQ(message_of([&] { check(config); }),
            "l1.bytes (49152) and core.shared_bytes (49152) are more than the 65536 bytes of "
            "l1.array_bytes");
  set_key(config, "core.shared_bytes=16384");
  set_key(config, "l1.ways=6");
  EXPECT_EQ(message_of([&] { check(config); }), "");
}

/// The comment lines right above every "key = value", or above its section.
TEST(GpuConfig, EveryNumberOfAPresetHasItsSource) {
  for (const std::string& preset : preset_names()) {
    std::ifstream file(std::filesystem::path(PAWS_PRESET_DIR) / (preset + ".toml"));
    ASSERT_TRUE(file) << preset;
    bool section_source = false;
    bool source = false;
    for (std::string line; std::getline(file, line);) {
      if (line.rfind("# Source: ", 0) == 0) source = true;
      if (line.rfind('#', 0) == 0) continue;
      if (line.rfind('[', 0) == 0) {
        section_source = source;
      } else if (line.find('=') != std::string::npos && !line.starts_with("base = ")) {
        EXPECT_TRUE(source || section_source) << preset << ": " << line;
      }
      source = false;
    }
  }
}

// A new key without a default would end it.
TEST(GpuConfig, FilesOfVersion10GoOnWorking) {
  const GpuConfig old = load_gpu(std::string(PAWS_PRESET_DIR) + "/../tests/config/gpu_1_0.toml");
  EXPECT_EQ(old.name, "gpu_1_0");
  EXPECT_EQ(old.core.warps, load_gpu("m2090").core.warps);
}

TEST_F(ConfigFile, AFileHasWhatItsBaseSaysAndItDoesNot) {
  const std::filesystem::path folder = std::filesystem::path(write("")).parent_path();
  const auto put = [&folder](const char* name, const char* text) {
    std::ofstream(folder / name) << text;
    return (folder / name).string();
  };
  put("half.toml", "base = \"m2090\"\ncores = 8\n[l1]\nways = 2\n");
  const GpuConfig config = load_gpu(put("one.toml", "base = \"half.toml\"\ncores = 1\n"));
  EXPECT_EQ(config.name, "one");
  EXPECT_EQ(config.cores, 1U);
  EXPECT_EQ(config.l1.ways, 2U);
  EXPECT_EQ(config.l2.ways, load_gpu("m2090").l2.ways);
  put("a.toml", "base = \"b.toml\"\n");
  const std::string b = put("b.toml", "cores = 2\nbase = \"a.toml\"\n");
  EXPECT_EQ(message_of([&] { load_gpu(b); }),
            (folder / "a.toml").string() + ":1: base 'b.toml' is based on this file");
  const std::string itself = put("c.toml", "base = \"c.toml\"\n");
  EXPECT_EQ(message_of([&] { load_gpu(itself); }),
            itself + ":1: base 'c.toml' is based on this file");
  const std::string unknown = put("d.toml", "\nbase = \"m2091\"\n");
  EXPECT_EQ(message_of([&] {
              load_gpu(unknown);
            }).find(unknown + ":2: base: no GPU preset and no file is called 'm2091' (presets: "),
            0U);
  const std::string number = put("e.toml", "base = 3\n");
  EXPECT_EQ(message_of([&] { load_gpu(number); }),
            number + ":1: 'base' must be the name of a preset or a file, in quotes");
}

TEST_F(ConfigFile, ParametersOfAPolicyComeFromFilesAndOptionsTheLastCounts) {
  GpuConfig config = load_gpu("m2090");
  EXPECT_TRUE(config.policy.empty());
  set_key(config, "policy.window=3");
  EXPECT_EQ(config.policy.at("window").where, "--set policy.window=3");
  const std::string file = write(to_toml(config));
  GpuConfig again = load_gpu(file);
  EXPECT_EQ(again.policy.at("window").value, 3U);
  EXPECT_EQ(again.policy.at("window").where.find(file + ":"), 0U);
  set_key(again, "policy.window=5");
  EXPECT_EQ(again.policy.at("window").value, 5U);
  for (const char* value : {"-1", "2.5", "true", "many", "", "4294967296"}) {
    const std::string setting = std::string("policy.window=") + value;
    EXPECT_EQ(message_of([&] { set_key(again, setting); }),
              "--set " + setting + ": the value must be a whole number that is not negative");
  }
  const std::string wrong = write("cores = 1\n[policy]\nwindow = 2.5\n");
  EXPECT_EQ(message_of([&] { load_gpu(wrong); }),
            wrong + ":3: 'policy.window' must be a whole number that is not negative");
}

TEST_F(ConfigFile, FileErrorsNameFileAndLine) {
  EXPECT_NE(message_of([] { load_gpu("no-such-gpu"); }).find("no GPU preset and no file"),
            std::string::npos);
  const std::string unknown = write("cores = 1\n[core]\nwrap = 3\n");
  EXPECT_EQ(message_of([&] { load_gpu(unknown); }).find(unknown + ":3: unknown key 'core.wrap'"),
            0U);
  const std::string kind = write("cores = \"many\"\n");
  EXPECT_EQ(message_of([&] { load_gpu(kind); }),
            kind + ":1: 'cores' must be an integer from 1 to 256");
  const std::string malformed = write("cores = 1\n[core\n");
  EXPECT_EQ(message_of([&] { load_gpu(malformed); }).find(malformed + ":2: "), 0U);
  const std::string missing = write("cores = 1\n");
  EXPECT_NE(message_of([&] { load_gpu(missing); }).find("key 'core.clock_mhz' is missing"),
            std::string::npos);
}

}  // namespace
}  // namespace paws
