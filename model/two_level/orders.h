// SPDX-License-Identifier: MIT
// Orders that several two-level policies have in common.
#pragma once

#include "model/two_level/two_level_scheduler.h"

namespace paws {

inline bool by_arrival(const ActiveWarp&, const ActiveWarp&) { return false; }

inline bool oldest_first(const ActiveWarp& a, const ActiveWarp& b) {
  return a.launch_number < b.launch_number;
}

/// The shortest length first; equal lengths by age, or by arrival if the configuration says so.
inline WarpOrder shortest_first(const SchedulerConfig& config) {
  return [by_arrival = config.tie_by_arrival](const ActiveWarp& a, const ActiveWarp& b) {
    if (a.length != b.length) return a.length < b.length;
    return !by_arrival && a.launch_number < b.launch_number;
  };
}

}  // namespace paws
