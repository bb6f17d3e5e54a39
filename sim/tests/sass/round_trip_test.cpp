// SPDX-License-Identifier: MIT
// A kernel and the trace of itself take the same cycles, under every scheduler.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/scheduler.h"
#include "sim/run/result_fields.h"
#include "sim/run/simulation.h"
#include "sim/tests/sass/support.h"

namespace paws {
namespace {

using sass::failure_in;

SimulationRequest mixed_request(std::vector<std::string> settings = {}) {
  SimulationRequest request;
  request.workload = PAWS_SASS_TEST_DATA "/round_trip.toml";
  request.engine = "model";
  settings.emplace_back("cores=2");
  request.settings = std::move(settings);
  return request;
}

/// Runs the request, without timing if it does not say otherwise, and writes traces.
SimulationResult write_traces(SimulationRequest request, const std::filesystem::path& to,
                              bool timing = false) {
  request.write_traces = to.string();
  request.timing = timing;
  return simulate(request);
}

/// The request with the trace of its workload instead.
SimulationRequest traced(const SimulationRequest& request, const TemporaryFolder& folder) {
  write_traces(request, folder.path() / "traces");
  SimulationRequest of_trace = request;
  of_trace.workload = (folder.path() / "traces/kernelslist.g").string();
  of_trace.load = {};
  return of_trace;
}

/// Columns that say what was run, and whether its results are right, which a trace does not know.
const std::set<std::string> kOfTheWorkload{"workload", "size", "seed", "verified"};

/// All statistics but W1 to W32, the lanes on the paths of warps: a trace knows the lanes that
/// execute, not those that a guard keeps from it.
std::map<std::string, std::string> comparable(const SimulationResult& result) {
  std::map<std::string, std::string> values;
  for (const auto& [name, value] : to_columns(result)) {
    if (kOfTheWorkload.contains(name)) continue;
    if (name.front() == 'W' && std::all_of(name.begin() + 1, name.end(), ::isdigit)) continue;
    values[name] = value;
  }
  return values;
}

void expect_same_run(const SimulationRequest& kernels, const SimulationRequest& trace) {
  const SimulationResult expected = simulate(kernels);
  const SimulationResult found = simulate(trace);
  EXPECT_TRUE(found.trace);
  EXPECT_FALSE(found.verified.has_value());
  EXPECT_EQ(found.statistics.cycles, expected.statistics.cycles);
  const auto values = comparable(found);
  for (const auto& [name, value] : comparable(expected)) EXPECT_EQ(values.at(name), value) << name;
  ASSERT_EQ(found.kernels.size(), expected.kernels.size());
  for (std::size_t i = 0; i < found.kernels.size(); ++i) {
    EXPECT_EQ(found.kernels[i].occupancy.blocks, expected.kernels[i].occupancy.blocks);
    EXPECT_EQ(found.kernels[i].registers.held, expected.kernels[i].registers.held);
    EXPECT_EQ(found.kernels[i].shared_bytes, expected.kernels[i].shared_bytes);
  }
  for (std::size_t i = 0; i < expected.statistics.kernels.size(); ++i) {
    EXPECT_EQ(found.statistics.kernels[i].cycles, expected.statistics.kernels[i].cycles);
  }
}

TEST(RoundTrip, TakesTheSameCyclesUnderEveryScheduler) {
  const TemporaryFolder folder;
  SimulationRequest kernels = mixed_request();
  SimulationRequest trace = traced(kernels, folder);
  for (const std::string& scheduler : scheduler_names()) {
    SCOPED_TRACE(scheduler);
    kernels.scheduler = trace.scheduler = scheduler;
    expect_same_run(kernels, trace);
  }
}

TEST(RoundTrip, TakesTheSameCyclesWithEveryEngine) {
  const TemporaryFolder folder;
  SimulationRequest kernels = mixed_request();
  SimulationRequest trace = traced(kernels, folder);
  for (const char* engine : {"rtl", "lockstep"}) {
    for (const char* scheduler : {"single:gto", "two-level:paws"}) {
      SCOPED_TRACE(std::string(engine) + " " + scheduler);
      kernels.engine = trace.engine = engine;
      kernels.scheduler = trace.scheduler = scheduler;
      expect_same_run(kernels, trace);
    }
  }
}

// The kernel is compiled for the same settings that the trace is read with.
TEST(RoundTrip, TakesTheSameCyclesOnOtherMachines) {
  const std::vector<std::vector<std::string>> machines{
      {"phases.cut_at_blocks=true", "phases.cut_at_branches=true"},
      {"phases.cut_at_barriers=true", "phases.shared_loads_long=true"},
      {"phases.code=3"},
      {"core.register_banks=8", "core.ibuffer=4"},
      {"frontend.schedule=false", "frontend.remove_copies=false"}};
  for (const std::vector<std::string>& settings : machines) {
    SCOPED_TRACE(settings.front());
    const TemporaryFolder folder;
    SimulationRequest kernels = mixed_request(settings);
    SimulationRequest trace = traced(kernels, folder);
    for (const char* scheduler : {"single:paws", "two-level:paws"}) {
      kernels.scheduler = trace.scheduler = scheduler;
      expect_same_run(kernels, trace);
    }
  }
}

TEST(RoundTrip, BuiltInWorkloadsTakeTheSameCycles) {
  for (const char* workload : {"reduction", "matmul", "hotspot"}) {
    SCOPED_TRACE(workload);
    const TemporaryFolder folder;
    SimulationRequest kernels = mixed_request();
    kernels.workload = workload;
    kernels.load.size = "small";
    const SimulationRequest trace = traced(kernels, folder);
    expect_same_run(kernels, trace);
  }
}

SimulationRequest tensors_request() {
  SimulationRequest request = mixed_request();
  request.workload = PAWS_SASS_TEST_DATA "/tensors.toml";
  request.gpu = "a100";
  return request;
}

TEST(RoundTrip, CopiesAndProductsTakeTheSameCyclesUnderEveryScheduler) {
  const TemporaryFolder folder;
  SimulationRequest kernels = tensors_request();
  SimulationRequest trace = traced(kernels, folder);
  for (const std::string& scheduler : scheduler_names()) {
    SCOPED_TRACE(scheduler);
    kernels.scheduler = trace.scheduler = scheduler;
    expect_same_run(kernels, trace);
  }
}

TEST(RoundTrip, CopiesAndProductsTakeTheSameCyclesOnOtherMachines) {
  const std::vector<std::vector<std::string>> machines{
      {"tensor.interval=64", "tensor.latency=5"},
      {"phases.shared_loads_long=true", "phases.cut_at_blocks=true"},
      {"core.sub_cores=false", "frontend.schedule=false"}};
  for (const std::vector<std::string>& settings : machines) {
    SCOPED_TRACE(settings.front());
    const TemporaryFolder folder;
    SimulationRequest kernels = tensors_request();
    kernels.settings.insert(kernels.settings.end(), settings.begin(), settings.end());
    expect_same_run(kernels, traced(kernels, folder));
  }
}

// What a copy is and what it waits for makes cycles: other groups and other sources take others.
TEST(RoundTrip, GroupsAndSourcesOfCopiesAreInTheTrace) {
  const TemporaryFolder folder;
  SimulationRequest trace = traced(tensors_request(), folder);
  const std::uint64_t cycles = simulate(trace).statistics.cycles;
  std::ifstream in(folder.path() / "traces" / "kernel-1.traceg");
  const std::string text{std::istreambuf_iterator<char>(in), {}};
  using Changes = std::vector<std::pair<std::string, std::string>>;
  const auto changed = [&](const Changes& changes) {
    std::string other = text;
    for (const auto& [from, to] : changes) {
      EXPECT_NE(other.find(from), std::string::npos) << from;
      for (std::size_t at = 0; (at = other.find(from, at)) != std::string::npos; at += to.size()) {
        other.replace(at, from.size(), to);
      }
    }
    folder.write("traces/kernel-1.traceg", other);
    return simulate(trace).statistics.cycles;
  };
  EXPECT_EQ(changed({}), cycles);
  // In the code, and where it is executed.
  EXPECT_GT(changed({{" DEPBAR.LE 0 1 0\n", " DEPBAR.LE 0 0 0\n"},
                     {" DEPBAR.LE 0 0 1 0\n", " DEPBAR.LE 0 0 0 0\n"}}),
            cycles);
  EXPECT_NE(changed({{" 4 1 0x0 0 ", " 4 1 0x40 0 "}}), cycles) << "copies that read nothing";
}

TEST(RoundTrip, AGpuWithoutTensorCoresRefusesATraceAsItRefusesTheKernel) {
  const TemporaryFolder folder;
  SimulationRequest kernels = tensors_request();
  SimulationRequest trace = traced(kernels, folder);
  kernels.gpu = trace.gpu = "m2090";
  const std::string message =
      "kernel 'buffered' needs tensor cores, which the GPU 'm2090' does not have "
      "(tensor.interval is 0)";
  for (const SimulationRequest& request : {kernels, trace}) {
    const std::string failure = failure_in(folder, [&] { simulate(request); });
    EXPECT_NE(failure.find(message), std::string::npos) << failure;
  }
}

// Without what only our own traces say, a written trace is read as a machine's.
TEST(RoundTrip, ATraceNeedsNothingOfOurOwn) {
  for (const auto& [kernels, name] : {std::pair{mixed_request(), "kernel-2.traceg"},
                                      std::pair{tensors_request(), "kernel-1.traceg"},
                                      std::pair{tensors_request(), "kernel-2.traceg"}}) {
    SCOPED_TRACE(kernels.workload + " " + name);
    const TemporaryFolder folder;
    SimulationRequest request = traced(kernels, folder);
    const std::filesystem::path whole = folder.path() / "traces" / name;
    const std::string bare = sass::without_our_own(whole);
    request.workload = folder.write("bare.traceg", bare).string();
    const SimulationResult result = simulate(request);
    EXPECT_EQ(result.launches, 1U);
    EXPECT_GT(result.statistics.cycles, 0U);
    request.workload = whole.string();
    EXPECT_EQ(simulate(request).warp_instructions, result.warp_instructions);
  }
}

TEST(RoundTrip, WhatATraceDoesNotHaveIsRefused) {
  const TemporaryFolder folder;
  const SimulationRequest trace = traced(mixed_request(), folder);
  const std::string list = "traces/kernelslist.g: ";
  const auto failure = [&](auto change) {
    SimulationRequest request = trace;
    change(request);
    return failure_in(folder, [&] { simulate(request); });
  };
  EXPECT_EQ(failure([](auto& request) { request.timing = false; }),
            list + "--timing off: a trace has no values to execute for");
  EXPECT_EQ(failure([](auto& request) { request.check = true; }),
            list + "--check: a trace has no values to check");
  EXPECT_EQ(failure([](auto& request) { request.load.size = "small"; }),
            list + "--size: a trace has the size that it was made with");
  EXPECT_EQ(failure([](auto& request) { request.load.variables["n"] = 1; }),
            list + "--define: a trace has the sizes that it was made with");
  EXPECT_EQ(failure([](auto& request) { request.load.seed = 1; }),
            list + "--seed: a trace has no random buffers");
  EXPECT_EQ(failure([](auto& request) { request.load.ptx = {"a.ptx"}; }),
            list + "--ptx: a trace is of machine code");
  EXPECT_EQ(failure([](auto& request) {
              request.gpu = "lwm2011";
              request.settings = {};
              request.scheduler = "single:rr";
            }),
            list.substr(0, list.size() - 2) +
                ":5: kernel 'mixed' is a trace of warps of 32 threads: a barrel core "
                "(core.pipeline_stages) forms its warps from threads, which a trace does not have");
  EXPECT_EQ(failure([](auto& request) {
              request.settings.emplace_back("core.registers=1024");
            }).substr(0, 61),
            "traces/kernelslist.g:5: kernel 'mixed' does not fit on a core");
}

TEST(RoundTrip, NothingIsWrittenOverOrHalf) {
  const TemporaryFolder folder;
  const SimulationRequest request = mixed_request();
  write_traces(request, folder.path() / "traces");
  EXPECT_EQ(failure_in(folder, [&] { write_traces(request, folder.path() / "traces"); }),
            "traces/kernelslist.g: is there already; traces go to a folder without a list");
  folder.write("file", "");
  EXPECT_EQ(failure_in(folder, [&] { write_traces(request, folder.path() / "file"); }),
            "file: cannot be made: Not a directory");
  SimulationRequest spinning = request;
  spinning.max_instructions = 100;
  const std::string message =
      failure_in(folder, [&] { write_traces(spinning, folder.path() / "half"); });
  EXPECT_NE(message.find("not finished after 100 warp instructions"), std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "half"));
  SimulationRequest again = request;
  again.workload = (folder.path() / "traces/kernelslist.g").string();
  EXPECT_EQ(failure_in(folder, [&] { write_traces(again, folder.path() / "again", true); }),
            "traces/kernelslist.g: --write-trace: this is a trace already");
  EXPECT_FALSE(std::filesystem::exists(folder.path() / "again"));
}

// Traces are of warps of 32 threads, and of launches one after the other.
TEST(RoundTrip, WhatNoTraceCanHoldIsNotWritten) {
  const TemporaryFolder folder;
  const auto failure = [&](SimulationRequest request, bool timing) {
    return failure_in(folder, [&] { write_traces(request, folder.path() / "none", timing); });
  };
  SimulationRequest large = mixed_request();
  large.workload = "vectoradd";
  large.load.size = "small";
  large.settings = {"core.warp_rows=8"};
  large.gpu = "lwm2011";
  large.scheduler = "single:rr";
  EXPECT_NE(failure(large, true).find("cannot be traced on a barrel core"), std::string::npos);
  EXPECT_NE(failure(large, false).find("cannot be traced with core.warp_rows 8"),
            std::string::npos);
  SimulationRequest together = mixed_request();
  together.workload = "cp_madd";
  EXPECT_NE(failure(together, false).find("this step has several launches at a time"),
            std::string::npos);
  EXPECT_TRUE(std::filesystem::is_empty(folder.path() / "none"));
}

// Which node finds its neighbour first, and so how many instructions there are, depends on the
// order of atomics. A trace of a timed run has the order of that run.
TEST(RoundTrip, ATimedRunIsTracedAsItWas) {
  const TemporaryFolder folder;
  SimulationRequest kernels = mixed_request();
  kernels.workload = "bfs";
  kernels.load.size = "small";
  kernels.scheduler = "two-level:paws";
  kernels.options.threads = 2;
  const SimulationResult written = write_traces(kernels, folder.path() / "traces", true);
  EXPECT_EQ(written.verified, true);
  SimulationRequest trace = kernels;
  trace.workload = (folder.path() / "traces/kernelslist.g").string();
  trace.load = {};
  expect_same_run(kernels, trace);
}

// Warps that wait for barriers that others never come to end with a message, not with a hang.
TEST(RoundTrip, ABarrierThatNobodyElseComesToIsADeadlock) {
  const TemporaryFolder folder;
  std::string text = sass::header_with("-block dim = (64,1,1)");
  text +=
      "#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 3\n"
      "0000 ffffffff 0 BAR.SYNC 0 0 1\n0008 ffffffff 0 NOP 0 0 0\n"
      "0020 ffffffff 0 EXIT 0 0 0\n"
      "warp = 1\ninsts = 2\n0010 ffffffff 0 BAR.SYNC 0 0 2\n0020 ffffffff 0 EXIT 0 0 0\n"
      "#END_TB\n";
  SimulationRequest request = mixed_request();
  request.workload = folder.write("t.traceg", text).string();
  EXPECT_EQ(failure_in(folder, [&] { simulate(request); }),
            "t.traceg:20: kernel 'k', block (0,0,0), warp 0 stands at a barrier: no warp can ever "
            "issue again");
}

}  // namespace
}  // namespace paws
