// SPDX-License-Identifier: MIT
#include "sim/trace/timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "model/warp_mask.h"
#include "sim/support/error.h"

namespace paws::trace {
namespace {

constexpr std::size_t kWriteBytes = std::size_t{64} << 10;
/// Issues are counted over so many cycles: a counter of single cycles would be as long as a track
/// of states.
constexpr std::uint64_t kIssueCycles = 64;

// Tracks of a process: three per warp slot, before them the launches, behind them the blocks.
constexpr unsigned kLaunchTrack = 0;
constexpr unsigned life_track(std::uint32_t slot) { return 1 + 3 * slot; }
constexpr unsigned condition_track(std::uint32_t slot) { return 2 + 3 * slot; }
constexpr unsigned place_track(std::uint32_t slot) { return 3 + 3 * slot; }
constexpr unsigned block_track(std::uint32_t slots, std::uint32_t slot) {
  return 1 + 3 * slots + slot;
}

std::string json_string(const nlohmann::json& value) {
  return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

void check_window(const CycleRange& range, std::uint64_t cycles) {
  if (range.from < cycles) return;
  throw InputError(
      fmt::format("--from {}: there are {} cycles, numbered from 0", range.from, cycles));
}

Timeline::Timeline(const RunInfo& run, std::uint32_t core, std::size_t process,
                   const CycleRange& range, PartFile& out)
    : run_(run), core_(core), process_(process), range_(range), out_(out) {
  for (unsigned s = 0; s < run.schedulers; ++s) shadows_.emplace_back(run.scheduler);
  warps_.resize(std::size_t{run.schedulers} * run.scheduler.warps);
  blocks_.resize(warps_.size());
  full_.resize(run.schedulers);
  issues_.resize(run.schedulers);
  name_tracks();
}

std::uint32_t Timeline::slot(unsigned scheduler, WarpId local) const {
  return local * run_.schedulers + scheduler;
}

void Timeline::event(const std::string& json) {
  if (any_) bytes_ += ",\n";
  any_ = true;
  bytes_ += json;
  if (bytes_.size() < kWriteBytes) return;
  out_.write(bytes_);
  bytes_.clear();
}

void Timeline::name_tracks() {
  auto meta = [&](const char* what, unsigned track, const std::string& value) {
    event(fmt::format(R"({{"ph":"M","name":"{}","pid":{},"tid":{},"args":{{{}}}}})", what, process_,
                      track, value));
  };
  auto track = [&](unsigned number, const std::string& name) {
    meta("thread_name", number, "\"name\":" + json_string(name));
    meta("thread_sort_index", number, fmt::format("\"sort_index\":{}", number));
  };
  meta("process_name", 0,
       "\"name\":" + json_string(fmt::format("core {}: {} under {} (1 us is 1 cycle)", core_,
                                             run_.workload, scheduler_name(run_.scheduler))));
  meta("process_sort_index", 0, fmt::format("\"sort_index\":{}", process_));
  track(kLaunchTrack, "launch");
  const auto slots = static_cast<std::uint32_t>(warps_.size());
  for (std::uint32_t number = 0; number < slots; ++number) {
    const std::string warp =
        fmt::format("scheduler {} warp {}", number % run_.schedulers, number / run_.schedulers);
    track(life_track(number), warp);
    track(condition_track(number), warp + " state");
    if (run_.scheduler.level == Level::two_level) track(place_track(number), warp + " queue");
    track(block_track(slots, number), fmt::format("block from slot {}", number));
  }
}

void Timeline::change(std::optional<Slice>& slice, unsigned track, std::uint64_t cycle,
                      const std::string& name, const std::string& arguments) {
  if (slice && slice->name == name && slice->arguments == arguments) return;
  finish(slice, track, cycle);
  slice = Slice{cycle, name, arguments};
}

void Timeline::finish(std::optional<Slice>& slice, unsigned track, std::uint64_t cycle) {
  if (const std::string json = finished(slice, track, cycle); !json.empty()) event(json);
}

void Timeline::finish_phase(std::uint64_t cycle, std::uint32_t number) {
  WarpTracks& tracks = warps_[number];
  std::string json = finished(tracks.phase, life_track(number), cycle);
  if (json.empty()) return;
  if (tracks.first_phase.empty()) {
    tracks.first_phase = std::move(json);
  } else {
    event(json);
  }
}

void Timeline::finish_life(std::uint64_t cycle, std::uint32_t number) {
  WarpTracks& tracks = warps_[number];
  finish_phase(cycle, number);
  finish(tracks.life, life_track(number), cycle);
  if (!tracks.first_phase.empty()) event(std::exchange(tracks.first_phase, ""));
}

std::string Timeline::finished(std::optional<Slice>& slice, unsigned track, std::uint64_t cycle) {
  if (!slice) return "";
  std::string json;
  const std::uint64_t from = std::max(slice->from, range_.from);
  const std::uint64_t to = range_.to < cycle ? range_.to + 1 : cycle;
  if (from < to) {
    json = fmt::format(R"({{"ph":"X","name":{},"pid":{},"tid":{},"ts":{},"dur":{}{}{}}})",
                       json_string(slice->name), process_, track, from, to - from,
                       slice->arguments.empty() ? "" : ",\"args\":", slice->arguments);
  }
  slice.reset();
  return json;
}

void Timeline::begin(const LaunchInfo& launch) {
  launch_ = launch;
  now_ = launch.cycle;
  for (Shadow& shadow : shadows_) shadow.reset();
  kernel_ = Slice{launch.cycle, launch.kernel->name, ""};
}

void Timeline::step(const CoreStep& step) {
  for (unsigned s = 0; s < run_.schedulers; ++s) {
    const SchedulerStep& scheduler = step.schedulers[s];
    shadows_[s].enter(scheduler);
    for (WarpId local = 0; local < run_.scheduler.warps; ++local) {
      warp(step.cycle, s, local, scheduler);
    }
  }
  blocks(step);
  count_issues(step);
  if (run_.scheduler.level == Level::two_level) counters(step.cycle);
  for (Shadow& shadow : shadows_) shadow.leave();
  now_ = step.cycle + 1;
}

void Timeline::warp(std::uint64_t cycle, unsigned scheduler, WarpId local,
                    const SchedulerStep& step) {
  const std::uint32_t number = slot(scheduler, local);
  WarpTracks& tracks = warps_[number];
  if (!contains(step.warps.live, local)) {
    finish_life(cycle, number);
    finish_condition(cycle, number);
    finish(tracks.place, place_track(number), cycle);
    return;
  }
  const Shadow& shadow = shadows_[scheduler];
  const std::uint32_t pc = step.warps.pc[local];
  if (!tracks.life) {
    tracks.life = Slice{
        cycle, fmt::format("block {} warp {}", step.warps.block[local], step.warps.in_block[local]),
        ""};
    tracks.pc = pc;
  }
  if (pc < launch_.kernel->code.size()) {
    // Back to an earlier instruction is a new turn through the phase.
    const std::uint32_t phase = launch_.kernel->code[pc].phase;
    const std::string name =
        fmt::format("phase {} (len {})", phase + 1, launch_.kernel->phases[phase].length);
    if (!tracks.phase || pc < tracks.pc || tracks.phase->name != name) {
      finish_phase(cycle, number);
      tracks.phase = Slice{cycle, name, ""};
    }
  }
  tracks.pc = pc;

  const Condition now = condition_of(run_.scheduler, step, shadow.place(local), local);
  std::string arguments;
  if (now == Condition::issue && pc < launch_.kernel->code.size()) {
    const KernelInfo::Instruction& instruction = launch_.kernel->code[pc];
    arguments = fmt::format(R"({{"pc":{},"line":{},"instruction":{}}})", pc, instruction.line,
                            json_string(instruction.text));
  }
  condition(cycle, number, now, arguments);
  if (run_.scheduler.level == Level::two_level && !shadow.lost()) {
    change(tracks.place, place_track(number), cycle, to_string(shadow.place(local)), "");
  }
}

/// A unit is free in some cycles and busy in others while several warps take turns at it: such a
/// stretch is one slice, named after what held for longer.
void Timeline::condition(std::uint64_t cycle, std::uint32_t number, Condition now,
                         const std::string& arguments) {
  WarpTracks& tracks = warps_[number];
  auto turns = [](Condition condition) {
    return condition == Condition::unit_busy || condition == Condition::can_issue;
  };
  if (tracks.condition && now == tracks.last && now != Condition::issue) return;
  if (tracks.condition && turns(now) && turns(tracks.last)) {
    (now == Condition::can_issue ? tracks.busy : tracks.free) += cycle - tracks.last_from;
  } else {
    finish_condition(cycle, number);
    tracks.condition = Slice{cycle, to_string(now), arguments};
  }
  tracks.last = now;
  tracks.last_from = cycle;
}

void Timeline::finish_condition(std::uint64_t cycle, std::uint32_t number) {
  WarpTracks& tracks = warps_[number];
  if (!tracks.condition) return;
  if (tracks.last == Condition::unit_busy) tracks.busy += cycle - tracks.last_from;
  if (tracks.last == Condition::can_issue) tracks.free += cycle - tracks.last_from;
  if (tracks.busy + tracks.free > 0) {
    tracks.condition->name =
        to_string(tracks.busy >= tracks.free ? Condition::unit_busy : Condition::can_issue);
    tracks.condition->arguments =
        fmt::format(R"({{"unit busy":{},"can issue":{}}})", tracks.busy, tracks.free);
  }
  tracks.busy = tracks.free = 0;
  finish(tracks.condition, condition_track(number), cycle);
}

void Timeline::blocks(const CoreStep& step) {
  for (BlockTrack& track : blocks_) track.live = 0;
  for (unsigned s = 0; s < run_.schedulers; ++s) {
    const WarpLevels& warps = step.schedulers[s].warps;
    for_each_warp(warps.live, [&](WarpId local) {
      const std::uint32_t number = slot(s, local);
      BlockTrack& track = blocks_[number - std::min(number, warps.in_block[local])];
      ++track.live;
      track.block = warps.block[local];
    });
  }
  const auto slots = static_cast<std::uint32_t>(blocks_.size());
  for (std::uint32_t number = 0; number < slots; ++number) {
    BlockTrack& track = blocks_[number];
    if (track.live > 0) {
      change(track.slice, block_track(slots, number), step.cycle,
             fmt::format("block {}", track.block), "");
    } else {
      finish(track.slice, block_track(slots, number), step.cycle);
    }
  }
}

void Timeline::counters(std::uint64_t cycle) {
  if (cycle < range_.from || cycle > range_.to) return;
  for (unsigned s = 0; s < run_.schedulers; ++s) {
    if (shadows_[s].lost()) continue;
    std::array<std::size_t, kPlaces> full{};
    for (WarpId local = 0; local < run_.scheduler.warps; ++local) {
      ++full[static_cast<std::size_t>(shadows_[s].place(local))];
    }
    if (full == full_[s]) continue;
    full_[s] = full;
    std::string values;
    for (const Place place : {Place::ready, Place::active, Place::collector, Place::pending}) {
      values += fmt::format("{}\"{}\":{}", values.empty() ? "" : ",", to_string(place),
                            full[static_cast<std::size_t>(place)]);
    }
    event(fmt::format(R"({{"ph":"C","name":"scheduler {} queues","pid":{},"ts":{},"args":{{{}}}}})",
                      s, process_, cycle, values));
  }
}

void Timeline::count_issues(const CoreStep& step) {
  const std::uint64_t from = step.cycle - step.cycle % kIssueCycles;
  if (from != issues_from_) {
    tell_issues();
    // In between nothing has issued.
    if (from > issues_from_ + kIssueCycles) {
      issues_from_ += kIssueCycles;
      tell_issues();
    }
    issues_from_ = from;
  }
  for (unsigned s = 0; s < run_.schedulers; ++s) {
    if (step.schedulers[s].outputs.issue_valid) ++issues_[s];
  }
}

void Timeline::tell_issues() {
  for (unsigned s = 0; s < run_.schedulers; ++s) {
    const std::uint64_t issues = std::exchange(issues_[s], 0);
    if (issues_from_ + kIssueCycles <= range_.from || issues_from_ > range_.to) continue;
    event(fmt::format(
        R"({{"ph":"C","name":"scheduler {} issues","pid":{},"ts":{},"args":{{"in {} cycles":{}}}}})",
        s, process_, std::max(issues_from_, range_.from), kIssueCycles, issues));
  }
}

void Timeline::skipped(std::uint64_t /*from*/, std::uint64_t to) { now_ = to; }

void Timeline::end(std::uint64_t cycle) { finish_all(cycle); }

void Timeline::finish_all(std::uint64_t cycle) {
  const auto slots = static_cast<std::uint32_t>(warps_.size());
  for (std::uint32_t number = 0; number < slots; ++number) {
    WarpTracks& tracks = warps_[number];
    finish_life(cycle, number);
    finish_condition(cycle, number);
    finish(tracks.place, place_track(number), cycle);
    finish(blocks_[number].slice, block_track(slots, number), cycle);
  }
  finish(kernel_, kLaunchTrack, cycle);
}

void Timeline::close() {
  finish_all(now_);
  if (now_ > issues_from_) tell_issues();
  out_.write(bytes_);
  bytes_.clear();
}

TimelineWriter::TimelineWriter(const std::string& path, const std::vector<RunInfo>& runs,
                               const std::vector<std::uint32_t>& cores, const CycleRange& range)
    : file_(path, runs.size() * cores.size()),
      made_by_(runs.front().made_by),
      cores_(cores.size()) {
  for (std::size_t run = 0; run < runs.size(); ++run) {
    for (const std::uint32_t core : cores) {
      timelines_.push_back(std::make_unique<Timeline>(runs[run], core, run * runs[run].cores + core,
                                                      range, file_.part(timelines_.size())));
    }
  }
}

void TimelineWriter::finish() {
  for (const auto& timeline : timelines_) timeline->close();
  file_.finish(
      "{\"displayTimeUnit\":\"ns\",\"otherData\":" + json_string(made_by_) + ",\"traceEvents\":[\n",
      ",\n", "\n]}\n");
}

}  // namespace paws::trace
