// SPDX-License-Identifier: MIT
#include "sim/observe/phase_sampler.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "sim/core/core.h"

namespace paws::observe {
namespace {

class PhaseSampler final : public core::CoreObserver {
 public:
  PhaseSampler(std::uint64_t interval, std::vector<Sample>& samples)
      : interval_(interval), samples_(samples) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override {
    core_ = &core;
    kernel_ = &running.only().timed->kernel();
    ++launch_;
    states_.assign(core.schedulers(), SchedulerState::no_instruction);
    next_ = multiple_from(cycle);
    untold_ = cycle;
    start_interval();
  }

  void decided(const core::SchedulerView& view) override {
    states_[view.number] = view.state;
    count(view.number, core_->enabled_cycles(view.number, view.cycle, view.cycle + 1));
  }

  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {
    ++since_.issued;
  }

  void stepped(std::uint64_t cycle) override {
    if (cycle != next_) return;
    sample(cycle);
    next_ = multiple_from(cycle + 1);
  }

  void skipped(std::uint64_t from, std::uint64_t to) override {
    while (from < to) {
      const std::uint64_t until = next_ < to ? next_ + 1 : to;
      for (unsigned s = 0; s < states_.size(); ++s) {
        count(s, core_->enabled_cycles(s, from, until));
      }
      if (until > next_) {
        sample(next_);
        next_ = multiple_from(until);
      }
      from = until;
    }
  }

  void end(std::uint64_t cycle) override {
    if (untold_ < cycle) sample(cycle - 1);
  }

 private:
  /// The first multiple of the interval from `cycle` on; of those that are too large, none is
  /// reached.
  [[nodiscard]] std::uint64_t multiple_from(std::uint64_t cycle) const {
    const std::uint64_t missing = (interval_ - cycle % interval_) % interval_;
    constexpr std::uint64_t kNever = std::numeric_limits<std::uint64_t>::max();
    return missing > kNever - cycle ? kNever : cycle + missing;
  }

  void start_interval() {
    since_ = Sample();
    since_.launch = launch_;
    since_.states.assign(states_.size() * std::size_t{kSchedulerStates}, 0);
  }

  void count(unsigned scheduler, std::uint64_t cycles) {
    since_.states[std::size_t{scheduler} * kSchedulerStates +
                  static_cast<std::size_t>(states_[scheduler])] += cycles;
  }

  void sample(std::uint64_t cycle) {
    since_.cycle = cycle;
    since_.warps = core_->live_warps();
    since_.alu = core_->alu_in_flight();
    since_.memory = core_->memory_in_flight();
    since_.phases.assign(kernel_->phases.size(), 0);
    for (std::uint32_t warp = 0; warp < core_->warps(); ++warp) {
      const core::WarpView view = core_->view(warp);
      if (view.live) ++since_.phases[kernel_->code[view.pc].phase];
    }
    samples_.push_back(std::move(since_));
    untold_ = cycle + 1;
    start_interval();
  }

  std::uint64_t interval_;
  std::vector<Sample>& samples_;
  const core::Core* core_ = nullptr;
  const ir::Kernel* kernel_ = nullptr;
  std::uint64_t launch_ = 0;
  std::uint64_t next_ = 0;    ///< cycle of the next sample
  std::uint64_t untold_ = 0;  ///< first cycle that no sample covers
  std::vector<SchedulerState> states_;
  Sample since_;  ///< what has been counted since the last sample
};

}  // namespace

std::vector<SampleColumn> sample_columns(std::size_t schedulers, std::size_t phases) {
  std::vector<SampleColumn> columns{
      {"core", "Number of the core, counted from 0."},
      {"launch", "Number of the kernel launch, counted from 1."},
      {"cycle", "Core cycle, counted from the start of the run over all launches."},
      {"warps", "Live warps at the end of the cycle."},
      {"alu_in_flight", "ALU instructions in flight at the end of the cycle."},
      {"memory_in_flight", "Memory instructions in flight at the end of the cycle."},
      {"issued", "Warp instructions issued since the previous sample."}};
  constexpr std::array<const char*, kSchedulerStates> states{"no_instruction", "operand",
                                                             "pipeline", "outside_ready", "issued"};
  for (std::size_t s = 0; s < schedulers; ++s) {
    for (const char* state : states) {
      columns.push_back(
          {fmt::format("s{}_{}", s, state),
           fmt::format("Enabled cycles of scheduler {} in this state since the previous sample "
                       "(scheduler_cycles_{}).",
                       s, state)});
    }
  }
  for (std::size_t phase = 1; phase <= phases; ++phase) {
    columns.push_back(
        {fmt::format("phase_{}", phase),
         fmt::format("Live warps whose next instruction is in phase {} of the kernel.", phase)});
  }
  return columns;
}

std::unique_ptr<core::CoreObserver> SampleTable::observer(std::uint32_t core) {
  if (settings_.core && *settings_.core != core) return nullptr;
  return std::make_unique<PhaseSampler>(settings_.interval, cores_.at(core));
}

std::string SampleTable::csv() const {
  std::size_t schedulers = 0;
  std::size_t phases = 0;
  for (const std::vector<Sample>& samples : cores_) {
    for (const Sample& sample : samples) {
      schedulers = std::max(schedulers, sample.states.size() / kSchedulerStates);
      phases = std::max(phases, sample.phases.size());
    }
  }
  std::vector<std::string> names;
  for (const SampleColumn& column : sample_columns(schedulers, phases))
    names.push_back(column.name);
  std::string text = fmt::format("{}\n", fmt::join(names, ","));
  auto out = std::back_inserter(text);
  for (std::size_t core = 0; core < cores_.size(); ++core) {
    for (const Sample& sample : cores_[core]) {
      fmt::format_to(out, "{},{},{},{},{},{},{},{},{}", core, sample.launch, sample.cycle,
                     sample.warps, sample.alu, sample.memory, sample.issued,
                     fmt::join(sample.states, ","), fmt::join(sample.phases, ","));
      // A kernel with fewer phases than another has no warp in those.
      for (std::size_t i = sample.phases.size(); i < phases; ++i) text += ",0";
      text += '\n';
    }
  }
  return text;
}

}  // namespace paws::observe
