// SPDX-License-Identifier: MIT
// Every workload that comes with the project, run for its values and checked.
//
// PAWS_PTX_DIR (environment) names a folder with the PTX files of another compiler, to run those.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "sim/launch/modules.h"
#include "sim/launch/run.h"
#include "sim/tests/support/both_ways.h"
#include "sim/tests/support/temporary_folder.h"

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

/// Kernels of today, each of which is one of several in a folder.
std::vector<std::string> today() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(PAWS_WORKLOADS_DIR) / "today")) {
    if (entry.path().extension() == ".toml") {
      names.push_back("today/" + entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Runs a launch description for its values, with warps of so many rows, and fails the test when a
/// result is wrong. Returns the thread instructions.
std::uint64_t run(const fs::path& description, const LoadOptions& options, unsigned rows = 1) {
  const std::string name = description.stem().string();
  Workload workload = load_workload(description, options);
  const char* other = std::getenv("PAWS_PTX_DIR");
  for (ModuleFile& module : workload.modules) {
    const bool by_hand = module.ptx.parent_path() == description.parent_path();
    if (other != nullptr && !by_hand) module.ptx = fs::path(other) / module.ptx.filename();
  }
  const std::vector<ir::Module> modules = compile_modules(workload);

  BothWays runner;
  runner.use_rows(rows);
  DeviceMemory memory;
  RunOptions run_options;
  const TemporaryFolder folder;
  run_options.output_directory = folder.path();
  const WorkloadReport report = run_workload(workload, modules, runner, memory, run_options);
  for (const std::string& message : report.messages) ADD_FAILURE() << message;
  EXPECT_EQ(report.verified, true);
  std::cout << name << (options.size.empty() ? "" : " (" + options.size + ")") << ", " << rows
            << (rows == 1 ? " row: " : " rows: ") << report.launches << " launches, "
            << runner.warp_instructions() << " warp instructions, " << runner.thread_instructions()
            << " thread instructions\n";
  return runner.thread_instructions();
}

class Workloads : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(Workloads, GiveTheExpectedResults) {
  const auto& [name, size] = GetParam();
  LoadOptions options;
  options.size = size;
  options.ptx_directories = {PAWS_BUILT_PTX_DIR};
  run(find_workload(name, PAWS_WORKLOADS_DIR), options);
}

std::string test_name(const testing::TestParamInfo<Workloads::ParamType>& test) {
  const std::string& size = std::get<1>(test.param);
  std::string name = std::get<0>(test.param) + (size.empty() ? "" : "_" + size);
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Workloads,
                         testing::Combine(testing::ValuesIn(workloads()),
                                          testing::Values("", "small")),
                         test_name);

INSTANTIATE_TEST_SUITE_P(Today, Workloads,
                         testing::Combine(testing::ValuesIn(today()), testing::Values("small")),
                         test_name);

// Large warps: whatever the rows of a warp, the results are right.
class LargeWarps : public testing::TestWithParam<std::string> {};

TEST_P(LargeWarps, GiveTheExpectedResultsAtEveryHeight) {
  LoadOptions options;
  options.size = "small";
  options.ptx_directories = {PAWS_BUILT_PTX_DIR};
  const fs::path description = find_workload(GetParam(), PAWS_WORKLOADS_DIR);
  // In bfs, which thread finds a node first decides who does how much; not what the levels are. In
  // sort, which thread fills a bucket first decides how far its elements move.
  const std::map<std::string, double> races{{"bfs", 0.001}, {"lwm_bfs", 0.001}, {"lwm_sort", 0.02}};
  const auto found = races.find(GetParam());
  const double race = found == races.end() ? 0 : found->second;
  const auto instructions = static_cast<double>(run(description, options));
  for (const unsigned rows : {2U, 4U, 8U, 16U, 32U}) {
    const auto at_rows = static_cast<double>(run(description, options, rows));
    EXPECT_NEAR(at_rows, instructions, race * instructions) << rows << " rows";
  }
}

INSTANTIATE_TEST_SUITE_P(All, LargeWarps, testing::ValuesIn(workloads()),
                         [](const auto& test) { return test.param; });

// The controls for large warps, and the benchmarks with persistent threads: right for every size of
// a block.
class PersistentThreads : public testing::TestWithParam<std::tuple<std::string, std::int64_t>> {};

std::vector<std::string> for_large_warps() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(PAWS_WORKLOADS_DIR) / "large_warps")) {
    const std::string name = entry.path().stem().string();
    const bool has_16_warps = name.starts_with("two_phases");  // tested below
    if (entry.path().extension() == ".toml" && !has_16_warps) names.push_back(name);
  }
  for (const std::string& name : workloads()) {
    if (name.starts_with("lwm_")) names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

TEST_P(PersistentThreads, GiveTheExpectedResultsInBlocksOfEverySize) {
  const auto& [name, threads] = GetParam();
  const bool built_in = name.starts_with("lwm_");
  LoadOptions options;
  if (built_in) options.size = "small";
  options.variables = {{"threads", threads}};
  options.ptx_directories = {PAWS_BUILT_PTX_DIR};
  run(built_in ? find_workload(name, PAWS_WORKLOADS_DIR)
               : fs::path(PAWS_WORKLOADS_DIR) / "large_warps" / (name + ".toml"),
      options);
}

INSTANTIATE_TEST_SUITE_P(All, PersistentThreads,
                         testing::Combine(testing::ValuesIn(for_large_warps()),
                                          testing::Values(256, 512, 1024)),
                         [](const auto& test) {
                           return std::get<0>(test.param) + "_" +
                                  std::to_string(std::get<1>(test.param));
                         });

// Buckets that do not fit into private memory are sorted where they are.
TEST(LargeBuckets, AreSorted) {
  LoadOptions options;
  options.size = "crowded";
  options.ptx_directories = {PAWS_BUILT_PTX_DIR};
  run(find_workload("lwm_sort", PAWS_WORKLOADS_DIR), options);
}

// C instructions, a load, C more, by 16 warps; one of them has a guard that is never true.
TEST(TwoPhases, ThreadsHaveTheInstructionsOfTheFigure) {
  for (const std::uint64_t c : {10, 20}) {
    LoadOptions options;
    options.ptx_directories = {PAWS_BUILT_PTX_DIR};
    const std::string name = "two_phases_" + std::to_string(c) + ".toml";
    EXPECT_EQ(run(fs::path(PAWS_WORKLOADS_DIR) / "large_warps" / name, options), 16 * 32 * 2 * c);
  }
}

// The examples of docs/guide/launch.md, compiled as a user would.
class Examples : public testing::TestWithParam<std::string> {};

TEST_P(Examples, GiveTheExpectedResults) {
  LoadOptions options;
  options.ptx_directories = {PAWS_TEST_PTX_DIR};
  run(fs::path(PAWS_WORKLOADS_DIR) / "examples" / GetParam() / (GetParam() + ".toml"), options);
}

INSTANTIATE_TEST_SUITE_P(All, Examples,
                         testing::Values("saxpy", "linked_list", "two_modules", "half_precision"),
                         [](const auto& test) { return test.param; });

std::string text_of(const fs::path& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// In the document a line "`workloads/examples/...`:" stands above a block that shows the file.
TEST(Examples, AreInTheDocumentAsTheyAre) {
  const std::string document = text_of(fs::path(PAWS_DOCS_DIR) / "guide" / "launch.md");
  const std::string marker = "\n`workloads/examples/";
  unsigned shown = 0;
  for (std::size_t at = 0; (at = document.find(marker, at)) != std::string::npos; ++at) {
    const std::size_t name = at + marker.size();
    const std::string file = document.substr(name, document.find('`', name) - name);
    const std::size_t fence = document.find("```", name);
    const std::size_t begin = document.find('\n', fence) + 1;
    const std::string block = document.substr(begin, document.find("```", begin) - begin);
    const std::string text = text_of(fs::path(PAWS_WORKLOADS_DIR) / "examples" / file);
    EXPECT_NE(text.find(block), std::string::npos) << file << " and docs/guide/launch.md differ";
    ++shown;
  }
  EXPECT_EQ(shown, 2U);
}

TEST(CudaHeader, IntrinsicsMeanWhatCudaSays) {
  LoadOptions options;
  options.ptx_directories = {PAWS_TEST_PTX_DIR};
  run(fs::path(PAWS_LAUNCH_TEST_DATA) / "intrinsics.toml", options);
}

}  // namespace
}  // namespace paws
