// SPDX-License-Identifier: MIT
// Every workload that comes with the project on a barrel core, whatever the rows of its warps.

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "sim/run/simulation.h"
#include "sim/support/error.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> workloads() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(PAWS_WORKLOADS_DIR)) {
    const std::string name = entry.path().filename().string();
    if (fs::exists(entry.path() / (name + ".toml"))) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class LargeWarpWorkloads : public testing::TestWithParam<std::string> {};

TEST_P(LargeWarpWorkloads, AreRightAtEveryHeight) {
  for (unsigned rows = 1; rows <= 32; rows *= 2) {
    SimulationRequest request;
    request.workload = GetParam();
    request.gpu = "lwm2011";
    request.scheduler = rows == 1 ? "single:group" : "single:rr";
    request.engine = "model";
    request.load.size = "small";
    request.settings = {"core.warp_rows=" + std::to_string(rows)};
    try {
      const SimulationResult result = simulate(request);
      for (const std::string& message : result.messages) ADD_FAILURE() << message;
      EXPECT_EQ(result.verified, true) << rows << " rows";
    } catch (const InputError& error) {
      const std::string message = error.what();
      // Blocks are as large as they are.
      if (rows > 1 && message.find("does not fill a large warp") != std::string::npos) return;
      ADD_FAILURE() << rows << " rows: " << message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, LargeWarpWorkloads, testing::ValuesIn(workloads()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace paws
