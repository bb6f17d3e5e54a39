// SPDX-License-Identifier: MIT
// The engine behind make_rtl(): configurations, threads, and engines outside the matrix, which are
// built when asked for (that takes a while: it verilates and compiles).
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "engine/cached_library.h"
#include "engine/engine_registry.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "model/registry.h"
#include "tb/random/drive.h"
#include "tb/random/subjects.h"

namespace paws {
namespace {

namespace fs = std::filesystem;

/// A cache of its own, so that nothing is found there.
class OnDemand : public testing::Test {
 protected:
  OnDemand() {
    std::string pattern = testing::TempDir() + "paws-cache-XXXXXX";
    cache_ = mkdtemp(pattern.data());
    setenv("XDG_CACHE_HOME", cache_.c_str(), 1);
  }
  ~OnDemand() override { fs::remove_all(cache_); }

  [[nodiscard]] std::vector<std::string> cached() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(cache_ / "paws")) {
      names.push_back(entry.path().filename().string());
    }
    return names;
  }

  fs::path cache_;
};

SchedulerConfig small(const std::string& policy) {
  return {Level::two_level, policy, 6, 2, 5, false};
}

TEST_F(OnDemand, ADamagedFileIsBuiltAgain) {
  const fs::path source = cache_ / "answer.c";
  std::ofstream(source) << "int answer(void) { return 42; }\n";
  LibraryRecipe recipe;
  recipe.name = "answer";
  recipe.what = "the answer";
  recipe.why = "for a test";
  recipe.sources = {source};
  recipe.command = [&](const fs::path& output, const fs::path&) {
    return std::vector<std::string>{compiler(), "-xc",           "-shared",      "-fPIC",
                                    "-o",       output.string(), source.string()};
  };
  recipe.entry = "answer";
  const auto said = [&recipe] {
    testing::internal::CaptureStderr();
    EXPECT_EQ(reinterpret_cast<int (*)()>(load_library(recipe))(), 42);
    return testing::internal::GetCapturedStderr();
  };
  EXPECT_EQ(said().find("paws: building the answer (for a test) into "), 0U);
  EXPECT_EQ(said(), "");
  const fs::path library = cache_ / "paws" / cached().at(0);
  std::ostringstream content;
  content << std::ifstream(library).rdbuf();
  std::string changed = content.str();
  changed[changed.size() / 2] ^= 1;
  for (const std::string& damaged : {std::string(), content.str().substr(0, 100),
                                     content.str().substr(0, changed.size() / 2), changed}) {
    fs::remove(library);  // The one that is loaded keeps its bytes.
    std::ofstream(library) << damaged;
    const std::string built = said();
    EXPECT_EQ(built.find("paws: building the answer (the one kept is damaged) into "), 0U) << built;
    EXPECT_EQ(std::count(built.begin(), built.end(), '\n'), 1);
  }
}

TEST_F(OnDemand, IsBuiltSaidCachedAndRight) {
  const SchedulerConfig config = small("paws");
  testing::internal::CaptureStderr();
  auto rtl = make_rtl(config, {.assertions = true});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_NE(said.find("building RTL engine two_level_6_2_5_checked"), std::string::npos) << said;
  EXPECT_NE(said.find(cache_.string()), std::string::npos) << said;
  ASSERT_EQ(cached().size(), 1U);
  EXPECT_EQ(cached()[0].find("two_level_6_2_5_checked-"), 0U);

  const RunLength run{.seed = 1, .cycles = 20'000};
  const auto lockstep = make_lockstep(make_model(config), std::move(rtl), reproduce_text(run));
  drive_all_scenarios(*lockstep, run, "on_demand_test", nullptr);

  // Another policy is the same engine, and a second scheduler needs no second build.
  testing::internal::CaptureStderr();
  const auto same_engine = make_rtl(small("rr"), {.assertions = true});
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");

  // Its assertions become exceptions too.
  SchedulerInputs inputs;
  inputs.issuable = 1;
  same_engine->decide(inputs);
  EXPECT_THROW(same_engine->commit(), ContractViolation);
}

TEST_F(OnDemand, FailsWithOneMessage) {
  std::ofstream(cache_ / "verilator") << "#!/bin/sh\n[ \"$1\" = --cc ] || exit 0\n"
                                         "echo '%Error: no such luck'\nexit 1\n";
  fs::permissions(cache_ / "verilator", fs::perms::owner_all);
  const std::string path = std::getenv("PATH");
  setenv("PATH", (cache_.string() + ":" + path).c_str(), 1);
  testing::internal::CaptureStderr();
  try {
    make_rtl({Level::single, "rr", 6, 1, 5, false});
    FAIL() << "built without Verilator";
  } catch (const EngineBuildError& error) {
    EXPECT_STREQ(error.what(),
                 "building RTL engine single_level_6_5_policies1 failed: %Error: no such luck");
  }
  testing::internal::GetCapturedStderr();
  setenv("PATH", path.c_str(), 1);
  EXPECT_TRUE(cached().empty());  // no half-built engine, no scratch
}

TEST(Engine, RefusesWhatHasNoRtl) {
  SchedulerConfig config;
  config.policy = "longest";
  EXPECT_THROW(make_rtl(config), std::invalid_argument);
  config.policy = "oldest";
  EXPECT_THROW(make_rtl(config), std::invalid_argument);
  config.policy = "paws";
  config.warps = 65;
  EXPECT_THROW(make_rtl(config), std::invalid_argument);
}

TEST(Engine, OfTheProgramsServeEveryPolicyOfTheRtl) {
  for (const std::string& name : rtl_scheduler_names()) {
    SchedulerConfig config;
    ASSERT_EQ(set_scheduler_name(config, name), std::nullopt);
    for (const bool checked : {false, true}) {
      EXPECT_TRUE(std::ranges::any_of(standard_engines(),
                                      [&](const BuiltEngine& engine) {
                                        return engine.parameters.checked == checked &&
                                               serves(engine.parameters, config);
                                      }))
          << name << (checked ? ", checked" : "");
    }
  }
}

TEST(Engine, OfTheMatrixServesOnlyItsConfiguration) {
  const auto engines = standard_engines();
  SchedulerConfig config;
  const auto found = std::ranges::find_if(engines, [&config](const BuiltEngine& engine) {
    return engine.parameters.level == Level::two_level && serves(engine.parameters, config);
  });
  ASSERT_NE(found, engines.end());
  EXPECT_NO_THROW(make_engine(*found, config));
  config.ready = 5;
  EXPECT_THROW(make_engine(*found, config), std::invalid_argument);
}

TEST(Engine, RunsOnSeveralThreads) {
  const RunLength run{.seed = 1, .cycles = 20'000};
  const auto work = [&run](const std::string& policy, std::string& result) {
    SchedulerConfig config;
    config.policy = policy;
    try {
      const auto lockstep = make_lockstep(config, "RunsOnSeveralThreads");
      drive_all_scenarios(*lockstep, run, policy, nullptr);
      result = "agrees";
    } catch (const std::exception& error) {
      result = error.what();
    }
  };
  std::string results[3];
  std::thread threads[] = {std::thread(work, "rr", std::ref(results[0])),
                           std::thread(work, "gto", std::ref(results[1])),
                           std::thread(work, "paws", std::ref(results[2]))};
  for (std::thread& thread : threads) thread.join();
  for (const std::string& result : results) EXPECT_EQ(result, "agrees");
}

}  // namespace
}  // namespace paws
