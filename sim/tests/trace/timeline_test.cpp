// SPDX-License-Identifier: MIT
// Timelines: valid JSON whose slices nest and cover what they are to cover.

#include "sim/trace/timeline.h"

#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "model/warp_mask.h"
#include "sim/tests/trace/support.h"

namespace paws::trace {
namespace {

struct Slice {
  std::uint64_t from, to;
  std::string name;
};

/// Slices by core and track, and the names of the tracks.
struct Read {
  std::map<std::pair<unsigned, unsigned>, std::vector<Slice>> slices;
  std::map<std::pair<unsigned, unsigned>, std::string> tracks;
  std::size_t counters = 0;
};

/// What the trace event format says of metadata: a name and one argument, once for each track.
void check_metadata(const nlohmann::json& event, std::set<std::string>& said) {
  const std::string name = event.at("name");
  const nlohmann::json& args = event.at("args");
  ASSERT_EQ(args.size(), 1U) << event;
  if (name.ends_with("_sort_index")) {
    EXPECT_TRUE(args.at("sort_index").is_number_integer()) << event;
  } else {
    EXPECT_TRUE(name == "process_name" || name == "thread_name") << event;
    EXPECT_TRUE(args.at("name").is_string()) << event;
  }
  EXPECT_TRUE(said.insert(name + event.at("pid").dump() + "/" + event.at("tid").dump()).second)
      << event;
}

/// Each slice lies within that which is open when it begins. Viewers sort by time and keep the
/// order of the file otherwise.
void check_nesting(std::vector<Slice> slices) {
  std::stable_sort(slices.begin(), slices.end(),
                   [](const Slice& a, const Slice& b) { return a.from < b.from; });
  std::vector<Slice> open;
  for (const Slice& slice : slices) {
    while (!open.empty() && open.back().to <= slice.from) open.pop_back();
    if (!open.empty()) {
      EXPECT_LE(slice.to, open.back().to)
          << slice.name << " at " << slice.from << " is not within " << open.back().name;
    }
    open.push_back(slice);
  }
}

/// The rules of the trace event format that the file has to keep: its keys and their types, names
/// of all tracks, slices that nest, and counters whose time goes on.
void check_rules(const nlohmann::json& json) {
  ASSERT_TRUE(json.at("displayTimeUnit") == "ns" || json.at("displayTimeUnit") == "ms");
  ASSERT_TRUE(json.at("otherData").is_object());
  std::set<std::string> said;
  std::map<std::pair<unsigned, unsigned>, std::vector<Slice>> slices;
  std::map<std::pair<unsigned, std::string>, std::uint64_t> counted;
  for (const nlohmann::json& event : json.at("traceEvents")) {
    ASSERT_TRUE(event.at("name").is_string() && event.at("pid").is_number_unsigned()) << event;
    EXPECT_EQ(event.value("args", nlohmann::json::object()).is_object(), true) << event;
    const std::string kind = event.at("ph");
    if (kind == "M") {
      check_metadata(event, said);
      continue;
    }
    ASSERT_TRUE(event.at("ts").is_number_unsigned()) << event;
    const unsigned process = event.at("pid");
    const std::uint64_t time = event.at("ts");
    if (kind == "X") {
      ASSERT_TRUE(event.at("dur").is_number_unsigned() && event.at("dur") > 0) << event;
      slices[{process, event.at("tid")}].push_back(
          {time, time + event.at("dur").get<std::uint64_t>(), event.at("name")});
      continue;
    }
    ASSERT_EQ(kind, "C") << event;
    ASSERT_FALSE(event.at("args").empty()) << event;
    for (const auto& value : event.at("args")) EXPECT_TRUE(value.is_number()) << event;
    const auto [last, first] = counted.emplace(std::pair{process, event.at("name")}, time);
    EXPECT_TRUE(first || last->second < time) << event;
    last->second = time;
  }
  for (const auto& [track, of_track] : slices) {
    const std::string process = std::to_string(track.first);
    EXPECT_TRUE(said.contains("process_name" + process + "/0")) << process;
    EXPECT_TRUE(said.contains("thread_name" + process + "/" + std::to_string(track.second)));
    check_nesting(of_track);
  }
}

Read read(const std::string& path) {
  const nlohmann::json json = nlohmann::json::parse(bytes_of(path));
  Read result;
  for (const nlohmann::json& event : json.at("traceEvents")) {
    const std::pair<unsigned, unsigned> track{event.at("pid"), event.value("tid", 0U)};
    if (event.at("ph") == "X") {
      const std::uint64_t from = event.at("ts");
      result.slices[track].push_back(
          {from, from + event.at("dur").get<std::uint64_t>(), event.at("name")});
    } else if (event.at("ph") == "C") {
      ++result.counters;
    } else if (event.at("name") == "thread_name") {
      result.tracks[track] = event.at("args").at("name");
    }
  }
  for (auto& [track, slices] : result.slices) {
    std::sort(slices.begin(), slices.end(), [](const Slice& a, const Slice& b) {
      return a.from != b.from ? a.from < b.from : a.to > b.to;
    });
  }
  return result;
}

class TimelineTest : public TraceTest {
 protected:
  Read timeline(const GpuRun& run, const CycleRange& range = {}) {
    TimelineWriter writer(file("t.json"), {info(run)}, {0, 1}, range);
    watch(run, [&writer](std::uint32_t core) { return std::vector<Sink*>{&writer.sink(core)}; });
    writer.finish();
    return read(file("t.json"));
  }
};

std::uint64_t length(const std::vector<Slice>& slices, const std::string& prefix) {
  std::uint64_t sum = 0;
  for (const Slice& slice : slices)
    sum += slice.name.starts_with(prefix) ? slice.to - slice.from : 0;
  return sum;
}

TEST_F(TimelineTest, TheFileKeepsTheRulesOfItsFormat) {
  for (const auto& [scheduler, range] :
       {std::pair{"two-level:paws", CycleRange{}}, {"single:gto", CycleRange{100, 900}}}) {
    const Read read = timeline(busy(scheduler), range);
    EXPECT_GT(read.slices.size(), 20U);
    check_rules(nlohmann::json::parse(bytes_of(file("t.json"))));
  }
}

TEST_F(TimelineTest, RunsStandSideBySide) {
  const std::vector<GpuRun> runs{busy("single:rr"), busy("two-level:paws")};
  std::vector<Read> alone;
  for (const GpuRun& run : runs) alone.push_back(timeline(run));
  TimelineWriter writer(file("both.json"), {info(runs[0]), info(runs[1])}, {0, 1}, {});
  for (std::size_t i = 0; i < 2; ++i) {
    watch(runs[i], [&](std::uint32_t core) { return std::vector<Sink*>{&writer.sink(core, i)}; });
  }
  writer.finish();
  const Read both = read(file("both.json"));
  std::size_t tracks = 0;
  for (unsigned run = 0; run < 2; ++run) {
    for (const auto& [track, slices] : alone[run].slices) {
      const auto there = both.slices.find({track.first + run * info(runs[0]).cores, track.second});
      ASSERT_NE(there, both.slices.end());
      EXPECT_EQ(there->second.size(), slices.size());
      ++tracks;
    }
  }
  EXPECT_EQ(both.slices.size(), tracks);
  const std::string text = bytes_of(file("both.json"));
  EXPECT_NE(text.find(" under single:rr (1 us"), std::string::npos);
  EXPECT_NE(text.find(" under two-level:paws (1 us"), std::string::npos);
}

TEST_F(TimelineTest, CountersHaveEveryIssue) {
  const GpuRun run = busy("single:gto");
  std::vector<Collected> seen(2);
  watch(run, [&](std::uint32_t core) { return std::vector<Sink*>{&seen[core]}; });
  using Counts = std::map<std::pair<unsigned, std::uint64_t>, std::uint64_t>;  // by core and begin
  Counts issues;
  for (unsigned core = 0; core < 2; ++core) {
    for (const Collected::Event& event : seen[core].events) {
      const auto* step = std::get_if<CoreStep>(&event);
      if (step == nullptr || !step->schedulers[1].outputs.issue_valid) continue;
      ++issues[{core, step->cycle - step->cycle % 64}];
    }
  }
  static_cast<void>(timeline(run));
  Counts counted;
  const nlohmann::json json = nlohmann::json::parse(bytes_of(file("t.json")));
  for (const nlohmann::json& event : json.at("traceEvents")) {
    if (event.at("ph") != "C" || event.at("name") != "scheduler 1 issues") continue;
    const std::uint64_t number = event.at("args").at("in 64 cycles");
    if (number > 0) counted[{event.at("pid"), event.at("ts")}] = number;
  }
  EXPECT_FALSE(counted.empty());
  EXPECT_EQ(counted, issues);
}

TEST_F(TimelineTest, SlicesNestAndCoverTheWarpsLives) {
  const GpuRun run = busy("two-level:paws");
  // What the timeline is held to: live cycles and issues of each slot.
  std::vector<Collected> seen(2);
  watch(run, [&](std::uint32_t core) { return std::vector<Sink*>{&seen[core]}; });
  std::map<std::string, std::uint64_t> live, issues;
  for (const Collected& core : seen) {
    const CoreStep* last = nullptr;
    for (const Collected::Event& event : core.events) {
      std::uint64_t cycles = 0;
      if (std::holds_alternative<LaunchInfo>(event)) last = nullptr;
      if (const auto* step = std::get_if<CoreStep>(&event)) last = step, cycles = 1;
      if (const auto* skip = std::get_if<Collected::Skip>(&event)) cycles = skip->to - skip->from;
      for (unsigned s = 0; s < 2 && last != nullptr; ++s) {
        const SchedulerStep& step = last->schedulers[s];
        for_each_warp(step.warps.live, [&](WarpId warp) {
          const std::string name =
              "scheduler " + std::to_string(s) + " warp " + std::to_string(warp);
          live[name] += cycles;
          if (cycles == 1 && step.outputs.issue_valid && step.outputs.issue_warp == warp)
            ++issues[name];
        });
      }
    }
  }

  const Read result = timeline(run);
  EXPECT_GT(result.counters, 100U);
  std::map<std::string, std::uint64_t> lives, phases, states, places, issued;
  for (const auto& [track, slices] : result.slices) {
    const std::string& name = result.tracks.at(track);
    // Chrome's rule: slices of one track nest.
    std::vector<std::uint64_t> open;
    for (const Slice& slice : slices) {
      EXPECT_LT(slice.from, slice.to);
      while (!open.empty() && open.back() <= slice.from) open.pop_back();
      EXPECT_TRUE(open.empty() || slice.to <= open.back()) << name << " at " << slice.from;
      open.push_back(slice.to);
    }
    if (name.ends_with(" state")) {
      const std::string warp = name.substr(0, name.size() - 6);
      states[warp] += length(slices, "");
      issued[warp] += length(slices, "issue");
    } else if (name.ends_with(" queue")) {
      places[name.substr(0, name.size() - 6)] += length(slices, "");
    } else if (name.starts_with("scheduler")) {
      lives[name] += length(slices, "block");
      phases[name] += length(slices, "phase");
    }
  }
  EXPECT_FALSE(live.empty());
  EXPECT_EQ(lives, live);
  EXPECT_EQ(phases, live);
  EXPECT_EQ(states, live);
  EXPECT_EQ(places, live);
  EXPECT_EQ(issued, issues);
}

TEST_F(TimelineTest, BlocksAndLaunchesHaveTracks) {
  const Read result = timeline(busy("single:gto"));
  std::uint64_t blocks = 0, launches = 0;
  for (const auto& [track, slices] : result.slices) {
    if (result.tracks.at(track).starts_with("block")) blocks += slices.size();
    if (result.tracks.at(track) == "launch") launches += slices.size();
    EXPECT_FALSE(result.tracks.at(track).ends_with("queue"));
  }
  EXPECT_EQ(blocks, 80U);   // 40 in each of two launches
  EXPECT_EQ(launches, 4U);  // two on each core
}

TEST_F(TimelineTest, ARangeCutsEverything) {
  const GpuRun run = busy("two-level:gto");
  const std::uint64_t from = busy_cycle(run);
  const Read result = timeline(run, {from, from + 499});
  EXPECT_FALSE(result.slices.empty());
  bool full = false;
  for (const auto& [track, slices] : result.slices) {
    for (const Slice& slice : slices) {
      EXPECT_GE(slice.from, from);
      EXPECT_LE(slice.to, from + 500);
      full |= slice.from == from && slice.to == from + 500;
    }
  }
  EXPECT_TRUE(full) << "nothing reaches from one end to the other";
}

TEST_F(TimelineTest, ARunThatFailsLeavesValidJson) {
  GpuRun run = busy("two-level:paws");
  const std::uint64_t last_cycle = busy_cycle(run);
  run.options.max_cycles = last_cycle;
  TimelineWriter writer(file("t.json"), {info(run)}, {0, 1}, {});
  EXPECT_THROW(
      watch(run, [&](std::uint32_t core) { return std::vector<Sink*>{&writer.sink(core)}; }),
      InputError);
  writer.finish();
  const Read result = read(file("t.json"));
  std::uint64_t last = 0;
  for (const auto& [track, slices] : result.slices) {
    for (const Slice& slice : slices) last = std::max(last, slice.to);
  }
  EXPECT_GT(last + 200, last_cycle);
  EXPECT_LE(last, last_cycle);
}

}  // namespace
}  // namespace paws::trace
