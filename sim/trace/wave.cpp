// SPDX-License-Identifier: MIT
#include "sim/trace/wave.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "engine/wave/save_file.h"
#include "model/warp_mask.h"
#include "sim/support/error.h"
#include "sim/trace/condition.h"
#include "sim/trace/mapped_writes.h"
#include "sim/trace/parts.h"
#include "sim/trace/reason.h"

namespace paws::trace {
namespace {

constexpr const char* kEnding = ".fst";

WaveNames wave_names() {
  WaveNames names;
  names.states = {"no instruction", "operand", "pipeline", "outside ready", "issued"};
  for (unsigned i = 0; i < kConditions; ++i) {
    names.conditions.emplace_back(to_string(static_cast<Condition>(i)));
  }
  for (unsigned i = 0; i < kPlaces; ++i) {
    names.places.emplace_back(to_string(static_cast<Place>(i)));
  }
  return names;
}

/// A queue at its port: its warps, then kNoWarp.
void fill(std::array<std::uint8_t, kMaxWarps>& port, const std::vector<WarpId>& queue) {
  const auto end = std::transform(queue.begin(), queue.end(), port.begin(),
                                  [](WarpId warp) { return static_cast<std::uint8_t>(warp); });
  std::fill(end, port.end(), WaveCycle::kNoWarp);
}

/// FST's writer asks no write for its success.
InputError no_space(const std::string& path) {
  return InputError(path, "cannot be written: no space is left, here or in /tmp");
}

/// Whether the blocks of an FST file, a byte and a big-endian length each, end where it ends.
bool whole(const std::string& path) {
  constexpr unsigned kLengthBytes = 8;
  std::ifstream file(path, std::ios::binary);
  const std::uint64_t size = std::filesystem::file_size(path);
  std::uint64_t at = 0;
  while (at < size) {
    std::array<unsigned char, 1 + kLengthBytes> head{};
    file.seekg(static_cast<std::streamoff>(at));
    if (!file.read(reinterpret_cast<char*>(head.data()), head.size())) return false;
    std::uint64_t length = 0;
    for (unsigned i = 1; i <= kLengthBytes; ++i) length = length << 8U | head[i];
    if (length < kLengthBytes || length > size - at - 1) return false;
    at += 1 + length;
  }
  return at > 0;
}

}  // namespace

WaveWriter::WaveWriter(const std::string& path, const RunInfo& run, std::uint64_t from,
                       std::uint64_t to)
    : path_(path),
      temporary_(fmt::format("{}.{}.tmp", path, ::getpid())),
      run_(run),
      from_(from),
      to_(to),
      ports_(run.schedulers) {
  if (!path.ends_with(kEnding)) throw InputError(path, "a wave's name must end in .fst");
  if (!has_rtl(run.scheduler)) {
    throw InputError(fmt::format("scheduler '{}' lives in the model alone: there is no RTL to show",
                                 scheduler_name(run.scheduler)));
  }
  PartedFile writable(path, 1);  // says whether it can be written, and leaves nothing
  for (unsigned s = 0; s < run.schedulers; ++s) shadows_.emplace_back(run.scheduler);
  model_ = make_wave_model(run.scheduler, run.schedulers);
}

WaveWriter::~WaveWriter() {
  {
    const MappedWrites writes;
    model_->close();
  }
  std::remove(temporary_.c_str());
}

void WaveWriter::begin(const LaunchInfo& launch) {
  launch_ = launch;
  model_->reset();
  for (unsigned s = 0; s < run_.schedulers; ++s) {
    shadows_[s].reset();
    drive(s, {});
    drive_core(s, {});
  }
}

void WaveWriter::drive(unsigned s, const SchedulerStep& step) {
  const SchedulerInputs& inputs = step.inputs;
  ports_.issue_en[s] = inputs.issue_en ? 1 : 0;
  ports_.issuable[s] = inputs.issuable;
  ports_.waits[s] = inputs.waits;
  ports_.long_outstanding[s] = inputs.long_outstanding;
  ports_.exits[s] = inputs.exits;
  ports_.second[s] = inputs.second;
  ports_.yields[s] = inputs.yields;
  ports_.launch_valid[s] = inputs.launch_valid ? 1 : 0;
  ports_.launch_warp[s] = static_cast<std::uint8_t>(inputs.launch_warp);
  ports_.phase[s] = inputs.phase;
  ports_.pair[s] = inputs.pair;
  ports_.row[s] = inputs.row;
}

void WaveWriter::drive_core(unsigned s, const SchedulerStep& step) {
  const Shadow& shadow = shadows_[s];
  const WarpLevels& warps = step.warps;
  ports_.state[s] = static_cast<std::uint8_t>(step.state);
  for (WarpId warp = 0; warp < run_.scheduler.warps; ++warp) {
    const Place place = shadow.place(warp);
    ports_.place[s][warp] = static_cast<std::uint8_t>(place);
    ports_.condition[s][warp] =
        static_cast<std::uint8_t>(condition_of(run_.scheduler, step, place, warp));
    const std::uint32_t pc = warps.pc[warp];
    const bool has_phase = contains(warps.live, warp) && pc < launch_.kernel->code.size();
    ports_.phase_number[s][warp] = has_phase ? launch_.kernel->code[pc].phase + 1 : 0;
    ports_.block[s][warp] = static_cast<std::uint32_t>(warps.block[warp]);
  }
  ports_.pc[s] = warps.pc;
  ports_.in_block[s] = warps.in_block;
  ports_.in_flight[s] = warps.in_flight;
  fill(ports_.ready[s], shadow.queues().ready);
  fill(ports_.active[s], shadow.queues().active);
  fill(ports_.collector[s], shadow.queues().collector);
}

void WaveWriter::cycle(std::uint64_t number) {
  const MappedWrites writes;
  const bool show = shown(number);
  if (show && !any_) {
    model_->open(temporary_);
    first_shown_ = number;
    any_ = true;
  }
  if (show) last_shown_ = number;
  ports_.cycle = number;
  model_->cycle(ports_, show);
  if (MappedWrites::failed()) throw no_space(path_);
}

void WaveWriter::step(const CoreStep& step) {
  if (step.cycle > to_) done_ = true;
  if (done_) return;
  for (unsigned s = 0; s < run_.schedulers; ++s) {
    shadows_[s].enter(step.schedulers[s]);
    drive(s, step.schedulers[s]);
    drive_core(s, step.schedulers[s]);
  }
  cycle(step.cycle);
  for (unsigned s = 0; s < run_.schedulers; ++s) {
    const SchedulerOutputs& recorded = step.schedulers[s].outputs;
    if (model_->outputs(s) != recorded) {
      throw CheckError(fmt::format(
          "waves: in cycle {} scheduler {} of the RTL decides '{}', but '{}' was recorded",
          step.cycle, s, decision(model_->outputs(s)), decision(recorded)));
    }
    shadows_[s].leave();
  }
}

void WaveWriter::skipped(std::uint64_t from, std::uint64_t to) {
  if (from > to_) done_ = true;
  for (std::uint64_t number = std::max(from, from_); number < to && number <= to_; ++number) {
    for (unsigned s = 0; s < run_.schedulers; ++s) {
      ports_.issue_en[s] = number % run_.issue_interval == s % run_.issue_interval ? 1 : 0;
    }
    cycle(number);
  }
}

void WaveWriter::end(std::uint64_t cycle) { done_ = done_ || cycle > to_; }

bool WaveWriter::finish() {
  {
    const MappedWrites writes;
    model_->close();
  }
  if (!any_) return false;
  if (MappedWrites::failed() || !whole(temporary_)) throw no_space(path_);
  auto fail = [](const std::string& path) {
    throw InputError(path, fmt::format("cannot be written: {}", std::strerror(errno)));
  };
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_);
  const std::filesystem::path wave(path_);
  const std::string base = wave.stem().string();
  for (const SaveFileContents& file :
       save_files(base, run_.scheduler, run_.schedulers, wave_names(), first_shown_, last_shown_)) {
    PartedFile out((wave.parent_path() / file.name).string(), 0);
    out.finish(file.content, "", "");
  }
  return true;
}

}  // namespace paws::trace
