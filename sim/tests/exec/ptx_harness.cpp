// SPDX-License-Identifier: MIT
#include "sim/tests/exec/ptx_harness.h"

#include <fmt/format.h>

#include <cstring>

#include "sim/exec/lanes/select.h"
#include "sim/frontend/frontend.h"
#include "sim/support/error.h"
#include "sim/tests/support/both_ways.h"

namespace paws::exec {
namespace {

const char* const kHeader = ".version 7.0\n.target sm_70\n.address_size 64\n";

std::string result_to_64(const std::string& body) {
  if (body.find("%d64") != std::string::npos) return "mov.b64 %out, %d64;\n";
  if (body.find("%d32") != std::string::npos) return "cvt.u64.u32 %out, %d32;\n";
  if (body.find("%d16") != std::string::npos) return "cvt.u64.u16 %out, %d16;\n";
  return "selp.b64 %out, 1, 0, %dp;\n";
}

std::string kernel_around(const std::string& body) {
  std::string text = R"(
.visible .entry body(.param .u64 in, .param .u64 to) {
  .reg .b16 %a16, %b16, %c16, %d16, %h<8>;
  .reg .b32 %a32, %b32, %c32, %d32, %r<8>, %index;
  .reg .b64 %a64, %b64, %c64, %d64, %l<8>, %base, %at, %out;
  .reg .pred %pa, %pb, %pc, %dp, %p<8>;
  mov.u32 %index, %tid.x;
  ld.param.u64 %base, [in];
  mad.wide.u32 %at, %index, 24, %base;
  ld.global.u64 %a64, [%at];
  ld.global.u64 %b64, [%at+8];
  ld.global.u64 %c64, [%at+16];
)";
  for (const std::string x : {"a", "b", "c"}) {
    text += fmt::format(
        "cvt.u32.u64 %{0}32, %{0}64;\ncvt.u16.u64 %{0}16, %{0}64;\nsetp.ne.u64 %p{0}, %{0}64, 0;\n",
        x);
  }
  text += body + "\n" + result_to_64(body);
  text += R"(
  ld.param.u64 %base, [to];
  mad.wide.u32 %at, %index, 8, %base;
  st.global.u64 [%at], %out;
  ret;
}
)";
  return text;
}

}  // namespace

PtxRun::PtxRun(const std::string& entry, unsigned yield_after) {
  frontend::FrontendOptions options;
  options.yield_after = yield_after;
  module_ = frontend::compile_text(kHeader + entry, "test.ptx", options);
  memory_.load(module_);
}

void PtxRun::run(const LaunchShape& shape, const std::vector<std::uint64_t>& params,
                 std::uint64_t max_instructions) {
  KernelLaunch launch;
  launch.module = &module_;
  launch.kernel = &module_.kernels.front();
  launch.shape = shape;
  launch.params.resize(params.size() * 8);
  if (!params.empty()) std::memcpy(launch.params.data(), params.data(), launch.params.size());
  BothWays runner(max_instructions);
  runner.use_rows(rows_);
  runner.run(launch, memory_);
  thread_instructions_ = runner.thread_instructions();
}

std::string PtxRun::run_error(const LaunchShape& shape, const std::vector<std::uint64_t>& params,
                              std::uint64_t max_instructions) {
  try {
    run(shape, params, max_instructions);
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "the run ended without an error";
  return {};
}

std::vector<std::uint64_t> run_body(const std::string& body, const std::vector<Inputs>& threads) {
  std::vector<std::vector<std::uint64_t>> results;
  for (const LaneLevel level : lane_levels()) {
    use_lane_level(level);
    PtxRun ptx(kernel_around(body));
    const std::uint64_t in = ptx.buffer("in", threads.size() * sizeof(Inputs));
    const std::uint64_t out = ptx.buffer("out", threads.size() * 8);
    std::memcpy(&ptx.at<std::byte>(in), threads.data(), threads.size() * sizeof(Inputs));
    ptx.run({{1, 1, 1}, {static_cast<std::uint32_t>(threads.size()), 1, 1}, 0}, {in, out});
    std::vector<std::uint64_t> result(threads.size());
    std::memcpy(result.data(), &ptx.at<std::byte>(out), threads.size() * 8);
    results.push_back(std::move(result));
  }
  use_lane_level(lane_levels().back());
  EXPECT_EQ(results.front(), results.back()) << "lane levels differ: " << body;
  return results.back();
}

void expect_results(const std::string& body, const std::vector<Case>& cases) {
  std::vector<Inputs> threads;
  threads.reserve(cases.size());
  for (const Case& row : cases) threads.push_back(row.in);
  const std::vector<std::uint64_t> results = run_body(body, threads);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Inputs& in = cases[i].in;
    EXPECT_EQ(results[i], cases[i].expected)
        << body << "\n  a=0x" << std::hex << in.a << " b=0x" << in.b << " c=0x" << in.c
        << "\n  is 0x" << results[i] << ", expected 0x" << cases[i].expected;
  }
}

}  // namespace paws::exec
