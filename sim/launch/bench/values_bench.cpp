// SPDX-License-Identifier: MIT
// Speed of execution without timing on kernels that come with the project: processor time of the
// launches alone, with instructions one by one and many at a time.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "sim/exec/functional_runner.h"
#include "sim/launch/modules.h"
#include "sim/launch/run.h"

namespace paws {
namespace {

double processor_seconds() {
  return static_cast<double>(std::clock()) / static_cast<double>(CLOCKS_PER_SEC);
}

class TimedRunner : public KernelRunner {
 public:
  explicit TimedRunner(bool quick) { runner_.quick(quick); }
  void run(const KernelLaunch& launch, DeviceMemory& memory) override {
    const double start = processor_seconds();
    runner_.run(launch, memory);
    seconds_ += processor_seconds() - start;
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
    TimedRunner runner(state.range(0) != 0);
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

void both_ways(benchmark::internal::Benchmark* benchmark) {
  benchmark->ArgName("quick")->Arg(0)->Arg(1)->UseManualTime()->Iterations(1)->Repetitions(15);
  benchmark->ComputeStatistics("least", least)->ReportAggregatesOnly();
  benchmark->Unit(benchmark::kMillisecond);
}

BENCHMARK_CAPTURE(launches, matmul, "matmul")->Apply(both_ways);
BENCHMARK_CAPTURE(launches, hotspot, "hotspot")->Apply(both_ways);
BENCHMARK_CAPTURE(launches, reduction, "reduction")->Apply(both_ways);
BENCHMARK_CAPTURE(launches, spmv_csr, "today/spmv_csr")->Apply(both_ways);
BENCHMARK_CAPTURE(launches, spmv_ell, "today/spmv_ell")->Apply(both_ways);

}  // namespace
}  // namespace paws

BENCHMARK_MAIN();
