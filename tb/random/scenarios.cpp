// SPDX-License-Identifier: MIT
#include "tb/random/host.h"

namespace paws {
namespace {

/// Short waits: active is entered often, and never empty.
Scenario circulation(const char* name, Lengths lengths) {
  return {.name = name,
          .lengths = lengths,
          .load = 50,
          .use = 100,
          .barrier = 0,
          .exit = 4,
          .stalled = 0,
          .blocked = 0,
          .latency_min = 1,
          .latency_max = 8,
          .launch = 100};
}

}  // namespace

const std::vector<Scenario>& scenarios() {
  static const std::vector<Scenario> all = {
      {.name = "mixed"},
      {.name = "ties", .lengths = Lengths::few, .issue_enable = IssueEnable::random, .launch = 60},
      {.name = "compute",  // ready and active full, nothing pending
       .lengths = Lengths::saturating,
       .load = 1,
       .barrier = 0,
       .exit = 1,
       .launch = 90},
      {.name = "memory",  // ready empty, nearly all pending
       .lengths = Lengths::saturating,
       .issue_enable = IssueEnable::one_in_two,
       .load = 40,
       .use = 90,
       .barrier = 0,
       .latency_min = 40,
       .latency_max = 400},
      {.name = "mass wakes",  // the collector fills, launches hold it back
       .lengths = Lengths::few,
       .load = 40,
       .use = 80,
       .exit = 6,
       .latency_min = 1,
       .latency_max = 20,
       .reply_period = 64,
       .launch = 100},
      {.name = "barriers", .load = 5, .use = 50, .barrier = 25, .stalled = 5, .blocked = 0},
      {.name = "churn",  // short lives: exits and launches in the same cycles
       .lengths = Lengths::saturating,
       .load = 5,
       .exit = 35,
       .latency_max = 12,
       .launch = 100},
      {.name = "bursts",
       .lengths = Lengths::few,
       .issue_enable = IssueEnable::random,
       .load = 20,
       .use = 70,
       .exit = 12,
       .launch = 100,
       .launch_in_bursts = true},
      circulation("circulation", Lengths::uniform),
      circulation("long circulation", Lengths::saturating),
  };
  return all;
}

}  // namespace paws
