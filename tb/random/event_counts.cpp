// SPDX-License-Identifier: MIT
#include "tb/random/event_counts.h"

#include <algorithm>
#include <bit>

#include "model/phase_field.h"

namespace paws {
namespace {

constexpr WarpMask bit(unsigned warp) { return WarpMask{1} << warp; }

bool contains(const std::vector<WarpId>& queue, WarpId warp) {
  return std::find(queue.begin(), queue.end(), warp) != queue.end();
}

WarpMask mask_of(const std::vector<WarpId>& queue) {
  WarpMask mask = 0;
  for (const WarpId warp : queue) mask |= bit(warp);
  return mask;
}

bool several(WarpMask mask) { return std::popcount(mask) > 1; }

}  // namespace

EventCounts::EventCounts(const SchedulerConfig& config, bool late_ends)
    : config_(config), late_ends_(late_ends) {}

void EventCounts::reset() {
  live_ = 0;
  new_ = 0;
  slot_freed_ = false;
}

void EventCounts::observe_reset(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                                const QueueSnapshot& before) {
  count("reset while a warp issues", outputs.issue_valid);
  count("reset while a warp is launched", inputs.launch_valid);
  if (late_ends_) count("reset while a warp has its late end", inputs.end_valid);
  if (config_.level == Level::two_level) {
    count("reset while warps leave ready", (mask_of(before.ready) & inputs.waits) != 0);
    count("reset while warps wake",
          (before.pending & ~inputs.long_outstanding & ~inputs.waits) != 0);
    count("reset while the collector's head is admitted",
          !before.collector.empty() && !inputs.launch_valid);
    count("reset while a warp is promoted",
          !before.active.empty() && before.ready.size() < config_.ready);
  }
}

std::uint16_t EventCounts::saturate(std::uint16_t length) const {
  return static_cast<std::uint16_t>(std::min<std::uint32_t>(length, largest_phase(config_)));
}

bool EventCounts::ties(std::uint16_t a, std::uint16_t b) const {
  return phase_key(config_, a) == phase_key(config_, b);
}

void EventCounts::observe(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                          const QueueSnapshot& before, const QueueSnapshot& after) {
  const bool exits = outputs.issue_valid && (inputs.exits & bit(outputs.issue_warp)) != 0;
  count("launch and exit in one cycle", exits && inputs.launch_valid);
  count("quiet with live warps", outputs.quiet && live_ != 0);
  count("all slots live", std::popcount(live_) == static_cast<int>(config_.warps));
  count("no slot live", live_ == 0);
  count("a candidate while issue is off", !inputs.issue_en && !outputs.quiet);
  if (config_.level == Level::two_level) {
    observe_two_level(inputs, outputs, before, after);
  } else {
    observe_single_level(inputs, outputs, before);
  }
  if (late_ends_) observe_late_ends(inputs, outputs, before);
  new_ = 0;
  if (inputs.launch_valid) {
    new_ = bit(inputs.launch_warp);
    live_ |= new_;
    launched_[inputs.launch_warp] = ++launches_;
  }
  if (inputs.end_valid) live_ &= ~bit(inputs.end_warp);
  if (exits) live_ &= ~bit(outputs.issue_warp);
}

void EventCounts::observe_late_ends(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                                    const QueueSnapshot& before) {
  const bool end = inputs.end_valid;
  const WarpMask ended = end ? bit(inputs.end_warp) : 0;
  const bool exits = outputs.issue_valid && (inputs.exits & bit(outputs.issue_warp)) != 0;
  count("a late end without anything else",
        end && !outputs.issue_valid && !inputs.launch_valid && live_ == ended);
  count("a late end beside an issue", end && outputs.issue_valid && !exits);
  count("a late end beside an exit", end && exits);
  count("a late end beside a launch", end && inputs.launch_valid);
  count("a late end in the cycle after the launch", (ended & new_) != 0);
  if (config_.age_limit > 1 && (config_.level == Level::two_level || config_.policy != "rr")) {
    count("a late end of a due warp", (ended & before.due) != 0);
  }
  if (config_.level == Level::single) {
    if (config_.policy == "gto" || config_.policy == "cggty") {
      const bool greedy = end && before.last_issued == inputs.end_warp;
      count("a late end of the greedy warp", greedy && !outputs.issue_valid);
      count("a late end of the greedy warp while another issues", greedy && outputs.issue_valid);
    }
    if (config_.policy == "cggty") {
      count("a late end of the barred warp", (ended & before.barred) != 0 && !inputs.issue_en);
    }
    return;
  }
  const bool in_active = end && contains(before.active, inputs.end_warp);
  const bool in_collector = end && contains(before.collector, inputs.end_warp);
  const bool room = before.ready.size() < config_.ready;
  count("a late end in ready", end && contains(before.ready, inputs.end_warp));
  count("a late end of a warp that would leave ready",
        (ended & mask_of(before.ready) & inputs.waits) != 0);
  count("a late end in ready beside a promotion",
        end && contains(before.ready, inputs.end_warp) && room && !before.active.empty());
  count("a late end in pending", (ended & before.pending) != 0);
  count("a late end of a warp that would wake",
        (ended & before.pending & ~inputs.long_outstanding & ~inputs.waits) != 0);
  count("a late end in active in place of a promotion", in_active && room);
  count("a late end in the collector in place of an admission",
        in_collector && !inputs.launch_valid);
  count("a late end in the collector beside a wake",
        in_collector && (before.pending & ~inputs.long_outstanding & ~inputs.waits) != 0);
  count("a late end of the collector's head before others",
        in_collector && before.collector.front() == inputs.end_warp && before.collector.size() > 1);
  count("a late end in the collector behind others",
        in_collector && before.collector.front() != inputs.end_warp);
  // With room in ready for every warp, no two of them ever meet in active.
  if (config_.ready == config_.warps) return;
  count("a late end in active before others",
        in_active && before.active.front() == inputs.end_warp && before.active.size() > 1);
  count("a late end in active behind others",
        in_active && before.active.front() != inputs.end_warp);
  count("a late end in active while ready is full", in_active && !room);
}

void EventCounts::observe_two_level(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                                    const QueueSnapshot& before, const QueueSnapshot& after) {
  const WarpMask wakes = before.pending & mask_of(after.collector);
  const WarpMask leaves = mask_of(before.ready) & after.pending;
  const bool full = before.ready.size() == config_.ready;
  const bool promotes = !before.active.empty() && !full;
  const bool exits = outputs.issue_valid && (inputs.exits & bit(outputs.issue_warp)) != 0;

  sample_lengths(inputs, before, after);
  count("several wakes in one cycle", several(wakes));
  count("a wake in a cycle with a launch", wakes != 0 && inputs.launch_valid);
  count("a wake into a collector that is not empty", wakes != 0 && !before.collector.empty());
  count("admission held back by a launch", inputs.launch_valid && !before.collector.empty());
  count("half of all warps in the collector", before.collector.size() * 2 >= config_.warps);
  count("ready full", full);
  count("ready empty with live warps", before.ready.empty() && live_ != 0);
  count("every live warp pending", before.pending != 0 && before.pending == live_);
  count("exit while ready is full", exits && full);
  if (config_.ready > 1) {
    count("promotion behind an issuer of the same cycle",
          promotes && outputs.issue_valid && !exits);
    count("issue from behind the head of ready",
          outputs.issue_valid && outputs.issue_warp != before.ready.front());
    count("leave and issue in one cycle", leaves != 0 && outputs.issue_valid);
    count("several leave in one cycle", several(leaves));
  }
  if (config_.ready > 2) {
    count("several leave and another issues", several(leaves) && outputs.issue_valid);
  }
  // With room in ready for every warp, no two of them ever meet in active.
  if (config_.ready < config_.warps) {
    count("a full ready freed a slot and is refilled", slot_freed_ && promotes);
    count("active holds all that ready has no room for",
          before.active.size() + before.ready.size() == config_.warps);
    observe_insertions(before, after);
  }
  slot_freed_ = full && after.ready.size() < config_.ready;
}

void EventCounts::sample_lengths(const SchedulerInputs& inputs, const QueueSnapshot& before,
                                 const QueueSnapshot& after) {
  const WarpMask leaves = mask_of(before.ready) & after.pending;
  for (unsigned warp = 0; warp < config_.warps; ++warp) {
    const bool launches = inputs.launch_valid && inputs.launch_warp == warp;
    if ((leaves & bit(warp)) == 0 && !launches) continue;
    stored_length_[warp] = saturate(inputs.phase[warp]);
    if (config_.phase_bits < 16) {
      count("a length that saturates", stored_length_[warp] != inputs.phase[warp]);
    }
  }
}

void EventCounts::observe_insertions(const QueueSnapshot& before, const QueueSnapshot& after) {
  for (std::size_t place = 0; place < after.active.size(); ++place) {
    const WarpId warp = after.active[place];
    if (contains(before.active, warp)) continue;
    bool equal = false;
    bool quantized = false;  // equal only as keys
    for (const WarpId other : after.active) {
      if (other == warp || !ties(stored_length_[other], stored_length_[warp])) continue;
      equal = true;
      quantized |= stored_length_[other] != stored_length_[warp];
    }
    count("an insertion into active that meets an equal length", equal);
    if (config_.key_precision < config_.phase_bits) {
      count("an insertion into active that meets an equal key", quantized);
    }
    if (config_.policy != "rr") {
      count("an insertion in front of others", place + 1 < after.active.size());
      // It takes three entries; the active queue has as many as ready leaves over.
      if (config_.warps < config_.ready + 3) continue;
      count("an insertion between others", place > 0 && place + 1 < after.active.size());
    }
  }
}

void EventCounts::observe_single_level(const SchedulerInputs& inputs,
                                       const SchedulerOutputs& outputs,
                                       const QueueSnapshot& before) {
  count("several candidates", outputs.issue_valid && several(inputs.issuable));
  if (config_.policy == "rr") {
    count("round robin wraps",
          outputs.issue_valid && before.last_issued && outputs.issue_warp <= *before.last_issued);
  }
  if (config_.policy == "gto" || config_.policy == "cggty") {
    const bool greedy = before.last_issued.has_value();
    count("the greedy warp goes on among others", outputs.issue_valid && greedy &&
                                                      outputs.issue_warp == *before.last_issued &&
                                                      several(inputs.issuable));
    count("the greedy warp cannot issue, another does",
          outputs.issue_valid && greedy && outputs.issue_warp != *before.last_issued);
    count("no greedy warp, several candidates",
          outputs.issue_valid && !greedy && several(inputs.issuable));
  }
  if (config_.policy == "group") observe_fetch_groups(inputs, outputs, before);
  if (config_.policy == "cggty") observe_yields(inputs, outputs, before);
  if (config_.policy == "sca" && outputs.issue_valid) observe_groups(inputs, outputs, before);
  if (config_.policy == "paws" && outputs.issue_valid) {
    const std::uint16_t best = saturate(inputs.phase[outputs.issue_warp]);
    bool tie = false;
    bool hidden = false;     // equal only because both saturate
    bool quantized = false;  // equal only as keys
    for (unsigned warp = 0; warp < config_.warps; ++warp) {
      if (warp == outputs.issue_warp || (inputs.issuable & bit(warp)) == 0) continue;
      const std::uint16_t other = saturate(inputs.phase[warp]);
      tie |= other == best;
      hidden |= other == best && inputs.phase[warp] != inputs.phase[outputs.issue_warp];
      quantized |= other != best && ties(other, best);
    }
    count("a tie of distances", tie);
    if (config_.phase_bits < 16) count("a tie made by saturation", hidden);
    if (config_.key_precision < config_.phase_bits) count("a tie made by quantization", quantized);
  }
}

void EventCounts::observe_yields(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                                 const QueueSnapshot& before) {
  const bool barred = (before.barred & inputs.issuable) != 0;
  count("a barred warp leaves a bubble", inputs.issue_en && barred && !outputs.issue_valid);
  count("another warp issues past a barred one", barred && outputs.issue_valid);
  count("a bar outlasts a cycle that is not enabled", !inputs.issue_en && before.barred != 0);
  count("a barred warp cannot issue anyway", inputs.issue_en && before.barred != 0 && !barred);
  count("a yield and an exit in one issue",
        outputs.issue_valid && (inputs.yields & inputs.exits & bit(outputs.issue_warp)) != 0);
}

void EventCounts::observe_groups(const SchedulerInputs& inputs, const SchedulerOutputs& outputs,
                                 const QueueSnapshot& before) {
  if (!before.group) return;
  const GroupTurn& last = *before.group;
  const WarpId warp = outputs.issue_warp;
  const bool second = (inputs.second & bit(warp)) != 0;
  WarpMask group = 0;     // that issued last, its live members
  WarpMask partners = 0;  // live members of the issuer's group beside the issuer
  WarpId oldest = warp;   // of the issuer's group
  for (unsigned other = 0; other < config_.warps; ++other) {
    if ((live_ & bit(other)) == 0) continue;
    if (inputs.pair[other] == last.pair && inputs.row[other] == last.row) group |= bit(other);
    if (other == warp || inputs.pair[other] != inputs.pair[warp]) continue;
    if (inputs.row[other] != inputs.row[warp]) continue;
    partners |= bit(other);
    if (launched_[other] < launched_[oldest]) oldest = other;
  }
  const WarpMask turn = group & (last.last_second ? ~inputs.second : inputs.second);
  const bool same_pair = inputs.pair[warp] == last.pair;
  const bool same_group = (group & bit(warp)) != 0;
  const bool stalls = turn != 0 && (turn & inputs.issuable) == 0;

  count("the turn goes to the partner", same_group && second != last.last_second);
  count("a warp without a partner goes on", same_group && turn == 0);
  count("a group is left though a member can issue",
        stalls && (group & inputs.issuable) != 0 && !same_group);
  count("a group that is left comes again", stalls && same_group);
  count("the next row of the pair issues", same_pair && inputs.row[warp] > last.row);
  count("the rows of a pair wrap around", same_pair && inputs.row[warp] < last.row);
  count("a pair is left", !same_pair && group != 0);
  count("a group has ended", group == 0);
  count("a second member begins, the first cannot",
        !same_group && second && partners != 0 && (partners & inputs.issuable) == 0);
  count("a first member begins, its partner is older", !same_pair && !second && oldest != warp);
}

void EventCounts::observe_fetch_groups(const SchedulerInputs& inputs,
                                       const SchedulerOutputs& outputs,
                                       const QueueSnapshot& before) {
  if (!before.last_issued) return;
  const unsigned groups = config_.warps / config_.group;
  const unsigned last = *before.last_issued / config_.group;
  const unsigned next = outputs.issue_warp / config_.group;
  const bool stays = outputs.issue_valid && next == last;
  const bool switches = outputs.issue_valid && next != last;
  WarpMask own = 0;
  for (unsigned warp = 0; warp < config_.warps; ++warp) {
    if (warp / config_.group == last) own |= bit(warp);
  }
  count("the group of a warp that ended goes on",
        config_.group == 1 || (stays && (live_ & bit(*before.last_issued)) == 0));
  count("a launch into the last group",
        inputs.launch_valid && inputs.launch_warp / config_.group == last);
  if (config_.group > 1) {
    count("the turn in a group wraps around", stays && outputs.issue_warp <= *before.last_issued);
  }
  if (groups > 1) {
    count("a switch back to a lower group", switches && next < last);
    count("a switch from a group with live warps", switches && (live_ & own) != 0);
  }
  if (groups > 2) count("a switch past a group", switches && (next + groups - last) % groups > 1);
  const bool expired = config_.group_timeout != 0 && before.group_run == config_.group_timeout;
  if (config_.group_timeout != 0 && groups > 1) {
    count("a switch because the time is over", expired && switches && (inputs.issuable & own) != 0);
    count("a group goes on though its time is over", expired && stays);
  }
}

std::vector<std::string> EventCounts::missing() const {
  std::vector<std::string> names;
  for (const auto& [situation, times] : counts_) {
    if (times == 0) names.emplace_back(situation);
  }
  return names;
}

}  // namespace paws
