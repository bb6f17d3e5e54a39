// SPDX-License-Identifier: MIT
#include "sim/trace/cursor.h"

namespace paws::trace {

void Cursor::begin(const LaunchInfo& launch) {
  event_ = Event::begin;
  launch_ = launch;
  skip_to_ = 0;
  SchedulerStep fresh;
  fresh.outputs.quiet = true;
  step_.schedulers.assign(run_.schedulers, fresh);
}

void Cursor::step(const CoreStep& step) {
  event_ = Event::step;
  step_ = step;
  cycle_ = step.cycle;
}

void Cursor::skipped(std::uint64_t from, std::uint64_t to) {
  event_ = Event::skip;
  cycle_ = from;
  skip_to_ = to;
}

void Cursor::end(std::uint64_t /*cycle*/) { event_ = Event::end; }

bool Cursor::pull() {
  if (decoder_.next(*this)) return true;
  event_ = Event::none;
  return false;
}

bool Cursor::next_launch() {
  while (pull()) {
    if (event_ == Event::begin) return true;
  }
  return false;
}

bool Cursor::next_cycle() {
  if (event_ == Event::skip && cycle_ + 1 < skip_to_) {
    ++cycle_;
  } else if (event_ == Event::end || event_ == Event::none || !pull() || event_ == Event::end) {
    return false;
  }
  skipping_ = event_ == Event::skip;
  if (skipping_) {
    step_.cycle = cycle_;
    for (unsigned s = 0; s < run_.schedulers; ++s) {
      step_.schedulers[s].inputs.issue_en = cycle_ % run_.issue_interval == s % run_.issue_interval;
    }
  }
  return true;
}

}  // namespace paws::trace
