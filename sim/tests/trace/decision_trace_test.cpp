// SPDX-License-Identifier: MIT
// Decision traces: what is read is what was written, with every engine and every way of stepping.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/rtl_engine.h"
#include "model/scheduler_fields.h"
#include "sim/tests/trace/support.h"

namespace paws::trace {
namespace {

void expect_same(const SchedulerStep& a, const SchedulerStep& b) {
  EXPECT_EQ(a.inputs.issue_en, b.inputs.issue_en);
  EXPECT_EQ(a.inputs.issuable, b.inputs.issuable);
  EXPECT_EQ(a.inputs.waits, b.inputs.waits);
  EXPECT_EQ(a.inputs.long_outstanding, b.inputs.long_outstanding);
  EXPECT_EQ(a.inputs.exits, b.inputs.exits);
  EXPECT_EQ(a.inputs.launch_valid, b.inputs.launch_valid);
  EXPECT_EQ(a.inputs.launch_warp, b.inputs.launch_warp);
  EXPECT_EQ(a.inputs.phase, b.inputs.phase);
  EXPECT_EQ(a.inputs.pair, b.inputs.pair);
  EXPECT_EQ(a.inputs.row, b.inputs.row);
  EXPECT_EQ(a.inputs.second, b.inputs.second);
  EXPECT_EQ(a.inputs.yields, b.inputs.yields);
  EXPECT_EQ(a.outputs, b.outputs);
  EXPECT_EQ(a.state, b.state);
  EXPECT_EQ(a.warps, b.warps);
}

/// Everything behind the header, which names the engine.
std::string body_of(const std::string& path) {
  const std::string bytes = bytes_of(path);
  const std::size_t length =
      static_cast<unsigned char>(bytes[12]) + 256U * static_cast<unsigned char>(bytes[13]);
  return bytes.substr(16 + length);
}

using DecisionTrace = TraceTest;

TEST_F(DecisionTrace, KeepsEveryNumberOfTheConfiguration) {
  const SchedulerConfig standard = scheduler_config(load_gpu("m2090"), "two-level:paws");
  for (const SchedulerField& field : scheduler_fields()) {
    if (field.of_machine) continue;
    const unsigned value = value_of(standard, field) == field.low ? field.low + 1 : field.low;
    GpuRun run = busy("two-level:paws");
    set_key(run.config, fmt::format("scheduler.{}={}", field.name,
                                    is_switch(field) ? (value != 0 ? "true" : "false")
                                                     : std::to_string(value)));
    const RunInfo recorded = info(run);
    EXPECT_EQ(value_of(recorded.scheduler, field), value) << field.name;
    EXPECT_NE(recorded.scheduler, standard) << field.name;
    const std::string path = file(field.name);
    DecisionWriter writer(path, recorded, {0});
    writer.finish(std::nullopt);
    EXPECT_EQ(DecisionReader(path).run().scheduler, recorded.scheduler) << field.name;
    EXPECT_NE(to_toml(run.config).find(field.meaning), std::string::npos) << field.name;
  }
}

TEST_F(DecisionTrace, KeepsTheParametersOfThePolicy) {
  GpuRun run = busy("single:paws-window");
  set_key(run.config, "policy.window=2");
  const RunInfo recorded = info(run);
  EXPECT_EQ(recorded.scheduler.parameters.at("window"), 2U);
  const std::string path = file("window");
  DecisionWriter writer(path, recorded, {0});
  writer.finish(std::nullopt);
  EXPECT_EQ(DecisionReader(path).run().scheduler, recorded.scheduler);
}

TEST_F(DecisionTrace, GivesBackGroupsAndYields) {
  std::mt19937 random(20140215);
  std::vector<SchedulerStep> written;
  rewrite(record(busy("single:sca"), "t"), file("changed"), [&](CoreStep& step) {
    for (SchedulerStep& scheduler : step.schedulers) {
      SchedulerInputs& inputs = scheduler.inputs;
      const WarpId warp = random() % 24;
      inputs.pair[warp] = random() % 32;
      inputs.row[warp] = random() % 16;
      inputs.second = random() % 4 == 0 ? inputs.second : random() & 0xffffff;
      inputs.yields = random() % 4 == 0 ? 0 : random() & 0xffffff;
      written.push_back(scheduler);
    }
  });
  Collected read;
  DecisionReader(file("changed")).read(0, read);
  std::size_t next = 0;
  for (const Collected::Event& event : read.events) {
    const auto* step = std::get_if<CoreStep>(&event);
    if (step == nullptr) continue;
    for (const SchedulerStep& scheduler : step->schedulers) {
      expect_same(scheduler, written.at(next++));
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(next, written.size());
  EXPECT_GT(next, 1000U);
}

TEST_F(DecisionTrace, GivesBackEveryEventOfEveryCore) {
  const GpuRun run = busy("two-level:paws");
  RunInfo recorded = info(run);
  recorded.detail = true;
  recorded.settings = {"cores=2"};
  recorded.seed = 7;
  std::vector<Collected> seen(2);
  DecisionWriter writer(file("t"), recorded, {0, 1});
  watch(run,
        [&](std::uint32_t core) { return std::vector<Sink*>{&writer.sink(core), &seen[core]}; });
  writer.finish(std::nullopt);

  const DecisionReader reader(file("t"));
  EXPECT_EQ(reader.cores(), (std::vector<std::uint32_t>{0, 1}));
  EXPECT_EQ(reader.run().scheduler, recorded.scheduler);
  EXPECT_EQ(reader.run().settings, recorded.settings);
  EXPECT_EQ(reader.run().seed, 7U);
  EXPECT_FALSE(reader.error());
  for (std::uint32_t core = 0; core < 2; ++core) {
    Collected read;
    reader.read(core, read);
    ASSERT_EQ(read.events.size(), seen[core].events.size());
    std::uint64_t next = 0;
    std::size_t launches = 0, issues = 0, skipped = 0;
    for (std::size_t i = 0; i < read.events.size() && !HasFailure(); ++i) {
      const Collected::Event& a = seen[core].events[i];
      const Collected::Event& b = read.events[i];
      ASSERT_EQ(a.index(), b.index());
      if (const auto* launch = std::get_if<LaunchInfo>(&b)) {
        EXPECT_EQ(launch->cycle, std::get<LaunchInfo>(a).cycle);
        EXPECT_EQ(launch->number, launches++);
        EXPECT_EQ(launch->kernel->name, "test");
        EXPECT_FALSE(launch->kernel->code.empty());
        next = launch->cycle;
      } else if (const auto* step = std::get_if<CoreStep>(&b)) {
        EXPECT_EQ(step->cycle, next++);
        for (unsigned s = 0; s < 2; ++s) {
          expect_same(std::get<CoreStep>(a).schedulers[s], step->schedulers[s]);
          issues += step->schedulers[s].outputs.issue_valid ? 1 : 0;
        }
      } else if (const auto* skip = std::get_if<Collected::Skip>(&b)) {
        EXPECT_EQ(skip->from, next);
        EXPECT_GT(skip->to, skip->from);
        skipped += skip->to - skip->from;
        next = skip->to;
      } else {
        EXPECT_EQ(std::get<Collected::End>(b).cycle, next);
      }
    }
    EXPECT_EQ(launches, 2U);
    EXPECT_GT(issues, 1000U);
    EXPECT_GT(skipped, 100U);
  }
}

class EverySchedulerTrace : public TraceTest, public testing::WithParamInterface<const char*> {};

TEST_P(EverySchedulerTrace, DependsOnNeitherEngineNorThreadsNorSkipping) {
  const std::string model = body_of(record(busy(GetParam()), "model"));

  GpuRun stepped = busy(GetParam());
  stepped.options.skip_idle_cycles = false;
  EXPECT_EQ(body_of(record(stepped, "stepped")), model);

  GpuRun threaded = busy(GetParam());
  threaded.options.threads = 2;
  EXPECT_EQ(body_of(record(threaded, "threaded")), model);

  GpuRun rtl = busy(GetParam());
  rtl.factory = [](const SchedulerConfig& config) { return make_rtl(config); };
  EXPECT_EQ(body_of(record(rtl, "rtl")), model);
}

INSTANTIATE_TEST_SUITE_P(Schedulers, EverySchedulerTrace,
                         testing::Values("single:rr", "single:paws", "two-level:gto",
                                         "two-level:paws"));

TEST_F(DecisionTrace, TakesAFewBytesPerSchedulerAndCycle) {
  const GpuRun run = busy("two-level:paws");
  const std::string path = record(run, "t");
  std::size_t scheduler_cycles = 0;
  const DecisionReader reader(path);
  for (std::uint32_t core = 0; core < 2; ++core) {
    Collected events;
    reader.read(core, events);
    for (const Collected::Event& event : events.events) {
      scheduler_cycles += std::holds_alternative<CoreStep>(event) ? 2 : 0;
    }
  }
  EXPECT_LT(bytes_of(path).size(), 4 * scheduler_cycles);
}

TEST_F(DecisionTrace, KeepsWhyTheRunEnded) {
  DecisionWriter writer(file("t"), info(busy("single:rr")), {0});
  writer.finish("deadlock");
  EXPECT_EQ(DecisionReader(file("t")).error(), "deadlock");
}

TEST_F(DecisionTrace, LeavesNothingBehindUnlessFinished) {
  {
    DecisionWriter writer(file("t"), info(busy("single:rr")), {0, 1});
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
  const std::string error = error_of(
      [&] { DecisionWriter writer(file("no/such/folder"), info(busy("single:rr")), {0}); });
  EXPECT_NE(error.find("no/such/folder: cannot be written"), std::string::npos) << error;
}

TEST_F(DecisionTrace, CutOffForeignAndDamagedFilesAreOneMessage) {
  const std::string whole = bytes_of(record(busy("two-level:paws"), "whole"));
  const std::string path = file("part");
  auto message = [&](const std::string& bytes) {
    std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
    return error_of([&] {
      const DecisionReader reader(path);
      Collected events;
      for (const std::uint32_t core : reader.cores()) reader.read(core, events);
    });
  };
  EXPECT_EQ(message(whole), "");
  for (std::size_t size = 8; size < whole.size(); size += 1 + whole.size() / 97) {
    EXPECT_EQ(message(whole.substr(0, size)), path + ": is cut off") << size;
  }
  EXPECT_EQ(message(whole.substr(0, whole.size() - 1)), path + ": is cut off");
  EXPECT_EQ(message(""), path + ": is not a decision trace");
  EXPECT_EQ(message("{\"traceEvents\":[]}"), path + ": is not a decision trace");
  std::string newer = whole;
  newer[8] = 6;
  EXPECT_EQ(message(newer), path + ": is a decision trace of version 6; this program reads 5");

  const char* chosen = std::getenv("PAWS_SEED");
  const std::uint64_t seed = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  RecordProperty("seed", std::to_string(seed));
  std::mt19937_64 random(seed);
  for (unsigned i = 0; i < 200; ++i) {
    std::string damaged = whole;
    const std::size_t at = 1000 + random() % (whole.size() - 1000);
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << random() % 8));
    const std::string error = message(damaged);
    EXPECT_TRUE(error.starts_with(path + ": ")) << "seed " << seed << ", byte " << at << error;
    EXPECT_EQ(std::count(error.begin(), error.end(), '\n'), 0);
  }
}

TEST_F(DecisionTrace, NamesTheCoresThatItHas) {
  const std::string path = record(busy("single:rr"), "t");
  const std::string error = error_of([&] {
    Collected events;
    DecisionReader(path).read(5, events);
  });
  EXPECT_NE(error.find("core 5 is not in it (recorded: 0, 1)"), std::string::npos) << error;
}

/// The decoder alone, on bytes that no checksum protects.
TEST_F(DecisionTrace, DecoderSurvivesAnything) {
  std::string bytes;
  Encoder encoder(info(busy("two-level:paws")), [&](std::string_view more) { bytes += more; });
  watch(busy("two-level:paws"), [&](std::uint32_t core) {
    return core == 0 ? std::vector<Sink*>{&encoder} : std::vector<Sink*>{};
  });
  encoder.close();
  const char* chosen = std::getenv("PAWS_SEED");
  const std::uint64_t seed = chosen != nullptr ? std::strtoull(chosen, nullptr, 10) : 1;
  std::mt19937_64 random(seed);
  unsigned refused = 0;
  for (unsigned i = 0; i < 300; ++i) {
    std::string damaged = bytes;
    for (unsigned flips = 0; flips < 4; ++flips) {
      damaged[random() % damaged.size()] = static_cast<char>(random());
    }
    Decoder decoder(info(busy("two-level:paws")), "t", [&, given = false]() mutable {
      return std::exchange(given, true) ? std::string() : damaged;
    });
    class Ignore : public Sink {
      void begin(const LaunchInfo&) override {}
      void step(const CoreStep&) override {}
      void skipped(std::uint64_t, std::uint64_t) override {}
      void end(std::uint64_t) override {}
    } ignore;
    try {
      while (decoder.next(ignore)) {
      }
    } catch (const InputError&) {
      ++refused;
    }
  }
  EXPECT_GT(refused, 100U) << "seed " << seed;
}

}  // namespace
}  // namespace paws::trace
