// SPDX-License-Identifier: MIT
// Time of one scheduler cycle of the golden model, decide() and commit() together, in a steady
// state of the kind that a core produces: 24 warps run phases of computation with a load at the
// end of each, and one issue slot in two is enabled.
#include <benchmark/benchmark.h>

#include <array>
#include <cstdint>
#include <string>

#include "model/scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

constexpr unsigned kWarps = 24;
constexpr unsigned kMemoryLatency = 400;
constexpr unsigned kAluLatency = 6;

/// Runs every warp through phases without end, as cheaply as possible: what is timed must be the
/// scheduler.
class EndlessHost {
 public:
  EndlessHost() {
    for (WarpId warp = 0; warp < kWarps; ++warp) {
      left_[warp] = length_of(warp);
      inputs_.phase[warp] = static_cast<std::uint16_t>(left_[warp]);
      inputs_.row[warp] = static_cast<std::uint8_t>(warp / 2);
      if (warp % 2 != 0) inputs_.second |= mask_of(warp);
    }
  }

  void cycle(Scheduler& scheduler) {
    inputs_.issue_en = (cycle_ & 1U) == 0;
    inputs_.launch_valid = cycle_ < kWarps;
    inputs_.launch_warp = inputs_.launch_valid ? static_cast<WarpId>(cycle_) : 0;
    const unsigned slot = cycle_ % kMemoryLatency;
    inputs_.long_outstanding &= ~completing_[slot];
    inputs_.waits &= ~completing_[slot];
    inputs_.issuable |= completing_[slot];
    completing_[slot] = 0;
    inputs_.issuable |= alu_done_[cycle_ % kAluLatency];
    alu_done_[cycle_ % kAluLatency] = 0;

    const SchedulerOutputs outputs = scheduler.decide(inputs_);
    scheduler.commit();

    if (inputs_.launch_valid) inputs_.issuable |= mask_of(inputs_.launch_warp);
    if (outputs.issue_valid) issue(outputs.issue_warp);
    ++cycle_;
  }

 private:
  static unsigned length_of(WarpId warp) { return 10 + 7 * (warp % 5); }

  void issue(WarpId warp) {
    inputs_.issuable &= ~mask_of(warp);
    if (--left_[warp] == 0) {
      left_[warp] = length_of(warp);
      inputs_.long_outstanding |= mask_of(warp);
      inputs_.waits |= mask_of(warp);
      completing_[cycle_ % kMemoryLatency] |= mask_of(warp);
    } else {
      alu_done_[cycle_ % kAluLatency] |= mask_of(warp);
    }
  }

  SchedulerInputs inputs_;
  std::array<unsigned, kWarps> left_{};
  std::array<WarpMask, kMemoryLatency> completing_{};
  std::array<WarpMask, kAluLatency> alu_done_{};
  std::uint64_t cycle_ = 0;
};

/// Times the scheduler at this place of scheduler_names().
void scheduler_cycle(benchmark::State& state) {
  const std::string name = scheduler_names().at(static_cast<std::size_t>(state.range(0)));
  SchedulerConfig config;
  config.warps = kWarps;
  if (const auto wrong = set_scheduler_name(config, name)) {
    state.SkipWithError(wrong->c_str());
    return;
  }
  const auto scheduler = make_model(config);
  EndlessHost host;
  while (state.KeepRunning()) host.cycle(*scheduler);
  state.SetLabel(name);
}

void every_scheduler(benchmark::internal::Benchmark* bench) {
  bench->DenseRange(0, static_cast<std::int64_t>(scheduler_names().size()) - 1);
}

BENCHMARK(scheduler_cycle)->Apply(every_scheduler);

}  // namespace
}  // namespace paws

BENCHMARK_MAIN();
