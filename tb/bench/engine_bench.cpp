// SPDX-License-Identifier: MIT
// Host nanoseconds per scheduler cycle (decide() and commit()) of the model, the RTL, the RTL with
// contract assertions, and lockstep, with 24 warps under the random host's "mixed" scenario.
// Inputs are generated before the clock starts.
#include <benchmark/benchmark.h>

#include <stdexcept>

#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "tb/random/host.h"

namespace paws {
namespace {

constexpr std::size_t kCycles = 50'000;

SchedulerConfig config_of(const std::string& name) {
  SchedulerConfig config;
  if (const auto problem = set_scheduler_name(config, name)) throw std::invalid_argument(*problem);
  return config;
}

/// Inputs of kCycles cycles from reset on. Every scheduler of the same configuration decides alike,
/// so the inputs that the model's decisions lead to serve all of them.
std::vector<SchedulerInputs> record_inputs(const SchedulerConfig& config) {
  const auto model = make_model(config);
  const auto host = make_realistic_host(config, scenarios().front(), 1);
  std::vector<SchedulerInputs> inputs;
  inputs.reserve(kCycles);
  for (std::size_t cycle = 0; cycle < kCycles; ++cycle) {
    inputs.push_back(host->inputs());
    const SchedulerOutputs outputs = model->decide(inputs.back());
    model->commit();
    host->advance(outputs);
  }
  return inputs;
}

using Maker = std::unique_ptr<Scheduler> (*)(const SchedulerConfig& config);

void run(benchmark::State& state, const std::string& name, Maker maker) {
  const SchedulerConfig config = config_of(name);
  const std::vector<SchedulerInputs> inputs = record_inputs(config);
  const auto scheduler = maker(config);
  for (auto _ : state) {
    scheduler->reset();
    for (const SchedulerInputs& cycle : inputs) {
      benchmark::DoNotOptimize(scheduler->decide(cycle));
      scheduler->commit();
    }
  }
  state.counters["per_cycle"] =
      benchmark::Counter(static_cast<double>(state.iterations()) * kCycles,
                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}

void register_all() {
  struct Engine {
    const char* name;
    Maker maker;
  };
  static constexpr Engine kEngines[] = {
      {"model", make_model},
      {"rtl", [](const SchedulerConfig& config) { return make_rtl(config); }},
      {"rtl_checked",
       [](const SchedulerConfig& config) { return make_rtl(config, {.assertions = true}); }},
      {"lockstep",
       [](const SchedulerConfig& config) { return make_lockstep(config, "engine_bench"); }},
  };
  for (const char* scheduler : {"two-level:paws", "two-level:rr", "single:paws", "single:gto"}) {
    for (const Engine& engine : kEngines) {
      benchmark::RegisterBenchmark(
          (std::string(scheduler) + "/" + engine.name).c_str(),
          [=](benchmark::State& state) { run(state, scheduler, engine.maker); })
          ->Unit(benchmark::kMillisecond);
    }
  }
}

}  // namespace
}  // namespace paws

int main(int argc, char** argv) {
  paws::register_all();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
