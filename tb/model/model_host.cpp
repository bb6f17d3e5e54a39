// SPDX-License-Identifier: MIT
#include "tb/model/model_host.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <stdexcept>

#include "model/registry.h"

namespace paws::test {

WarpMask warps(std::initializer_list<WarpId> slots) {
  WarpMask mask = 0;
  for (const WarpId warp : slots) mask |= mask_of(warp);
  return mask;
}

WarpMask set_of(const Queue& queue) {
  WarpMask mask = 0;
  for (const WarpId warp : queue) mask |= mask_of(warp);
  return mask;
}

SchedulerConfig configuration(const std::string& name, unsigned warps, unsigned ready) {
  SchedulerConfig config;
  config.warps = warps;
  config.ready = ready;
  config.group = std::gcd(warps, config.group);
  if (const auto wrong = set_scheduler_name(config, name)) ADD_FAILURE() << *wrong;
  return config;
}

std::vector<std::string> policy_names(Level level) {
  std::vector<std::string> names;
  for (const Policy& policy : policies()) {
    if (policy.level == level) names.push_back(policy.name);
  }
  return names;
}

void place(SchedulerInputs& inputs, WarpId warp, std::uint8_t pair, std::uint8_t row, bool second) {
  inputs.pair[warp] = pair;
  inputs.row[warp] = row;
  inputs.second &= ~mask_of(warp);
  if (second) inputs.second |= mask_of(warp);
}

void place_as_one_block(SchedulerInputs& inputs, unsigned warps) {
  for (WarpId warp = 0; warp < warps; ++warp) {
    place(inputs, warp, 0, static_cast<std::uint8_t>(warp / 2), warp % 2 != 0);
  }
}

ManualHost::ManualHost(const SchedulerConfig& config) : scheduler_(make_model(config)) {
  place_as_one_block(in, config.warps);
}

SchedulerOutputs ManualHost::step() {
  const SchedulerOutputs outputs = scheduler_->decide(in);
  scheduler_->commit();
  in.launch_valid = false;
  return outputs;
}

void ManualHost::steps(unsigned cycles) {
  for (unsigned cycle = 0; cycle < cycles; ++cycle) step();
}

void ManualHost::request_launch(WarpId warp, std::uint16_t phase) {
  in.launch_valid = true;
  in.launch_warp = warp;
  in.phase[warp] = phase;
}

SchedulerOutputs ManualHost::launch(WarpId warp, std::uint16_t phase) {
  request_launch(warp, phase);
  return step();
}

SchedulerOutputs ManualHost::issue(WarpMask issuable, WarpMask exits) {
  in.issue_en = true;
  in.issuable = issuable;
  in.exits = exits;
  const SchedulerOutputs outputs = step();
  in.issue_en = false;
  in.issuable = 0;
  in.exits = 0;
  return outputs;
}

void ManualHost::wait(WarpId warp, std::uint16_t phase) {
  in.waits |= mask_of(warp);
  in.long_outstanding |= mask_of(warp);
  in.phase[warp] = phase;
}

void ManualHost::complete(WarpId warp) {
  in.waits &= ~mask_of(warp);
  in.long_outstanding &= ~mask_of(warp);
}

Queue active_after_wakes(const SchedulerConfig& config, const std::vector<std::uint16_t>& lengths,
                         const Queue& wake_order) {
  ManualHost host(config);
  const unsigned half = config.ready;
  for (WarpId warp = 0; warp < 2 * half; ++warp) host.launch(warp, 1);
  host.steps(half);
  for (WarpId warp = 0; warp < half; ++warp) host.wait(warp, lengths[warp]);
  host.steps(half + 1);
  EXPECT_EQ(host.now().ready.size(), half);
  EXPECT_EQ(host.now().pending, (mask_of(half) - 1));
  for (const WarpId warp : wake_order) {
    host.complete(warp);
    host.step();
  }
  host.step();
  EXPECT_EQ(host.now().pending, 0U);
  EXPECT_TRUE(host.now().collector.empty());
  return host.now().active;
}

PhaseHost::PhaseHost(const SchedulerConfig& config, Program program)
    : config_(config), program_(std::move(program)), warps_(config.warps) {}

std::size_t PhaseHost::Run::place(const Selection& selection) const {
  const auto found = std::ranges::find(selections, selection);
  if (found == selections.end()) throw std::out_of_range("never selected");
  return static_cast<std::size_t>(found - selections.begin());
}

PhaseHost::Run PhaseHost::run() {
  const auto scheduler = make_model(config_);
  for (WarpId slot = 0; slot < config_.warps; ++slot) {
    in_.launch_valid = true;
    in_.launch_warp = slot;
    in_.phase[slot] = program_.phases.front();
    scheduler->decide(in_);
    scheduler->commit();
  }
  in_.launch_valid = false;
  in_.issue_en = true;

  Run run;
  std::uint64_t idle = 0;
  constexpr std::uint64_t kLimit = 100000;
  for (std::uint64_t cycle = 0; cycle < kLimit; ++cycle) {
    set_levels(cycle);
    const SchedulerOutputs outputs = scheduler->decide(in_);
    scheduler->commit();
    if (!outputs.issue_valid) {
      ++idle;
      continue;
    }
    const WarpId slot = outputs.issue_warp;
    const Selection selection{.group = slot / config_.ready + 1, .phase = warps_[slot].phase + 1};
    if (std::ranges::find(run.selections, selection) == run.selections.end()) {
      run.selections.push_back(selection);
      run.cycle.push_back(cycle);
      run.idle_before.push_back(idle);
    }
    execute(slot, cycle);
    run.cycles = cycle + 1;
    if (std::ranges::all_of(warps_, &Warp::done)) return run;
  }
  throw std::runtime_error("the program does not end");
}

void PhaseHost::set_levels(std::uint64_t cycle) {
  in_.issuable = in_.waits = in_.long_outstanding = in_.exits = 0;
  for (WarpId slot = 0; slot < config_.warps; ++slot) {
    const Warp& warp = warps_[slot];
    if (warp.done) continue;
    const std::uint16_t length = program_.phases[warp.phase];
    in_.phase[slot] = length;
    if (cycle < warp.value_at) {
      in_.waits |= mask_of(slot);
      in_.long_outstanding |= mask_of(slot);
    } else {
      in_.issuable |= mask_of(slot);
    }
    const bool last_phase = warp.phase + 1 == program_.phases.size();
    if (last_phase && warp.issued + 1 == length) in_.exits |= mask_of(slot);
  }
}

void PhaseHost::execute(WarpId slot, std::uint64_t cycle) {
  Warp& warp = warps_[slot];
  if (++warp.issued < program_.phases[warp.phase]) return;
  warp.issued = 0;
  warp.value_at = cycle + program_.memory_latency;
  if (++warp.phase == program_.phases.size()) warp.done = true;
}

RandomHost::RandomHost(const SchedulerConfig& config, std::uint64_t seed)
    : config_(config), random_(seed), places_(config, seed), blocks_(config, seed) {}

bool RandomHost::chance(unsigned percent) { return below(100) < percent; }

unsigned RandomHost::below(unsigned limit) { return static_cast<unsigned>(random_() % limit); }

const SchedulerInputs& RandomHost::next() {
  if (chance(2)) stretch_ = kStretches[below(kStretches.size())];
  in_.issue_en = chance(70) && may_enable();
  for_each_warp(live_, [&](WarpId warp) {
    if (chance(stretch_.activity)) change(warp);
  });
  in_.launch_valid = false;
  const auto slot = static_cast<WarpId>(below(config_.warps));
  if (!contains(live_, slot) && chance(stretch_.launches)) {
    in_.launch_valid = true;
    in_.launch_warp = slot;
    change(slot);
    in_.issuable &= ~mask_of(slot);
    in_.waits &= ~mask_of(slot);
  }
  places_.set(in_, live_);
  blocks_.set(in_, live_);
  return in_;
}

void RandomHost::change(WarpId warp) {
  const WarpMask bit = mask_of(warp);
  in_.issuable &= ~bit;
  in_.waits &= ~bit;
  in_.long_outstanding &= ~bit;
  in_.exits &= ~bit;
  if (chance(stretch_.issuable)) {
    in_.issuable |= bit;
  } else if (chance(80)) {
    in_.waits |= bit;
  }
  if (chance(30)) in_.long_outstanding |= bit;
  if (chance(10)) in_.exits |= bit;
  // Few values, so that ties are frequent; now and then one that does not fit the phase field.
  in_.phase[warp] = static_cast<std::uint16_t>(chance(5) ? 60000 + below(3) : below(4));
}

void RandomHost::decided(const SchedulerOutputs& outputs) {
  if (outputs.issue_valid && contains(in_.exits, outputs.issue_warp)) {
    const WarpMask gone = ~mask_of(outputs.issue_warp);
    live_ &= gone;
    in_.issuable &= gone;
    in_.waits &= gone;
    in_.exits &= gone;
  }
  if (in_.launch_valid) live_ |= mask_of(in_.launch_warp);
  in_.launch_valid = false;
  rests_ = outputs.issue_valid && rests_after_issue(config_);
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::ranges::replace_if(name, [](char c) { return c == ':' || c == '-'; }, '_');
  return name;
}

std::uint64_t seed(std::uint64_t fallback) {
  const char* text = std::getenv("PAWS_SEED");
  if (text == nullptr) return fallback;
  std::uint64_t value = 0;
  const char* end = text + std::strlen(text);
  const auto [rest, error] = std::from_chars(text, end, value);
  if (error != std::errc() || rest != end) {
    throw std::invalid_argument("PAWS_SEED is '" + std::string(text) + "' but must be a number");
  }
  return value;
}

}  // namespace paws::test
