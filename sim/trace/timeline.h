// SPDX-License-Identifier: MIT
// Runs as timelines: trace-event JSON, as Perfetto (ui.perfetto.dev) and chrome://tracing read it.
//
// One cycle is one microsecond of the viewer. Every core is a process; of several runs in one file,
// every core of each. Of each warp slot there are three tracks: the warp's life with its phases
// inside, what it waits for, and the queue in which it stands (two-level); further tracks show
// launches and blocks, counters the issues and how full the queues are.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/trace/condition.h"
#include "sim/trace/events.h"
#include "sim/trace/parts.h"
#include "sim/trace/shadow.h"

namespace paws::trace {

struct CycleRange {
  std::uint64_t from = 0;
  std::uint64_t to = std::numeric_limits<std::uint64_t>::max();  ///< inclusive
};

/// Throws InputError if `range`, which the options --from and --to give, lies behind a run of
/// `cycles`.
void check_window(const CycleRange& range, std::uint64_t cycles);

/// One core's part of a timeline. Slices are written when they end, so nothing piles up.
class Timeline final : public Sink {
 public:
  /// `out` outlives this. `process` is the number of the core in the file.
  Timeline(const RunInfo& run, std::uint32_t core, std::size_t process, const CycleRange& range,
           PartFile& out);

  void begin(const LaunchInfo& launch) override;
  void step(const CoreStep& step) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;
  /// Ends the slices that are open and writes what is left.
  void close();

 private:
  /// A stretch of time on a track, the name of which is not written yet.
  struct Slice {
    std::uint64_t from = 0;
    std::string name;
    std::string arguments;  ///< JSON object, or empty
  };
  struct WarpTracks {
    std::optional<Slice> life, phase, condition, place;
    /// The life's first phase that is to be seen, which begins as the life may: a viewer puts it
    /// into the life if that comes first in the file.
    std::string first_phase;
    std::uint32_t pc = 0;
    Condition last = Condition::free;  ///< in the cycles since `last_from`
    std::uint64_t last_from = 0;
    /// Cycles of the open condition slice with the unit busy, and not.
    std::uint64_t busy = 0, free = 0;
  };
  struct BlockTrack {
    std::optional<Slice> slice;
    std::uint64_t block = 0;
    unsigned live = 0;
  };

  void name_tracks();
  void warp(std::uint64_t cycle, unsigned scheduler, WarpId local, const SchedulerStep& step);
  void condition(std::uint64_t cycle, std::uint32_t number, Condition now,
                 const std::string& arguments);
  void finish_condition(std::uint64_t cycle, std::uint32_t number);
  void blocks(const CoreStep& step);
  void counters(std::uint64_t cycle);
  void count_issues(const CoreStep& step);
  /// Of the stretch of cycles that has begun.
  void tell_issues();
  void change(std::optional<Slice>& slice, unsigned track, std::uint64_t cycle,
              const std::string& name, const std::string& arguments);
  void finish(std::optional<Slice>& slice, unsigned track, std::uint64_t cycle);
  /// The event of the slice, which ends; empty: it is not to be seen.
  std::string finished(std::optional<Slice>& slice, unsigned track, std::uint64_t cycle);
  void finish_phase(std::uint64_t cycle, std::uint32_t number);
  void finish_life(std::uint64_t cycle, std::uint32_t number);
  void finish_all(std::uint64_t cycle);
  void event(const std::string& json);
  [[nodiscard]] std::uint32_t slot(unsigned scheduler, WarpId local) const;

  RunInfo run_;
  std::uint32_t core_;
  std::size_t process_;
  CycleRange range_;
  PartFile& out_;
  std::string bytes_;
  bool any_ = false;
  LaunchInfo launch_;
  std::vector<Shadow> shadows_;
  std::vector<WarpTracks> warps_;                       ///< by core slot
  std::vector<BlockTrack> blocks_;                      ///< by core slot of the block's first warp
  std::vector<std::array<std::size_t, kPlaces>> full_;  ///< last counters, by scheduler
  std::vector<std::uint64_t> issues_;  ///< by scheduler, of kIssueCycles cycles from issues_from_
  std::uint64_t issues_from_ = 0;
  std::optional<Slice> kernel_;
  std::uint64_t now_ = 0;  ///< first cycle that has not been seen
};

/// A timeline of several cores, of one or several runs, in one file.
class TimelineWriter {
 public:
  /// Throws InputError if `path` cannot be written.
  TimelineWriter(const std::string& path, const std::vector<RunInfo>& runs,
                 const std::vector<std::uint32_t>& cores, const CycleRange& range);
  /// Where the events of `cores[index]` of a run go. One thread at a time per core and run.
  [[nodiscard]] Sink& sink(std::size_t index, std::size_t run = 0) {
    return *timelines_[run * cores_ + index];
  }
  /// Completes the file. Without this call nothing is left behind. Throws InputError.
  void finish();

 private:
  PartedFile file_;
  std::map<std::string, std::string> made_by_;  ///< of the first run
  std::size_t cores_;
  std::vector<std::unique_ptr<Timeline>> timelines_;  ///< run by run
};

}  // namespace paws::trace
