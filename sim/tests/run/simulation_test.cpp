// SPDX-License-Identifier: MIT
// A simulation without the command line: requests to results, as another program would ask.
#include "sim/run/simulation.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/run/recordings.h"
#include "sim/run/result_fields.h"
#include "sim/support/error.h"
#include "sim/tests/support/temporary_folder.h"

namespace paws {
namespace {

/// Of vectoradd, size small, under single:rr on one core, as in sim/tests/golden/cycles.csv.
constexpr std::uint64_t kCycles = 19078;

SimulationRequest vectoradd() {
  SimulationRequest request;
  request.workload = "vectoradd";
  request.load.size = "small";
  request.scheduler = "single:rr";
  request.engine = "model";
  request.settings = {"cores=1"};
  return request;
}

TEST(Simulation, RunsABuiltInWorkload) {
  const SimulationResult result = simulate(vectoradd());
  EXPECT_EQ(result.workload, "vectoradd");
  EXPECT_EQ(result.scheduler, "single:rr");
  EXPECT_EQ(result.verified, true);
  EXPECT_EQ(result.launches, 1U);
  EXPECT_EQ(result.statistics.cycles, kCycles);
}

TEST(Simulation, EveryEngineDecidesAlike) {
  SimulationRequest request = vectoradd();
  for (const char* engine : {"rtl", "model", "lockstep"}) {
    request.engine = engine;
    EXPECT_EQ(simulate(request).statistics.cycles, kCycles) << engine;
  }
}

// The limits of LCS come from block monitors, which are of the same engine.
TEST(Simulation, BlockMonitorsOfEveryEngineFindTheSameLimits) {
  SimulationRequest request = vectoradd();
  request.workload = "matmul";
  request.scheduler = "single:gto";
  request.blocks = "lcs";
  const GpuStatistics expected = simulate(request).statistics;
  ASSERT_EQ(expected.kernels.size(), 1U);
  ASSERT_EQ(expected.kernels[0].limits.size(), 1U);
  for (const char* engine : {"rtl", "lockstep"}) {
    request.engine = engine;
    const GpuStatistics found = simulate(request).statistics;
    EXPECT_EQ(found.cycles, expected.cycles) << engine;
    ASSERT_EQ(found.kernels[0].limits.size(), 1U) << engine;
    EXPECT_EQ(found.kernels[0].limits[0].limit, expected.kernels[0].limits[0].limit) << engine;
    EXPECT_EQ(found.kernels[0].limits[0].cycle, expected.kernels[0].limits[0].cycle) << engine;
  }
}

TEST(Simulation, SaysWhichBlockMonitorsHaveRtl) {
  SimulationRequest request = vectoradd();
  request.blocks = "lcs";
  request.engine = "rtl";
  request.settings.emplace_back("core.blocks=16");
  try {
    simulate(request);
    FAIL() << "an engine for 16 block slots";
  } catch (const InputError& error) {
    const std::string message = error.what();
    EXPECT_NE(message.find("16 slots, 2 ports, 20-bit counts, rounded down has no RTL"),
              std::string::npos)
        << message;
    EXPECT_NE(message.find("use --engine model"), std::string::npos) << message;
  }
  request.engine = "model";
  EXPECT_EQ(simulate(request).verified, true);
}

TEST(Simulation, WithoutTimingGivesValuesAndNoCycles) {
  SimulationRequest request = vectoradd();
  request.timing = false;
  const SimulationResult result = simulate(request);
  EXPECT_EQ(result.verified, true);
  EXPECT_EQ(result.statistics.cycles, 0U);
  EXPECT_EQ(result.thread_instructions, simulate(vectoradd()).thread_instructions);
}

TEST(Simulation, TellsEveryLaunch) {
  SimulationRequest request = vectoradd();
  std::vector<std::string> launches;
  request.progress = [&launches](std::uint64_t launch, const std::string& kernel) {
    launches.push_back(std::to_string(launch) + " " + kernel);
  };
  const SimulationResult result = simulate(request);
  ASSERT_EQ(result.kernels.size(), 1U);
  EXPECT_EQ(launches, std::vector<std::string>{"1 " + result.kernels[0].kernel});
}

TEST(Simulation, TellsTheBlockSchedulerAndItsLimits) {
  SimulationRequest request = vectoradd();
  request.blocks = "lcs";
  request.load.size.clear();
  request.scheduler = "single:gto";
  const SimulationResult result = simulate(request);
  EXPECT_EQ(result.verified, true);
  const nlohmann::json json = to_json(result);
  EXPECT_EQ(json.at("block_scheduler"), "lcs");
  const nlohmann::json& limits = json.at("per_launch").at(0).at("block_limits");
  ASSERT_EQ(limits.size(), 1U);
  EXPECT_EQ(limits[0].at("core"), 0);
  EXPECT_GE(limits[0].at("limit"), 1);
  EXPECT_LT(limits[0].at("cycle"), result.statistics.cycles);
  request.blocks = "nothing";
  EXPECT_THROW(simulate(request), InputError);
}

TEST(Simulation, RunsLaunchesTogetherUnderEveryBlockScheduler) {
  SimulationRequest request = vectoradd();
  request.workload = "mmul_vadd";
  request.settings = {"cores=2"};
  std::vector<std::uint64_t> cycles;
  for (const char* blocks : {"rr", "limit:2", "bcs", "cke", "mcke:2,3"}) {
    request.blocks = blocks;
    const SimulationResult result = simulate(request);
    EXPECT_EQ(result.verified, true) << blocks;
    ASSERT_EQ(result.statistics.kernels.size(), 2U) << blocks;
    EXPECT_EQ(result.statistics.kernels[0].blocks, 12U) << blocks;
    EXPECT_EQ(result.statistics.kernels[1].blocks, 79U) << blocks;
    cycles.push_back(result.statistics.cycles);
  }
  request.blocks = "lcs";
  try {
    simulate(request);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what())
                  .find("2 launches together: the block scheduler (--blocks) takes 1 at most"),
              std::string::npos)
        << error.what();
  }
  request.timing = false;
  EXPECT_EQ(simulate(request).verified, true);
  std::sort(cycles.begin(), cycles.end());
  EXPECT_GE(std::unique(cycles.begin(), cycles.end()) - cycles.begin(), 3)
      << "they are different schedulers";
}

TEST(Simulation, WithoutTimingWarpsHaveTheRowsOfTheConfiguration) {
  SimulationRequest request = vectoradd();
  request.workload = "bp_k1";  // barriers, and branches that differ among rows
  request.timing = false;
  const SimulationResult small = simulate(request);
  request.settings.emplace_back("core.warp_rows=8");
  const SimulationResult large = simulate(request);
  EXPECT_EQ(large.verified, true);
  EXPECT_EQ(large.thread_instructions, small.thread_instructions);
}

TEST(Simulation, EachOfTheLaunchesThatRunTogetherFindsItsLimit) {
  SimulationRequest request = vectoradd();
  request.workload = "mmul_vadd";
  request.blocks = "cke";
  const SimulationResult result = simulate(request);
  ASSERT_EQ(result.statistics.kernels.size(), 2U);
  for (const LaunchStatistics& launch : result.statistics.kernels) {
    ASSERT_EQ(launch.limits.size(), 1U)
        << launch.kernel << ", one core for both, one after the other";
    EXPECT_GE(launch.limits[0].limit, 1U);
  }
}

TEST(Simulation, ASampleOfLaunchesThatRunTogetherIsRefused) {
  SimulationRequest request = vectoradd();
  request.workload = "mmul_vadd";
  request.samples.emplace();
  try {
    simulate(request);
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("show one launch at a time"), std::string::npos)
        << error.what();
  }
}

TEST(Simulation, BadRequestsAreInputErrors) {
  SimulationRequest request = vectoradd();
  request.scheduler = "single:nothing";
  EXPECT_THROW(simulate(request), InputError);
  request = vectoradd();
  request.engine = "nothing";
  EXPECT_THROW(simulate(request), InputError);
  request = vectoradd();
  request.settings = {"cores=0"};
  EXPECT_THROW(gpu_of(request), InputError);
  request = vectoradd();
  request.workload = "nothing";
  EXPECT_THROW(simulate(request), InputError);
}

/// A folder of the test's own with a kernel of a PTX version that does not exist, and its launch
/// description.
class OwnFolder : public testing::Test {
 protected:
  OwnFolder() {
    folder_.write(
        "k.ptx",
        ".version 99.0\n.target sm_70\n.address_size 64\n.visible .entry k() {\nret;\n}\n");
    request_.workload =
        folder_
            .write("k.toml",
                   "name = \"k\"\nptx = \"k.ptx\"\n"
                   "[[step]]\nkernel = \"k\"\ngrid = [1]\nblock = [64]\nargs = []\n")
            .string();
    request_.load.size.clear();
  }

  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_.path() / name).string();
  }

  const TemporaryFolder folder_;
  SimulationRequest request_ = vectoradd();
};

TEST_F(OwnFolder, WarningsGoToTheRequest) {
  std::vector<std::string> warnings;
  request_.warn = [&warnings](const std::string& warning) { warnings.push_back(warning); };
  EXPECT_EQ(simulate(request_).launches, 1U);
  ASSERT_EQ(warnings.size(), 1U);
  EXPECT_NE(warnings[0].find("k.ptx:1: warning: unknown .version 99.0"), std::string::npos)
      << warnings[0];
}

TEST_F(OwnFolder, WithoutATakerWarningsAreDropped) {
  testing::internal::CaptureStderr();
  EXPECT_EQ(simulate(request_).launches, 1U);
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(OwnFolder, RecordingsKeepTheDecisions) {
  SimulationRequest request = vectoradd();
  RecordingRequest recording;
  recording.decisions = file("run.dec");
  recording.cores = {0};
  Recordings recordings(recording, request);
  const SimulationResult result = simulate(request);
  recordings.finish(result.statistics.cycles);
  const trace::DecisionReader reader(recording.decisions);
  EXPECT_EQ(reader.run().workload, "vectoradd");
  EXPECT_EQ(reader.cores(), recording.cores);
  EXPECT_EQ(result.statistics.cycles, kCycles);
}

TEST_F(OwnFolder, AWindowBehindTheRunLeavesNoTimelineAndKeepsTheDecisions) {
  SimulationRequest request = vectoradd();
  RecordingRequest recording;
  recording.decisions = file("run.dec");
  recording.timeline = file("run.json");
  recording.range.from = kCycles;
  recording.cores = {0};
  {
    Recordings recordings(recording, request);
    EXPECT_THROW(recordings.finish(simulate(request).statistics.cycles), InputError);
  }
  EXPECT_EQ(trace::DecisionReader(recording.decisions).run().workload, "vectoradd");
  EXPECT_FALSE(std::filesystem::exists(recording.timeline));
}

TEST_F(OwnFolder, WavesOfSeveralCoresAreRefused) {
  SimulationRequest request = vectoradd();
  RecordingRequest recording;
  recording.wave = file("run");
  recording.cores = {0, 1};
  EXPECT_THROW(Recordings(recording, request), std::invalid_argument);
  EXPECT_FALSE(request.options.observe) << "the simulation would still be watched";
}

TEST(ResultFields, JsonAndColumnsAgree) {
  const SimulationResult result = simulate(vectoradd());
  const nlohmann::json json = to_json(result);
  EXPECT_EQ(json.at("cycles"), kCycles);
  EXPECT_EQ(json.at("verified"), true);
  EXPECT_EQ(json.at("per_launch").size(), 1U);
  const auto columns = to_columns(result);
  const auto cycles = std::find_if(columns.begin(), columns.end(),
                                   [](const auto& column) { return column.first == "cycles"; });
  ASSERT_NE(cycles, columns.end());
  EXPECT_EQ(cycles->second, std::to_string(kCycles));
}

}  // namespace
}  // namespace paws
