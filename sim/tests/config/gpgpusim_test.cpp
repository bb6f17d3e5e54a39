// SPDX-License-Identifier: MIT
#include "sim/config/gpgpusim.h"

#include <gtest/gtest.h>

#include <string>

#include "sim/config/gpu_config.h"
#include "sim/support/error.h"
#include "sim/tests/support/temporary_folder.h"

namespace paws {
namespace {

class GpgpuSim : public testing::Test {
 protected:
  [[nodiscard]] std::string write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text).string();
  }
  [[nodiscard]] std::string toml(const std::string& text) const {
    return from_gpgpusim(write("gpgpusim.config", text));
  }
  /// The GPU that the printed file describes.
  [[nodiscard]] GpuConfig gpu(const std::string& text) const {
    return load_gpu(write("gpu.toml", toml(text)));
  }
  /// Without the name of the file.
  [[nodiscard]] std::string error(const std::string& text) const {
    const std::string file = write("gpgpusim.config", text);
    try {
      from_gpgpusim(file);
    } catch (const InputError& wrong) {
      const std::string what = wrong.what();
      EXPECT_EQ(what.find(file), 0U) << what;
      return what.substr(file.size());
    }
    return "";
  }

  const TemporaryFolder folder_;
};

TEST_F(GpgpuSim, TheMachineIsMapped) {
  const GpuConfig gpu = this->gpu(
      "-gpgpu_n_clusters 5   # of two cores\n"
      "-gpgpu_n_cores_per_cluster 2\n"
      "-gpgpu_clock_domains 800:600:500:1200\n"
      "-gpgpu_shader_registers 65536\n"
      "-gpgpu_shader_core_pipeline 1024:32\n"
      "-gpgpu_shader_cta 12\n"
      "-gpgpu_num_sched_per_core 2\n"
      "-gpgpu_scheduler two_level_active:4:0:1\n"
      "-gpgpu_num_reg_banks 8\n"
      "-gpgpu_operand_collector_num_units_sp 10\n"
      "-gpgpu_shmem_size 32768\n"
      "-gpgpu_cache:dl1  S:64:128:2,L:L:m:N:H,A:40:9,8\n"
      "-gpgpu_l1_latency 33\n"
      "-smem_latency 21\n"
      "-gpgpu_n_mem 3\n"
      "-gpgpu_n_sub_partition_per_mchannel 2\n"
      "-gpgpu_cache:dl2 N:64:128:8,L:B:m:W:L,A:50:5,4:0,32\n"
      "-gpgpu_l2_rop_latency 120\n"
      "-gpgpu_cache:il1 N:16:64:4,L:R:f:N:L,A:3:32,4\n"
      "-gpgpu_tex_cache:l1 N:4:64:12,L:R:m:N:L,F:17:4,128:2\n"
      "-dram_latency 100\n"
      "-gpgpu_dram_scheduler 0\n"
      "-gpgpu_frfcfs_dram_sched_queue_size 0\n"
      "-gpgpu_dram_buswidth 4\n"
      "-gpgpu_n_mem_per_ctrlr 2\n"
      "-dram_data_command_freq_ratio 4\n"
      "-gpgpu_dram_timing_opt \"nbk=8:CCD=2:RRD=7:RCD=13:\n   RAS=29:RP=11:RC=40:CL=14:CDLR=6\"\n"
      "-ptx_opcode_latency_int 4,13,5,5,150,30\n"
      "-ptx_opcode_initiation_int 1,2,3,1,9,4\n"
      "-ptx_opcode_latency_fp 6,13,4,5,41\n"
      "-ptx_opcode_initiation_fp 2,2,1,1,7\n"
      "-ptx_opcode_latency_dp 8,19,8,8,330\n"
      "-ptx_opcode_initiation_dp 16,16,8,8,130\n"
      "-gpgpu_num_dp_units 3\n"
      "-gpgpu_compute_capability_major 3\n"
      "-gpgpu_compute_capability_minor 5\n"
      "-gpgpu_kernel_launch_latency 4000\n");
  EXPECT_EQ(gpu.cores, 10U);
  EXPECT_EQ(gpu.core.clock_mhz, 800);
  EXPECT_EQ(gpu.interconnect.clock_mhz, 600);
  EXPECT_EQ(gpu.dram.clock_mhz, 1200);
  EXPECT_EQ(gpu.frontend.register_file.registers, 65536U);
  EXPECT_EQ(gpu.frontend.register_file.threads, 1024U);
  EXPECT_EQ(gpu.core.warps, 32U);
  EXPECT_EQ(gpu.core.blocks, 12U);
  EXPECT_EQ(gpu.core.schedulers, 2U);
  EXPECT_EQ(gpu.core.issue_interval, 1U);
  EXPECT_EQ(gpu.scheduler.ready, 4U);
  EXPECT_EQ(gpu.core.register_banks, 8U);
  EXPECT_EQ(gpu.core.alu_collectors, 5U);  // of each scheduler
  EXPECT_EQ(gpu.core.shared_bytes, 32768U);
  EXPECT_EQ(gpu.l1.bytes, 64U * 128 * 2);
  EXPECT_EQ(gpu.l1.array_bytes, 64U * 128 * 2 + 32768);
  EXPECT_EQ(gpu.l1.ways, 2U);
  EXPECT_EQ(gpu.l1.mshrs, 40U);
  EXPECT_EQ(gpu.l1.mshr_merges, 9U);
  EXPECT_TRUE(gpu.l1.sectored);
  EXPECT_EQ(gpu.l1.latency, 33U);
  EXPECT_EQ(gpu.core.shared_latency, 21U);
  EXPECT_EQ(gpu.dram.channels, 3U);
  EXPECT_EQ(gpu.l2.slices, 6U);
  EXPECT_EQ(gpu.l2.bytes, 64U * 128 * 8 * 6);
  EXPECT_EQ(gpu.l2.mshrs, 50U);
  EXPECT_FALSE(gpu.l2.sectored);
  EXPECT_EQ(gpu.l2.latency, 90U);  // 120 core cycles
  EXPECT_EQ(gpu.icache.bytes, 4096U);
  EXPECT_EQ(gpu.icache.line_bytes, 64U);
  EXPECT_EQ(gpu.icache.mshrs, 3U);
  EXPECT_EQ(gpu.texture.bytes, 4U * 64 * 12);
  EXPECT_EQ(gpu.texture.line_bytes, 64U);
  EXPECT_EQ(gpu.texture.ways, 12U);
  EXPECT_EQ(gpu.texture.mshrs, 17U);
  EXPECT_EQ(gpu.icache.l15_bytes, 0U);
  EXPECT_EQ(gpu.dram.fixed_latency, 150U);
  EXPECT_EQ(gpu.dram.reorder, 1U);
  EXPECT_EQ(gpu.dram.queue, 1024U);
  EXPECT_EQ(gpu.dram.bytes_per_clock, 32U);
  EXPECT_EQ(gpu.dram.banks, 8U);
  EXPECT_EQ(gpu.dram.trrd, 7U);
  EXPECT_EQ(gpu.dram.trcd, 13U);
  EXPECT_EQ(gpu.dram.tras, 29U);
  EXPECT_EQ(gpu.dram.trp, 11U);
  EXPECT_EQ(gpu.dram.tcl, 14U);
  EXPECT_EQ(gpu.dram.turnaround, 6U);
  EXPECT_EQ(gpu.frontend.latencies.integer, 4U);
  EXPECT_EQ(gpu.frontend.latencies.integer_mul, 5U);
  EXPECT_EQ(gpu.frontend.latencies.integer_div, 150U);
  EXPECT_EQ(gpu.frontend.latencies.warp, 30U);
  EXPECT_EQ(gpu.core.half_rate_interval, 3U);
  EXPECT_EQ(gpu.core.integer_divide_interval, 9U);
  EXPECT_EQ(gpu.frontend.latencies.f32, 6U);
  EXPECT_EQ(gpu.core.alu_interval, 2U);
  EXPECT_EQ(gpu.core.divide_interval, 7U);
  EXPECT_EQ(gpu.frontend.latencies.f64_div, 330U);
  EXPECT_EQ(gpu.subroutine.f64_div, 1U);
  EXPECT_EQ(gpu.core.double_interval, 6U);  // 16 cycles in each of three units
  EXPECT_EQ(gpu.device.capability, 35U);
  EXPECT_EQ(gpu.frontend.register_file.per_thread, 255U);
  EXPECT_EQ(gpu.device.launch_latency_us, 5);
}

TEST_F(GpgpuSim, EachOptionHasAComment) {
  const std::string text = toml(
      "-gpgpu_shader_cta 4\n-gpgpu_n_mem_per_ctrlr 1\n-gpgpu_dram_buswidth 8\n\n"
      "-gpgpu_shader_cta 6\n-visualizer_enabled 0 -gpgpu_frobnicate \x01\xff\n-icnt_subnets 2\n");
  for (const char* part :
       {"base = \"m2090\"\n\n# line 1: -gpgpu_shader_cta 4: line 5 replaces it\n\n",
        "\n# line 2: -gpgpu_n_mem_per_ctrlr 1\ndram.bytes_per_clock = 16\n",
        "\n# line 3: -gpgpu_dram_buswidth 8: dram.bytes_per_clock, with line 2\n",
        "\n# line 5: -gpgpu_shader_cta 6\ncore.blocks = 6\n",
        "\n# line 6: -visualizer_enabled 0: nothing of the machine's timing\n",
        "\n# line 6: -gpgpu_frobnicate ??: not known\n",
        "\n# line 7: -icnt_subnets 2: not modelled: the interconnect is a crossbar\n"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << text;
  }
}

TEST_F(GpgpuSim, SubCoresHaveTheBaseThatHasThem) {
  const GpuConfig gpu = this->gpu(
      "-gpgpu_num_reg_banks 16\n-gpgpu_sub_core_model 1\n-gpgpu_num_sched_per_core 4\n"
      "-gpgpu_cache:dl1 S:1:128:256,L:L:s:N:L,A:256:8,16:0,32\n-gpgpu_shmem_size 98304\n"
      "-gpgpu_perfect_inst_const_cache 1\n-gpgpu_cache:il1 N:64:128:16,L:R:f:N:L,S:2:48,4\n"
      "-ptx_opcode_initiation_sfu 8\n-gpgpu_num_sfu_units 4\n"
      "-gpgpu_compute_capability_major 7\n-gpgpu_simd_model 1\n");
  EXPECT_TRUE(gpu.core.sub_cores);
  EXPECT_EQ(gpu.core.register_banks, 0U);
  EXPECT_EQ(gpu.dram.channels, load_gpu("a100").dram.channels);
  EXPECT_EQ(gpu.l1.bytes, 32768U);
  EXPECT_EQ(gpu.l1.ways, 64U);  // the most
  EXPECT_EQ(gpu.core.shared_reserved, 0U);
  EXPECT_EQ(gpu.icache.bytes, 0U);
  EXPECT_EQ(gpu.core.sfu_interval, 8U);  // each scheduler has its own
  EXPECT_EQ(gpu.frontend.yield_after, 0U);
}

TEST_F(GpgpuSim, OlderFilesSayCachesAndTimingWithoutNames) {
  const GpuConfig gpu = this->gpu(
      "-gpgpu_cache:dl1 32:128:4,L:L:m:N,A:31:7,8\n"
      "-gpgpu_dram_timing_opt 8:2:6:12:28:11:40:13:4:5:12:4:3:2\n");
  EXPECT_EQ(gpu.l1.bytes, 16384U);
  EXPECT_EQ(gpu.l1.mshrs, 31U);
  EXPECT_EQ(gpu.l1.mshr_merges, 7U);
  EXPECT_EQ(gpu.dram.banks, 8U);
  EXPECT_EQ(gpu.dram.trp, 11U);
  EXPECT_EQ(gpu.dram.tcl, 13U);
}

TEST_F(GpgpuSim, WhatIsWrongIsNamedWithItsLine) {
  EXPECT_EQ(error(""), ": has no options of GPGPU-Sim");
  EXPECT_EQ(error("# none\n\nmodel = 3\n"), ":3: 'model' is not an option of GPGPU-Sim");
  EXPECT_EQ(error("-gpgpu_n_clusters\n-gpgpu_n_mem 6\n"), ":1: -gpgpu_n_clusters has no value");
  EXPECT_EQ(error("-gpgpu_n_mem 6\n-gpgpu_n_clusters # 3"), ":2: -gpgpu_n_clusters has no value");
  EXPECT_EQ(error("\n-gpgpu_dram_timing_opt \"nbk=16:\n"), ":2: the quotation mark is not closed");
  EXPECT_EQ(error("-gpgpu_shader_cta many\n"),
            ":1: -gpgpu_shader_cta many: part 1 must be a number");
  EXPECT_EQ(error("-gpgpu_n_clusters 1.5\n"),
            ":1: -gpgpu_n_clusters 1.5: part 1 must be a whole number");
  EXPECT_EQ(error("-gpgpu_cache:dl1 N:32:128:4\n"),
            ":1: -gpgpu_cache:dl1 N:32:128:4: part 5 must be a number");
  EXPECT_EQ(error("-gpgpu_cache:dl1 N:32:64:4,L:L:m:N:H,S:64:8,8\n"),
            ":1: -gpgpu_cache:dl1 N:32:64:4,L:L:m:N:H,S:64:8,8: lines of data caches have 128 "
            "bytes");
  EXPECT_EQ(error("-gpgpu_shader_core_pipeline 1024:16\n"),
            ":1: -gpgpu_shader_core_pipeline 1024:16: a warp has 32 threads");
  EXPECT_EQ(error("\n\n-gpgpu_shader_cta 1000\n"),
            ":3: -gpgpu_shader_cta 1000: core.blocks=1000: the value must be an integer from 1 to "
            "128 blocks");
  EXPECT_EQ(error("-gpgpu_num_sched_per_core 5\n"),
            ": core.warps (48) is not a multiple of core.schedulers (5)");
  EXPECT_THROW(from_gpgpusim(folder_.path().string()), InputError);
}

}  // namespace
}  // namespace paws
