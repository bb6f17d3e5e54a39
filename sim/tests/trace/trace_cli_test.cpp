// SPDX-License-Identifier: MIT
// Traces from outside: the program's words, exit status, messages and files.

#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "sim/tests/support/temporary_folder.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

struct Finished {
  int status = 0;
  std::string output;  ///< stdout and stderr
};

Finished paws(const std::string& arguments) {
  Finished finished;
  FILE* pipe = popen((std::string(PAWS_PROGRAM) + " " + arguments + " 2>&1").c_str(), "r");
  std::array<char, 4096> buffer{};
  while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
    finished.output.append(buffer.data(), count);
  }
  const int raw = pclose(pipe);
  finished.status = WIFEXITED(raw) ? WEXITSTATUS(raw) : -1;
  return finished;
}

constexpr const char* kRun = "run vectoradd --define n=4096 --set cores=2 ";

class TraceCli : public testing::Test {
 protected:
  [[nodiscard]] std::string file(const std::string& name) const {
    return (folder_ / name).string();
  }
  [[nodiscard]] bool empty() const { return fs::is_empty(folder_); }

  const TemporaryFolder temporary_;
  const fs::path& folder_ = temporary_.path();
};

std::string bytes_of(const std::string& path) {
  std::ifstream stream(path);
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST_F(TraceCli, AComparisonHasTheTimelinesOfItsSchedulersSideBySide) {
  const std::string compare =
      "compare vectoradd --define n=4096 --set cores=2 --engine model --trace-core 0,1 "
      "--schedulers "
      "single:rr,two-level:paws --timeline ";
  ASSERT_EQ(paws(compare + file("one") + " --jobs 1").status, 0);
  ASSERT_EQ(paws(compare + file("two") + " --jobs 2").status, 0);
  EXPECT_EQ(bytes_of(file("one")), bytes_of(file("two")));
  // Events but those that name things, by process.
  const auto events = [](const std::string& path) {
    std::map<unsigned, std::size_t> counts;
    const nlohmann::json json = nlohmann::json::parse(bytes_of(path));
    for (const nlohmann::json& event : json.at("traceEvents")) {
      if (event.at("ph") != "M") ++counts[event.at("pid").get<unsigned>()];
    }
    return counts;
  };
  std::map<unsigned, std::size_t> alone;
  for (unsigned number = 0; const char* scheduler : {"single:rr", "two-level:paws"}) {
    const std::string run = std::string(kRun) + "--engine model --trace-core 0,1 --scheduler ";
    ASSERT_EQ(paws(run + scheduler + " --timeline " + file("run")).status, 0);
    for (const auto& [process, count] : events(file("run"))) alone[process + number] = count;
    number += 2;
  }
  EXPECT_EQ(alone.size(), 4U);
  EXPECT_EQ(events(file("one")), alone);

  const Finished behind = paws(compare + file("none") + " --from 99999999");
  EXPECT_EQ(behind.status, 2);
  EXPECT_NE(behind.output.find("--from 99999999: there are "), std::string::npos) << behind.output;
  EXPECT_FALSE(fs::exists(file("none")));
  const Finished failing = paws(compare + file("part") + " --max-cycles 500");
  EXPECT_EQ(failing.status, 2);
  EXPECT_EQ(events(file("part")).size(), 4U) << failing.output;
}

TEST_F(TraceCli, RecordsListsReplaysAndCompares) {
  const Finished run = paws(kRun + std::string("--trace-core all --decisions ") + file("a"));
  ASSERT_EQ(run.status, 0) << run.output;
  const Finished list = paws("decisions " + file("a") + " --core 1");
  EXPECT_EQ(list.status, 0);
  for (const char* word : {"two-level:paws", "recorded cores      0, 1",
                           "head-most issuable of ready", "ld.global.f32", "promoted to ready"}) {
    EXPECT_NE(list.output.find(word), std::string::npos) << word << list.output;
  }
  for (const char* engine : {"rtl", "model", "lockstep"}) {
    const Finished replay = paws("replay " + file("a") + " --engine " + engine);
    EXPECT_EQ(replay.status, 0) << replay.output;
    EXPECT_NE(replay.output.find("every decision           as recorded"), std::string::npos);
  }
  const Finished other = paws(kRun + std::string("--engine model --scheduler two-level:rr ") +
                              "--trace-core all --decisions " + file("b"));
  ASSERT_EQ(other.status, 0) << other.output;
  EXPECT_EQ(paws("diff " + file("a") + " " + file("a")).status, 0);
  const Finished diff = paws("diff " + file("a") + " " + file("b"));
  EXPECT_EQ(diff.status, 1) << diff.output;
  EXPECT_NE(diff.output.find("decisions differ"), std::string::npos) << diff.output;
}

TEST_F(TraceCli, PortListingHasALinePerSchedulerAndCycle) {
  ASSERT_EQ(paws(kRun + std::string("--decisions ") + file("a")).status, 0);
  std::istringstream lines(paws("decisions --ports --from 100 --to 199 " + file("a")).output);
  std::size_t count = 0;
  for (std::string line; std::getline(lines, line); ++count) {
    std::istringstream words(line);
    std::size_t numbers = 0;
    for (unsigned long long number = 0; words >> number; ++numbers) {
      EXPECT_TRUE(numbers > 0 || number == 100 + count / 2) << line;
    }
    EXPECT_EQ(numbers, 13U + 24U) << line;
  }
  EXPECT_EQ(count, 200U);
}

TEST_F(TraceCli, AFailedRunLeavesItsTracesAndSaysSo) {
  const Finished run = paws(kRun + std::string("--max-cycles 300 --decisions ") + file("a") +
                            " --timeline " + file("t.json"));
  EXPECT_EQ(run.status, 2);
  EXPECT_NE(run.output.find("not finished after 300 cycles"), std::string::npos) << run.output;
  const Finished list = paws("decisions " + file("a") + " --to 250");
  EXPECT_EQ(list.status, 0) << list.output;
  EXPECT_NE(list.output.find("the run ended early: "), std::string::npos) << list.output;
  EXPECT_EQ(paws("replay " + file("a")).status, 0);
  std::ifstream timeline(file("t.json"));
  EXPECT_GT(nlohmann::json::parse(timeline).at("traceEvents").size(), 100U);
}

TEST_F(TraceCli, BadUsageIsOneMessageBeforeTheRun) {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"--decisions " + file("no/a"), "no/a: cannot be written: No such file or directory"},
      {"--timeline " + file(""), "cannot be written: Is a directory"},
      {"--wave " + file("w.vcd"), "w.vcd: a wave's name must end in .fst"},
      {"--wave " + file("w.fst") + " --trace-core all", "--wave shows one core"},
      {"--wave " + file("w.fst") + " --engine model --scheduler two-level:longest",
       "scheduler 'two-level:longest' lives in the model alone: there is no RTL to show"},
      {"--decisions " + file("a") + " --trace-core 2", "--trace-core 2: the GPU has 2 cores"},
      {"--decisions " + file("a") + " --trace-core x", "--trace-core x: expected the number"},
      {"--timeline " + file("a") + " --from 9 --to 8", "--from is behind --to"},
  };
  for (const auto& [options, message] : cases) {
    const Finished run = paws(kRun + options);
    EXPECT_EQ(run.status, 2) << options;
    EXPECT_NE(run.output.find(message), std::string::npos) << options << "\n" << run.output;
    EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
    EXPECT_TRUE(empty()) << options;
  }
}

TEST_F(TraceCli, BadTracesAreOneMessage) {
  ASSERT_EQ(paws(kRun + std::string("--decisions ") + file("a")).status, 0);
  fs::resize_file(file("a"), fs::file_size(file("a")) / 2);
  std::ofstream(file("b")) << "something else";
  const std::vector<std::string> commands{"decisions ", "replay ", "diff " + file("b") + " "};
  for (const std::string& command : commands) {
    for (const char* name : {"a", "b", "c"}) {
      const Finished finished = paws(command + file(name));
      EXPECT_EQ(finished.status, 2) << command << name;
      EXPECT_EQ(std::count(finished.output.begin(), finished.output.end(), '\n'), 1)
          << finished.output;
    }
  }
  EXPECT_NE(paws("replay " + file("a")).output.find("a: is cut off"), std::string::npos);
  EXPECT_NE(paws("replay " + file("b")).output.find("b: is not a decision trace"),
            std::string::npos);
  EXPECT_NE(paws("replay " + file("c")).output.find("c: no such file"), std::string::npos);
}

TEST_F(TraceCli, AnotherPolicyIsCountedOrRefused) {
  ASSERT_EQ(paws(kRun + std::string("--scheduler single:gto --decisions ") + file("a")).status, 0);
  const Finished other = paws("replay " + file("a") + " --scheduler single:rr --engine model");
  EXPECT_EQ(other.status, 0) << other.output;
  EXPECT_NE(other.output.find("would decide otherwise"), std::string::npos) << other.output;
  const Finished refused = paws("replay " + file("a") + " --scheduler two-level:rr");
  EXPECT_EQ(refused.status, 2);
  EXPECT_NE(refused.output.find("use paws diff"), std::string::npos) << refused.output;
}

}  // namespace
}  // namespace paws
