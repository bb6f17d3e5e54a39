// SPDX-License-Identifier: MIT
#include "sim/trace/diff.h"

#include <fmt/format.h>

#include <utility>
#include <vector>

#include "model/warp_mask.h"
#include "sim/support/error.h"
#include "sim/support/list.h"
#include "sim/trace/condition.h"
#include "sim/trace/cursor.h"
#include "sim/trace/reason.h"

namespace paws::trace {
namespace {

/// One run on its way.
struct Side {
  Side(const DecisionReader& reader, std::uint32_t core)
      : name(reader.path()), run(reader.run()), cursor(run, reader.open(core)) {
    for (unsigned s = 0; s < run.schedulers; ++s) shadows.emplace_back(run.scheduler);
  }

  [[nodiscard]] const SchedulerStep& step(unsigned scheduler) const {
    return cursor.step().schedulers[scheduler];
  }

  std::string name;
  RunInfo run;
  Cursor cursor;
  std::vector<Shadow> shadows;
};

/// Names of the ports at which two schedulers' inputs differ, with the warps.
std::string input_differences(const SchedulerInputs& a, const SchedulerInputs& b, bool phases,
                              bool groups) {
  std::string list;
  auto mask = [&](const char* port, WarpMask left, WarpMask right) {
    if (left != right) add_item(list, fmt::format("{} of {}", port, warp_list(left ^ right)));
  };
  if (a.issue_en != b.issue_en) add_item(list, "issue_en");
  mask("issuable", a.issuable, b.issuable);
  mask("waits", a.waits, b.waits);
  mask("long_outstanding", a.long_outstanding, b.long_outstanding);
  mask("exit", a.exits, b.exits);
  if (a.launch_valid != b.launch_valid || a.launch_warp != b.launch_warp) add_item(list, "launch");
  if (phases) mask("phase", differences(a.phase, b.phase), 0);
  mask("yield", a.yields, b.yields);
  if (groups) {
    mask("pair", differences(a.pair, b.pair), 0);
    mask("row", differences(a.row, b.row), 0);
    mask("second", a.second, b.second);
  }
  return list;
}

bool same_decision(const SchedulerOutputs& a, const SchedulerOutputs& b) {
  return a.issue_valid == b.issue_valid && a.issue_warp == b.issue_warp;
}

std::string describe_side(const char* letter, const Side& side, unsigned scheduler) {
  const SchedulerStep& step = side.step(scheduler);
  const Shadow& shadow = side.shadows[scheduler];
  std::string text =
      fmt::format("{} ({}, {})\n", letter, side.name, scheduler_name(side.run.scheduler));
  text += fmt::format("  decision  {}: {}\n", decision(step.outputs),
                      step.inputs.issue_en ? reason(shadow, step) : "not enabled");
  text += fmt::format("  issuable  {}; waits {}; long outstanding {}; exit {}\n",
                      warp_list(step.inputs.issuable), warp_list(step.inputs.waits),
                      warp_list(step.inputs.long_outstanding), warp_list(step.inputs.exits));
  text += fmt::format("  queues    {}\n", shadow.describe_queues());
  if (shadow.lost()) return text;
  std::string keys;
  for_each_warp(step.warps.live, [&](WarpId warp) {
    keys += fmt::format(" {}:{}/{}", warp, shadow.key(warp), shadow.age(warp));
  });
  text += fmt::format("  warp:{}/launched as{}\n",
                      side.run.scheduler.level == Level::single ? "distance" : "length",
                      keys.empty() ? " none" : keys);
  return text;
}

class Comparison {
 public:
  Comparison(const DecisionReader& a, const DecisionReader& b, std::uint32_t core)
      : a_(a, core), b_(b, core), core_(core) {
    if (a_.run.schedulers != b_.run.schedulers) {
      throw InputError(fmt::format("{} has {} schedulers per core, {} has {}", a_.name,
                                   a_.run.schedulers, b_.name, b_.run.schedulers));
    }
    // Lengths on one side and distances on the other say nothing about the runs.
    phases_ = a_.run.scheduler.level == b_.run.scheduler.level;
    groups_ = knows_groups(a_.run.scheduler) || knows_groups(b_.run.scheduler);
  }

  DiffResult run() {
    for (;;) {
      const bool more_a = a_.cursor.next_launch();
      const bool more_b = b_.cursor.next_launch();
      if (more_a != more_b) {
        part(fmt::format("{} has a launch more\n", more_a ? a_.name : b_.name));
      }
      if (!more_a && !more_b) return std::move(result_);
      launch(more_a, more_b);
    }
  }

 private:
  void part(const std::string& text) {
    if (!result_.parting) result_.parting = text;
  }

  void launch(bool in_a, bool in_b) {
    for (Side* side : {&a_, &b_}) {
      for (Shadow& shadow : side->shadows) shadow.reset();
    }
    queues_parted_.assign(a_.run.schedulers, "");
    if (in_a && in_b && a_.cursor.launch().kernel->name != b_.cursor.launch().kernel->name) {
      part(fmt::format("launch {} is of kernel {} in {}, of {} in {}\n", a_.cursor.launch().number,
                       a_.cursor.launch().kernel->name, a_.name, b_.cursor.launch().kernel->name,
                       b_.name));
    }
    std::uint64_t offset = 0;
    while (in_a || in_b) {
      in_a = in_a && a_.cursor.next_cycle();
      in_b = in_b && b_.cursor.next_cycle();
      if (in_a) ++result_.a_cycles;
      if (in_b) ++result_.b_cycles;
      if (in_a != in_b) {
        part(fmt::format("launch {} ends after {} cycles in {}, later in {}\n",
                         a_.cursor.launch().number, offset, in_a ? b_.name : a_.name,
                         in_a ? a_.name : b_.name));
      }
      cycle(in_a, in_b);
      ++offset;
    }
  }

  void cycle(bool in_a, bool in_b) {
    for (unsigned s = 0; s < a_.run.schedulers; ++s) {
      if (in_a) a_.shadows[s].enter(a_.step(s));
      if (in_b) b_.shadows[s].enter(b_.step(s));
      if (in_a) result_.a_issues += issues(a_, s);
      if (in_b) result_.b_issues += issues(b_, s);
      if (!in_a || !in_b) continue;
      ++result_.compared;
      const bool same = same_decision(a_.step(s).outputs, b_.step(s).outputs);
      if (!same) ++result_.different;
      if (!result_.parting) compare(s, same);
    }
    for (unsigned s = 0; s < a_.run.schedulers; ++s) {
      if (in_a) a_.shadows[s].leave();
      if (in_b) b_.shadows[s].leave();
    }
  }

  static unsigned issues(const Side& side, unsigned scheduler) {
    return side.step(scheduler).outputs.issue_valid ? 1 : 0;
  }

  void compare(unsigned s, bool same) {
    const SchedulerStep& a = a_.step(s);
    const SchedulerStep& b = b_.step(s);
    note_queues(s);
    const std::string inputs = input_differences(a.inputs, b.inputs, phases_, groups_);
    if (inputs.empty() && same) return;
    const bool decisions_first = inputs.empty();
    std::string text = fmt::format("core {}, launch {} ({}), scheduler {}, cycle {}", core_,
                                   a_.cursor.launch().number, a_.cursor.launch().kernel->name, s,
                                   a_.cursor.cycle());
    if (a_.cursor.cycle() != b_.cursor.cycle()) {
      text += fmt::format(" and {}", b_.cursor.cycle());
    }
    text += decisions_first ? ": from the same inputs, another decision\n"
                            : fmt::format(": the inputs part first, {}{}\n", inputs,
                                          same ? "" : "; the decisions in the same cycle");
    part(text + describe_side("A", a_, s) + describe_side("B", b_, s) + queues_parted_[s]);
  }

  /// Queues part before decisions do: remembers where.
  void note_queues(unsigned s) {
    const Shadow& a = a_.shadows[s];
    const Shadow& b = b_.shadows[s];
    if (!queues_parted_[s].empty() || a.lost() || b.lost() || !phases_ ||
        a.queues() == b.queues()) {
      return;
    }
    queues_parted_[s] = fmt::format("the queues parted in cycle {}\n  A {}\n  B {}\n",
                                    a_.cursor.cycle(), a.describe_queues(), b.describe_queues());
  }

  Side a_, b_;
  std::uint32_t core_;
  bool phases_ = true;
  bool groups_ = false;
  std::vector<std::string> queues_parted_;  ///< by scheduler; empty: not yet
  DiffResult result_;
};

}  // namespace

DiffResult diff(const DecisionReader& a, const DecisionReader& b, std::uint32_t core) {
  return Comparison(a, b, core).run();
}

}  // namespace paws::trace
