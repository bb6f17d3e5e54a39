// SPDX-License-Identifier: MIT
#include "sim/trace/replay.h"

#include <fmt/format.h>

#include "model/warp_mask.h"
#include "sim/trace/reason.h"

namespace paws::trace {
namespace {

constexpr std::size_t kBatch = 8192;

}  // namespace

ReplayResult& ReplayResult::operator+=(const ReplayResult& other) {
  cycles += other.cycles;
  scheduler_cycles += other.scheduler_cycles;
  issues += other.issues;
  different += other.different;
  seconds += other.seconds;
  if (!mismatch) mismatch = other.mismatch;
  return *this;
}

Replay::Replay(const RunInfo& run, std::uint32_t core, const SchedulerConfig& config,
               const EngineFactory& factory)
    : run_(run), core_(core), config_(config), same_(config == run.scheduler) {
  for (unsigned s = 0; s < run.schedulers; ++s) engines_.push_back(factory(config));
  batch_.reserve(kBatch);
}

void Replay::begin(const LaunchInfo& launch) {
  replay_batch();
  launch_ = launch;
  for (const auto& engine : engines_) engine->reset();
}

void Replay::step(const CoreStep& step) {
  ++result_.cycles;
  for (unsigned s = 0; s < run_.schedulers; ++s) {
    batch_.push_back({step.cycle, s, step.schedulers[s].inputs, step.schedulers[s].outputs});
  }
  if (batch_.size() >= kBatch) replay_batch();
}

void Replay::skipped(std::uint64_t from, std::uint64_t to) { result_.cycles += to - from; }

void Replay::end(std::uint64_t /*cycle*/) { replay_batch(); }

const ReplayResult& Replay::finish() {
  replay_batch();
  return result_;
}

void Replay::replay_batch() {
  const auto start = std::chrono::steady_clock::now();
  for (at_ = 0; at_ < batch_.size() && !done(); ++at_) {
    const Item& item = batch_[at_];
    if (same_) {
      follow(item);
    } else {
      force(item);
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  result_.seconds += seconds.count();
  batch_.clear();
}

void Replay::follow(const Item& item) {
  Scheduler& engine = *engines_[item.scheduler];
  const SchedulerOutputs outputs = engine.decide(item.inputs);
  ++result_.scheduler_cycles;
  result_.issues += item.outputs.issue_valid ? 1 : 0;
  if (outputs != item.outputs) {
    result_.mismatch = describe(item, outputs);
    return;
  }
  // As the simulator does: a quiet scheduler keeps its state (docs/reference/microarchitecture.md,
  // "Ports").
  if (!outputs.quiet) engine.commit();
}

void Replay::force(const Item& item) {
  Scheduler& engine = *engines_[item.scheduler];
  SchedulerOutputs outputs = engine.decide(item.inputs);
  ++result_.scheduler_cycles;
  result_.issues += item.outputs.issue_valid ? 1 : 0;
  if (outputs.issue_valid != item.outputs.issue_valid ||
      outputs.issue_warp != item.outputs.issue_warp) {
    ++result_.different;
  }
  if (item.outputs.issue_valid) {
    SchedulerInputs only = item.inputs;
    only.issuable &= mask_of(item.outputs.issue_warp);
    outputs = engine.decide(only);
  }
  if (!outputs.quiet) engine.commit();
}

std::uint64_t Replay::cycle() const {
  return at_ < batch_.size() ? batch_[at_].cycle : launch_.cycle;
}

std::string Replay::place() const {
  if (at_ < batch_.size()) return place(batch_[at_]);
  return fmt::format("core {}, launch {} ({}), at its start", core_, launch_.number,
                     launch_.kernel->name);
}

std::string Replay::place(const Item& item) const {
  return fmt::format("cycle {}, core {}, scheduler {}, launch {} ({})", item.cycle, core_,
                     item.scheduler, launch_.number, launch_.kernel->name);
}

std::string Replay::describe(const Item& item, const SchedulerOutputs& replayed) const {
  const SchedulerInputs& in = item.inputs;
  std::string phases;
  for_each_warp(in.issuable | in.waits, [&](WarpId warp) {
    phases += fmt::format("{}{}:{}", phases.empty() ? "" : " ", warp, in.phase[warp]);
  });
  const std::string groups =
      knows_groups(config_)
          ? fmt::format("  groups of these   {}\n", group_list(in, in.issuable | in.waits))
          : std::string();
  return fmt::format(
      "the replay parts from the recording in {}\n"
      "  recorded          {}\n"
      "  replayed          {}\n"
      "  issue_en          {}\n"
      "  issuable          {}\n"
      "  waits             {}\n"
      "  long outstanding  {}\n"
      "  exit              {}\n"
      "  launch            {}\n"
      "  phases of these   {}\n"
      "{}"
      "  queues            {}",
      place(item), decision(item.outputs), decision(replayed), in.issue_en ? 1 : 0,
      warp_list(in.issuable), warp_list(in.waits), warp_list(in.long_outstanding),
      warp_list(in.exits),
      in.launch_valid ? fmt::format("{}", in.launch_warp) : std::string("none"),
      phases.empty() ? "none" : phases, groups,
      paws::to_string(engines_[item.scheduler]->snapshot()));
}

}  // namespace paws::trace
