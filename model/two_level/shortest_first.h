// SPDX-License-Identifier: MIT
// PAWS' order of active, which paws and paws_at_once have in common.
#pragma once

#include "model/two_level/two_level_scheduler.h"

namespace paws {

/// The shortest length first; equal lengths by age, or by arrival if the configuration says so.
inline ActiveOrder shortest_first(const SchedulerConfig& config) {
  return [by_arrival = config.tie_by_arrival](const ActiveWarp& a, const ActiveWarp& b) {
    if (a.length != b.length) return a.length < b.length;
    return !by_arrival && a.launch_number < b.launch_number;
  };
}

}  // namespace paws
