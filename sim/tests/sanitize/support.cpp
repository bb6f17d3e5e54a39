// SPDX-License-Identifier: MIT
#include "sim/tests/sanitize/support.h"

#include <fmt/format.h>

#include <cstring>

#include "sim/exec/functional_runner.h"
#include "sim/frontend/frontend.h"
#include "sim/gpu/gpu.h"
#include "sim/sanitize/checking_runner.h"
#include "sim/support/error.h"

namespace paws::sanitize {
namespace {

const char* const kHeader = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry test(.param .u64 buffer)
{
  .reg .pred %p<8>;
  .reg .b16 %h<8>;
  .reg .b32 %r<16>;
  .reg .b64 %rd<16>;
  .shared .align 8 .b8 s[256];
  mov.u32 %r0, %tid.x;
  shl.b32 %r1, %r0, 2;
)";

Report run(const CheckedRun& setting, KernelRunner& runner, const std::string& body,
           std::string& error) {
  frontend::FrontendOptions options;
  options.remove_dead_code = false;  // loads and shuffles whose result is never read
  const ir::Module module = frontend::compile_text(kHeader + body + "}\n", "test.ptx", options);
  DeviceMemory memory;
  memory.load(module);
  const std::uint64_t buffer = memory.allocate("buffer", 4096);
  KernelLaunch launch;
  launch.module = &module;
  launch.kernel = &module.kernels.front();
  launch.shape = setting.shape;
  launch.params.resize(sizeof(buffer));
  std::memcpy(launch.params.data(), &buffer, sizeof(buffer));
  Report report;
  CheckingRunner checking(runner, report);
  try {
    for (unsigned i = 0; i < setting.launches; ++i) checking.run(launch, memory);
  } catch (const InputError& failure) {
    error = failure.what();
  }
  return report;
}

}  // namespace

Report CheckedRun::functional(const std::string& body) {
  exec::FunctionalRunner runner(1'000'000);
  return run(*this, runner, body, error);
}

Report CheckedRun::timed(const std::string& body) {
  GpuConfig config = load_gpu("m2090");
  config.cores = cores;
  config.bulk.interval = 2;
  GpuOptions options;
  options.max_cycles = 1'000'000;
  options.threads = threads;
  Gpu gpu(config, scheduler_config(config, "two-level:paws"), make_model, options);
  return run(*this, gpu, body, error);
}

std::vector<std::string> outline(const Report& report) {
  std::vector<std::string> lines;
  for (const Finding& finding : report.findings) {
    lines.push_back(fmt::format("{} {}", finding.place.line, to_string(finding.kind)));
  }
  return lines;
}

Report check(const std::string& body, const exec::LaunchShape& shape) {
  CheckedRun run{.shape = shape};
  Report report = run.functional(body);
  EXPECT_EQ(run.error, "");
  const Report timed = run.timed(body);
  EXPECT_EQ(run.error, "");
  EXPECT_EQ(outline(report), outline(timed));
  return report;
}

void expect_clean(const std::string& body, const exec::LaunchShape& shape) {
  for (const Finding& finding : check(body, shape).findings) ADD_FAILURE() << to_string(finding);
}

Finding expect_one(Kind kind, unsigned line, const std::string& body,
                   const exec::LaunchShape& shape) {
  const Report report = check(body, shape);
  EXPECT_EQ(outline(report), std::vector{fmt::format("{} {}", kFirstLine + line, to_string(kind))});
  return report.findings.empty() ? Finding{} : report.findings.front();
}

}  // namespace paws::sanitize
