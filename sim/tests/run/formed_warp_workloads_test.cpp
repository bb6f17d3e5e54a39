// SPDX-License-Identifier: MIT
// Every workload that comes with the project on a barrel core whose warps are formed anew.

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

std::vector<std::string> names_of_workloads() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(PAWS_WORKLOADS_DIR)) {
    const std::string name = entry.path().filename().string();
    if (fs::exists(entry.path() / (name + ".toml"))) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class FormedWarpWorkloads : public testing::TestWithParam<std::string> {};

TEST_P(FormedWarpWorkloads, AreRightUnlessTheySpeakOfWarps) {
  for (const char* divergence : {"1", "2"}) {
    SimulationRequest request;
    request.workload = GetParam();
    request.gpu = "lwm2011";
    request.scheduler = "single:rr";
    request.engine = "model";
    request.load.size = "small";
    request.settings = {std::string("core.divergence=") + divergence};
    try {
      const SimulationResult result = simulate(request);
      for (const std::string& message : result.messages) ADD_FAILURE() << message;
      EXPECT_EQ(result.verified, true) << "core.divergence=" << divergence;
    } catch (const InputError& error) {
      const std::string message = error.what();
      if (message.find("speaks of the lanes of a warp") != std::string::npos) return;
      ADD_FAILURE() << "core.divergence=" << divergence << ": " << message;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, FormedWarpWorkloads, testing::ValuesIn(names_of_workloads()),
                         [](const auto& test) { return test.param; });

}  // namespace
}  // namespace paws
