// SPDX-License-Identifier: MIT
// Speed of execution without timing on kernels that come with the project: time of the launches
// alone, with instructions one by one, many at a time, and many at a time on all host threads.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "sim/exec/functional_runner.h"
#include "sim/launch/modules.h"
#include "sim/launch/run.h"

namespace paws {
namespace {

enum Way : std::int64_t { one, many, threads };

class TimedRunner : public KernelRunner {
 public:
  explicit TimedRunner(std::int64_t way) {
    runner_.quick(way != one);
    if (way == threads) runner_.use_threads(std::thread::hardware_concurrency());
  }
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    const auto start = std::chrono::steady_clock::now();
    runner_.run(launch, memory);
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }
  [[nodiscard]] double seconds() const { return seconds_; }
  [[nodiscard]] std::uint64_t instructions() const { return runner_.warp_instructions(); }

 private:
  exec::FunctionalRunner runner_;
  double seconds_ = 0;
};

void launches(benchmark::State& state, const std::string& name) {
  LoadOptions options;
  options.ptx_directories = {PAWS_BUILT_PTX_DIR};
  const Workload workload = load_workload(find_workload(name, PAWS_WORKLOADS_DIR), options);
  const std::vector<ir::Module> modules = compile_modules(workload);
  double instructions = 0;
  while (state.KeepRunning()) {
    TimedRunner runner(state.range(0));
    DeviceMemory memory;
    const WorkloadReport report = run_workload(workload, modules, runner, memory);
    if (report.verified != true) state.SkipWithError("wrong results");
    state.SetIterationTime(runner.seconds());
    instructions += static_cast<double>(runner.instructions());
  }
  state.counters["warp_instructions/s"] =
      benchmark::Counter(instructions, benchmark::Counter::kIsRate);
}

double least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

void all_ways(benchmark::internal::Benchmark* benchmark) {
  for (const Way way : {one, many, threads}) benchmark->Arg(way);
  benchmark->ArgName("way")->UseManualTime()->Iterations(1)->Repetitions(15);
  benchmark->ComputeStatistics("least", least)->ReportAggregatesOnly();
  benchmark->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(launches, matmul, "matmul")->Apply(all_ways);
BENCHMARK_CAPTURE(launches, hotspot, "hotspot")->Apply(all_ways);
BENCHMARK_CAPTURE(launches, reduction, "reduction")->Apply(all_ways);
BENCHMARK_CAPTURE(launches, spmv_csr, "today/spmv_csr")->Apply(all_ways);
BENCHMARK_CAPTURE(launches, spmv_ell, "today/spmv_ell")->Apply(all_ways);

}  // namespace
}  // namespace paws

BENCHMARK_MAIN();
