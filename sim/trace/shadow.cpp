// SPDX-License-Identifier: MIT
#include "sim/trace/shadow.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

#include "model/phase_field.h"
#include "model/warp_mask.h"

namespace paws::trace {

const char* to_string(Place place) {
  static constexpr std::array<const char*, kPlaces> kNames{"free", "ready", "active", "collector",
                                                           "pending"};
  return kNames[static_cast<std::size_t>(place)];
}

Shadow::Shadow(const SchedulerConfig& config) : config_(config), model_(make_model(config)) {
  reset();
}

void Shadow::reset() {
  model_->reset();
  step_ = nullptr;
  outputs_ = {};
  queues_ = {};
  moves_ = false;
  stale_ = true;
  places_.fill(Place::free);
  launches_ = 0;
  lost_ = false;
}

void Shadow::enter(const SchedulerStep& step) {
  step_ = &step;
  if (lost_) return;
  if (stale_) {
    places_.fill(Place::free);
    for (const WarpId warp : queues_.ready) places_[warp] = Place::ready;
    for (const WarpId warp : queues_.active) places_[warp] = Place::active;
    for (const WarpId warp : queues_.collector) places_[warp] = Place::collector;
    for_each_warp(queues_.pending, [this](WarpId warp) { places_[warp] = Place::pending; });
    stale_ = false;
  }
  try {
    outputs_ = model_->decide(step.inputs);
    moves_ = !outputs_.quiet && outputs_ == step.outputs;
    if (moves_) {
      model_->commit();
      after_ = model_->snapshot();
    }
  } catch (const std::logic_error&) {
    lost_ = true;  // the recorded host broke a promise
  }
  if (outputs_ != step.outputs) lost_ = true;
  if (lost_) {
    queues_ = {};
    moves_ = false;
    places_.fill(Place::free);
  }
}

void Shadow::leave() {
  if (!moves_) return;
  const SchedulerInputs& inputs = step_->inputs;
  for (const WarpId warp : queues_.ready) {
    if (contains(after_.pending, warp)) sampled_[warp] = phase_key(config_, inputs.phase[warp]);
  }
  if (inputs.launch_valid) {
    sampled_[inputs.launch_warp] = phase_key(config_, inputs.phase[inputs.launch_warp]);
    age_[inputs.launch_warp] = launches_++;
  }
  queues_ = std::move(after_);
  moves_ = false;
  stale_ = true;
}

unsigned Shadow::key(WarpId warp) const {
  if (config_.level == Level::two_level) return sampled_[warp];
  return step_ == nullptr ? 0 : phase_key(config_, step_->inputs.phase[warp]);
}

std::string Shadow::describe_queues() const {
  if (lost_) return "unknown: the golden model decided otherwise";
  const auto list = [](const std::vector<WarpId>& warps) {
    return fmt::format("{}", fmt::join(warps, " "));
  };
  const auto slots = [](WarpMask mask) {
    std::vector<WarpId> warps;
    for_each_warp(mask, [&](WarpId warp) { warps.push_back(warp); });
    return warps;
  };
  const std::string due =
      queues_.due == 0 ? std::string() : fmt::format(" due [{}]", list(slots(queues_.due)));
  if (config_.level == Level::single) {
    std::string text = "none issued last";
    if (queues_.last_issued) text = fmt::format("last issued {}", *queues_.last_issued);
    if (queues_.group) {
      text = fmt::format("last issued the {} of row {} of pair {}",
                         queues_.group->last_second ? "second" : "first", queues_.group->row,
                         queues_.group->pair);
    }
    if (queues_.barred != 0) text += fmt::format(" barred [{}]", list(slots(queues_.barred)));
    return text + due;
  }
  const bool by_key = config_.policy != "rr" && config_.policy != "gto";
  std::string active;
  for (const WarpId warp : queues_.active) {
    active += fmt::format("{}{}", active.empty() ? "" : " ", warp);
    if (by_key) active += fmt::format(":{}", sampled_[warp]);
  }
  return fmt::format("ready [{}] active [{}] collector [{}] pending [{}]{}", list(queues_.ready),
                     active, list(queues_.collector), list(slots(queues_.pending)), due);
}

}  // namespace paws::trace
