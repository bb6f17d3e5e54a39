// SPDX-License-Identifier: MIT
#include "sim/trace/reason.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "model/phase_field.h"
#include "model/warp_mask.h"
#include "sim/support/list.h"
#include "sim/trace/condition.h"

namespace paws::trace {
namespace {

/// "2 memory, 1 unit busy" over the warps given.
std::string tally(const Shadow& shadow, const SchedulerStep& step, WarpMask warps) {
  std::array<unsigned, kConditions> count{};
  for_each_warp(warps, [&](WarpId warp) {
    ++count[static_cast<std::size_t>(
        condition_of(shadow.config(), step, shadow.place(warp), warp))];
  });
  std::string text;
  for (unsigned i = 0; i < kConditions; ++i) {
    if (count[i] > 0) {
      add_item(text, fmt::format("{} {}", count[i], to_string(static_cast<Condition>(i))));
    }
  }
  return text;
}

std::string idle_reason(const Shadow& shadow, const SchedulerStep& step) {
  const WarpMask live = step.warps.live;
  if (live == 0) return "no warp live";
  if (shadow.config().level == Level::single) {
    if (step.inputs.issuable != 0) {
      const char* barred = has_order(shadow.config()) ? "wait for their places" : "barred";
      const char* why = step.inputs.issue_en ? barred : "not enabled; issuable";
      return fmt::format("{}: {}", why, warp_list(step.inputs.issuable));
    }
    return "no warp issuable: " + tally(shadow, step, live);
  }
  WarpMask ready = 0;
  for (const WarpId warp : shadow.queues().ready) ready |= mask_of(warp);
  // A warp that is launched in this cycle is in no queue yet.
  const WarpMask can = step.inputs.issuable & ready;
  if (can != 0) return fmt::format("not enabled; issuable in ready: {}", warp_list(can));
  std::string text = ready == 0 ? std::string("ready is empty")
                                : "no warp of ready issuable: " + tally(shadow, step, ready & live);
  if (const WarpMask outside = step.inputs.issuable & ~ready) {
    text += fmt::format("; outside ready: {}", warp_list(outside));
  }
  return text;
}

std::string ready_reason(const Shadow& shadow, const SchedulerStep& step) {
  const std::vector<WarpId>& ready = shadow.queues().ready;
  const auto at = std::find(ready.begin(), ready.end(), step.outputs.issue_warp);
  const auto place = at - ready.begin();
  std::string text =
      fmt::format("head-most issuable of ready (place {} of {})", place + 1, ready.size());
  if (place > 0) {
    WarpMask before = 0;
    for (auto other = ready.begin(); other != at; ++other) before |= mask_of(*other);
    text += ", before it " + tally(shadow, step, before);
  }
  return text;
}

/// Why SCA issues `warp`, with `last` as it was before.
std::string group_reason(const std::optional<GroupTurn>& last, const SchedulerInputs& inputs,
                         WarpId warp) {
  const unsigned pair = inputs.pair[warp];
  const unsigned row = inputs.row[warp];
  const char* member = contains(inputs.second, warp) ? "second" : "first";
  if (!last || last->pair != pair) {
    return fmt::format("{} member of row {} of pair {}: the group of the oldest", member, row,
                       pair);
  }
  if (last->row != row) return fmt::format("next group: {} member of row {}", member, row);
  const bool alternates = last->last_second != contains(inputs.second, warp);
  return fmt::format("{} member of the last group: {}", member,
                     alternates ? "its turn" : "the other cannot issue or has ended");
}

/// Why a fetch group's slot `warp` issues; `can` are those that can.
std::string fetch_group_reason(const Shadow& shadow, WarpMask can, WarpId warp) {
  const unsigned size = shadow.config().group;
  const std::optional<WarpId> last = shadow.queues().last_issued;
  const unsigned own = last.value_or(0) / size;
  if (warp / size == own) {
    return last ? fmt::format("fetch group {}: in turn after {}", own, *last)
                : fmt::format("first issuable slot of fetch group {}", own);
  }
  bool own_can = false;
  for_each_warp(can, [&](WarpId other) { own_can = own_can || other / size == own; });
  return fmt::format("lowest issuable slot of fetch group {}: group {} {}", warp / size, own,
                     own_can ? "has had its issues" : "cannot");
}

/// Why ordered PAWS issues `warp`, one of `candidates` that are `what`; `can` are the issuable
/// ones.
std::string order_reason(const Shadow& shadow, WarpMask can, unsigned candidates, const char* what,
                         WarpId warp) {
  std::string text = fmt::format("first in the order of {} {}, phase distance {}", candidates, what,
                                 shadow.key(warp));
  if (const WarpMask waiting = can & shadow.queues().barred) {
    text += fmt::format("; wait for their places: {}", warp_list(waiting));
  }
  return text;
}

std::string single_reason(const Shadow& shadow, const SchedulerStep& step) {
  const WarpId warp = step.outputs.issue_warp;
  const WarpMask can = step.inputs.issuable & ~shadow.queues().barred;
  const WarpMask due = can & shadow.queues().due;
  const WarpMask among = due != 0 ? due : can;
  const char* what = due != 0 ? "due" : "issuable";
  const std::optional<WarpId> last = shadow.queues().last_issued;
  const std::string& policy = shadow.config().policy;
  const auto candidates = static_cast<unsigned>(std::popcount(among));
  if (policy == "rr") {
    return last ? fmt::format("first issuable slot after {}", *last)
                : std::string("first issuable slot");
  }
  if (policy == "gto" || policy == "cggty") {
    if (last == warp) return "greedy: the last issued";
    const std::string others =
        fmt::format("{} of {} {}", policy == "gto" ? "oldest" : "youngest", candidates, what);
    if (!last) return "no greedy warp; " + others;
    const char* why_not = contains(shadow.queues().barred, *last) ? "is barred"
                          : contains(can, *last)                  ? "is not due"
                                                                  : "cannot";
    return fmt::format("the last issued, {}, {}; {}", *last, why_not, others);
  }
  if (knows_groups(shadow.config())) return group_reason(shadow.queues().group, step.inputs, warp);
  if (has_fetch_groups(shadow.config())) return fetch_group_reason(shadow, can, warp);
  if (has_order(shadow.config())) {
    return order_reason(shadow, step.inputs.issuable, candidates, what, warp);
  }
  if (policy == "oldest") return fmt::format("oldest of {} {}", candidates, what);
  if (policy == "paws") {
    unsigned equal = 0;
    for_each_warp(among,
                  [&](WarpId other) { equal += shadow.key(other) == shadow.key(warp) ? 1 : 0; });
    const std::string tie =
        equal > 1 ? fmt::format(", oldest of {} with it", equal) : std::string();
    return fmt::format("smallest phase distance of {} {}, {}{}", candidates, what, shadow.key(warp),
                       tie);
  }
  return fmt::format("chosen by {} among {} {}", policy, candidates, what);
}

}  // namespace

std::string warp_list(WarpMask mask) {
  if (mask == 0) return "none";
  std::string text;
  for_each_warp(mask,
                [&](WarpId warp) { text += fmt::format("{}{}", text.empty() ? "" : " ", warp); });
  return text;
}

std::string group_list(const SchedulerInputs& inputs, WarpMask mask) {
  if (mask == 0) return "none";
  std::string text;
  for_each_warp(mask, [&](WarpId warp) {
    text += fmt::format("{}{}:{}/{} {}", text.empty() ? "" : " ", warp, inputs.pair[warp],
                        inputs.row[warp], contains(inputs.second, warp) ? "second" : "first");
  });
  return text;
}

std::string decision(const SchedulerOutputs& outputs) {
  if (outputs.issue_valid) return fmt::format("issue warp {}", outputs.issue_warp);
  return outputs.quiet ? "no issue, quiet" : "no issue";
}

std::string reason(const Shadow& shadow, const SchedulerStep& step) {
  if (shadow.lost()) return "the golden model decides otherwise: " + decision(shadow.outputs());
  if (!step.outputs.issue_valid) return idle_reason(shadow, step);
  if (shadow.config().level == Level::single) return single_reason(shadow, step);
  return ready_reason(shadow, step);
}

std::string movements(const Shadow& shadow, const SchedulerStep& step) {
  const SchedulerInputs& inputs = step.inputs;
  const SchedulerConfig& config = shadow.config();
  std::string text;
  auto length = [&](WarpId warp) { return phase_key(config, inputs.phase[warp]); };
  if (inputs.launch_valid) {
    add_item(text,
             fmt::format("{} launched (phase {})", inputs.launch_warp, length(inputs.launch_warp)));
  }
  if (step.outputs.issue_valid && contains(inputs.exits, step.outputs.issue_warp)) {
    add_item(text, fmt::format("{} ends", step.outputs.issue_warp));
  }
  if (shadow.lost()) return text;
  const QueueSnapshot& queues = shadow.queues();
  if (const WarpMask gathered = shadow.after().due & ~queues.due) {
    add_item(text, fmt::format("{} due", warp_list(gathered)));
  }
  if (config.level == Level::single) return text;
  if (step.outputs.issue_valid && contains(shadow.after().pending, step.outputs.issue_warp)) {
    const WarpId issuer = step.outputs.issue_warp;
    add_item(text, fmt::format("{} relieved (phase {})", issuer, length(issuer)));
  }
  for (const WarpId warp : queues.ready) {
    if (contains(inputs.waits, warp)) {
      add_item(text, fmt::format("{} leaves ready (phase {})", warp, length(warp)));
    }
  }
  for_each_warp(queues.pending & ~inputs.waits & ~inputs.long_outstanding,
                [&](WarpId warp) { add_item(text, fmt::format("{} wakes", warp)); });
  if (!queues.collector.empty() && !inputs.launch_valid) {
    add_item(text, fmt::format("{} admitted to active", queues.collector.front()));
  }
  if (!queues.active.empty() && queues.ready.size() < config.ready) {
    add_item(text, fmt::format("{} promoted to ready", queues.active.front()));
  }
  return text;
}

}  // namespace paws::trace
