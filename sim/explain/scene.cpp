// SPDX-License-Identifier: MIT
#include "sim/explain/scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "model/phase_field.h"
#include "model/warp_mask.h"
#include "sim/support/list.h"
#include "sim/trace/reason.h"

namespace paws::explain {
namespace {

using trace::Condition;
using trace::LaunchInfo;
using trace::Place;
using trace::SchedulerStep;
using trace::Shadow;

std::string instruction_at(const LaunchInfo& launch, std::uint32_t pc) {
  if (pc >= launch.kernel->code.size()) return "an instruction";
  const trace::KernelInfo::Instruction& instruction = launch.kernel->code[pc];
  return fmt::format("{} (line {}, phase {})", instruction.text, instruction.line,
                     instruction.phase + 1);
}

std::string waits_outside(const SchedulerStep& step, Place place, WarpId warp,
                          const std::string& next) {
  const char* why = "wakes";
  if (place == Place::active) why = "waits for a place in ready";
  if (place == Place::collector) why = "waits to enter active";
  if (place == Place::free) why = "is launched";
  if (place == Place::pending && contains(step.inputs.long_outstanding, warp)) {
    why = "waits for another long-latency operation of its own";
  }
  return fmt::format("has the operands of {} and {}", next, why);
}

std::string doing(const Shadow& shadow, const SchedulerStep& step, const LaunchInfo& launch,
                  Condition condition, WarpId warp) {
  const std::string next = instruction_at(launch, step.warps.pc[warp]);
  switch (condition) {
    case Condition::issue:
      return "issues " + next;
    case Condition::can_issue:
      return "can issue " + next;
    case Condition::unit_busy:
      return "waits for the execution unit of " + next;
    case Condition::operand:
      return "waits for the operands of " + next;
    case Condition::memory:
      return "waits for memory, for the operands of " + next;
    case Condition::outside_ready:
      return waits_outside(step, shadow.place(warp), warp, next);
    case Condition::barrier:
      return "stands at a barrier";
    case Condition::no_instruction:
      return "waits for its next instruction to be fetched";
    case Condition::free:
      break;
  }
  return "is launched";
}

bool by_launch(Order order) {
  return order != Order::arrival && order != Order::turn && order != Order::shortest_alone &&
         order != Order::slot;
}

bool greedy(Order order) {
  return order == Order::greedy_oldest || order == Order::greedy_youngest;
}

/// Slots from the one behind the last issuer to `warp`, cyclically.
unsigned turn_of(const Shadow& shadow, WarpId warp) {
  const unsigned warps = shadow.config().warps;
  const WarpId last = shadow.queues().last_issued.value_or(warps - 1);
  return (warp + warps - last - 1) % warps + 1;
}

/// Slots of a fetch group; 0: there are none.
unsigned group_size(const SchedulerConfig& config) {
  if (has_fetch_groups(config)) return config.group;
  const std::map<std::string, unsigned> parameters = policy_parameters(config);
  const auto found = parameters.find("group");
  return found == parameters.end() ? 0 : found->second;
}

std::string key_of(const Shadow& shadow, const SchedulerStep& step, const Rule& rule, WarpId warp) {
  const SchedulerConfig& config = shadow.config();
  const bool two_level = config.level == Level::two_level;
  std::string text;
  if (two_level && shadow.place(warp) == Place::free) return text;
  if (greedy(rule.order) && shadow.queues().last_issued == warp) add_item(text, "greedy");
  if (rule.order == Order::turn) add_item(text, fmt::format("turn {}", turn_of(shadow, warp)));
  const bool in_ready = two_level && shadow.place(warp) == Place::ready;
  const Order order = in_ready ? rule.in_ready : rule.order;
  if (knows_lengths(config) && order != Order::arrival) {
    // Sorting ready looks at the phase that the warp is in then.
    const unsigned key = in_ready ? phase_key(config, step.inputs.phase[warp]) : shadow.key(warp);
    add_item(text, fmt::format("{} {}", two_level ? "length" : "distance", key));
  }
  if (by_launch(order) && !config.tie_by_arrival) {
    add_item(text, fmt::format("launch {}", shadow.age(warp)));
  }
  if (knows_groups(config)) {
    add_item(text, fmt::format("pair {}, row {}, {}", step.inputs.pair[warp], step.inputs.row[warp],
                               contains(step.inputs.second, warp) ? "second" : "first"));
  }
  if (const unsigned size = group_size(config); size != 0) {
    add_item(text, fmt::format("group {}", warp / size));
  }
  if (contains(shadow.queues().due, warp)) add_item(text, "due");
  if (contains(shadow.queues().barred, warp)) {
    add_item(text, has_order(config) ? "waits for its place" : "has yielded");
  }
  return text;
}

/// Live warps of a single level, in the order of its rule.
std::vector<WarpId> row_of(const Shadow& shadow, const SchedulerStep& step, const Rule& rule) {
  std::vector<WarpId> warps;
  for_each_warp(step.warps.live, [&](WarpId warp) { warps.push_back(warp); });
  const auto rank = [&](WarpId warp) {
    const auto age = static_cast<std::int64_t>(shadow.age(warp));
    const bool last = greedy(rule.order) && shadow.queues().last_issued == warp;
    std::int64_t first = 0;
    std::int64_t second = age;
    switch (rule.order) {
      case Order::turn:
        first = turn_of(shadow, warp);
        break;
      case Order::youngest:
      case Order::greedy_youngest:
        second = -age;
        break;
      case Order::shortest:
      case Order::shortest_alone:
        first = shadow.key(warp);
        break;
      case Order::longest:
        first = -std::int64_t{shadow.key(warp)};
        break;
      case Order::oldest:
      case Order::greedy_oldest:
        break;
      case Order::slot:
      case Order::arrival:
        second = 0;
        break;
    }
    return std::tuple{!contains(shadow.queues().due, warp), !last, first, second, warp};
  };
  std::sort(warps.begin(), warps.end(), [&](WarpId a, WarpId b) { return rank(a) < rank(b); });
  return warps;
}

std::vector<WarpId> slots_of(WarpMask mask) {
  std::vector<WarpId> warps;
  for_each_warp(mask, [&](WarpId warp) { warps.push_back(warp); });
  return warps;
}

}  // namespace

std::vector<std::string> queue_names(const SchedulerConfig& config) {
  const Rule& rule = rule_of(scheduler_name(config));
  if (config.level == Level::single) return {fmt::format("warps, {}", rule.in_order)};
  return {"ready, head first", fmt::format("active, {}", rule.in_order), "collector", "pending"};
}

Scene scene_of(const Shadow& shadow, const SchedulerStep& step, const LaunchInfo& launch) {
  const Rule& rule = rule_of(scheduler_name(shadow.config()));
  const SchedulerOutputs& outputs = step.outputs;
  Scene scene;
  scene.launch = fmt::format("launch {}, {}", launch.number, launch.kernel->name);
  scene.decision = outputs.issue_valid
                       ? fmt::format("warp {} issues {}", outputs.issue_warp,
                                     instruction_at(launch, step.warps.pc[outputs.issue_warp]))
                       : std::string("no warp issues");
  scene.reason = reason(shadow, step);
  scene.moves = movements(shadow, step);
  if (outputs.issue_valid) {
    scene.issued = outputs.issue_warp;
    const std::uint32_t pc = step.warps.pc[outputs.issue_warp];
    if (pc < launch.kernel->code.size()) scene.phase = launch.kernel->code[pc].phase + 1;
  }
  const auto add = [&](const std::vector<WarpId>& warps) {
    std::vector<SceneWarp>& queue = scene.queues.emplace_back();
    for (const WarpId warp : warps) {
      const Condition condition = condition_of(shadow.config(), step, shadow.place(warp), warp);
      queue.push_back({warp, condition, key_of(shadow, step, rule, warp),
                       doing(shadow, step, launch, condition, warp)});
    }
  };
  if (shadow.config().level == Level::single) {
    add(row_of(shadow, step, rule));
    return scene;
  }
  const QueueSnapshot& queues = shadow.queues();
  add(queues.ready);
  add(queues.active);
  add(queues.collector);
  add(slots_of(queues.pending));
  return scene;
}

Scenes::Scenes(const trace::RunInfo& run, unsigned number, const trace::CycleRange& range,
               Take take)
    : number_(number), range_(range), take_(std::move(take)), shadow_(run.scheduler) {}

void Scenes::begin(const LaunchInfo& launch) {
  launch_ = launch;
  shadow_.reset();
  SchedulerStep fresh;
  fresh.outputs.quiet = true;
  shadow_.enter(fresh);
  now_ = scene_of(shadow_, fresh, launch_);
  shadow_.reset();
}

void Scenes::step(const trace::CoreStep& step) {
  const SchedulerStep& scheduler = step.schedulers[number_];
  shadow_.enter(scheduler);
  if (step.cycle <= range_.to) {
    // Skipped cycles are as the last step, which may lie before the range.
    if (step.cycle >= range_.from || scheduler.outputs.quiet) {
      now_ = scene_of(shadow_, scheduler, launch_);
    }
    add(step.cycle, step.cycle);
  }
  shadow_.leave();
  next_ = step.cycle + 1;
}

void Scenes::skipped(std::uint64_t from, std::uint64_t to) {
  add(from, to - 1);
  next_ = to;
}

void Scenes::end(std::uint64_t cycle) { next_ = cycle; }

void Scenes::add(std::uint64_t from, std::uint64_t to) {
  from = std::max(from, range_.from);
  to = std::min(to, range_.to);
  if (from > to) return;
  if (keeps_ && to_ + 1 == from && kept_ == now_) {
    to_ = to;
    return;
  }
  finish();
  kept_ = now_;
  from_ = from;
  to_ = to;
  keeps_ = true;
}

void Scenes::finish() {
  if (keeps_) take_(from_, to_, kept_);
  keeps_ = false;
}

}  // namespace paws::explain
