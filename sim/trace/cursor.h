// SPDX-License-Identifier: MIT
// A decision trace cycle by cycle, for walking along two of them at once.
#pragma once

#include <cstdint>
#include <limits>

#include "sim/trace/codec.h"
#include "sim/trace/events.h"

namespace paws::trace {

class Cursor final : private Sink {
 public:
  Cursor(const RunInfo& run, Decoder decoder) : run_(run), decoder_(std::move(decoder)) {}

  /// Goes to the next launch; false when there is none.
  bool next_launch();
  [[nodiscard]] const LaunchInfo& launch() const { return launch_; }
  /// Goes to the first cycle of the launch, then from each to the next; false at its end.
  bool next_cycle();
  [[nodiscard]] std::uint64_t cycle() const { return cycle_; }
  /// The cycle as it was, or would have been if it had been stepped.
  [[nodiscard]] const CoreStep& step() const { return step_; }
  /// Nothing but issue_en has changed since the cycle before.
  [[nodiscard]] bool skipping() const { return skipping_; }

 private:
  enum class Event { none, begin, step, skip, end };

  void begin(const LaunchInfo& launch) override;
  void step(const CoreStep& step) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;
  bool pull();

  RunInfo run_;
  Decoder decoder_;
  Event event_ = Event::none;  ///< the last one that was read
  LaunchInfo launch_;
  CoreStep step_;
  std::uint64_t cycle_ = 0;
  std::uint64_t skip_to_ = 0;
  bool skipping_ = false;
};

}  // namespace paws::trace
