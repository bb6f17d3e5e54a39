// SPDX-License-Identifier: MIT
// The rule of every scheduler for a reader who meets it for the first time.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "model/scheduler.h"

namespace paws::explain {

/// How warps stand in the row of a single-level scheduler, or in the active queue.
enum class Order : std::uint8_t {
  arrival,          ///< no key
  turn,             ///< slots after the last issuer
  oldest,           ///< by launch
  greedy_oldest,    ///< the last issuer, then by launch
  youngest,         ///< by launch, backwards
  greedy_youngest,  ///< the last issuer, then by launch, backwards
  shortest,         ///< by length or distance, then by launch
  shortest_alone,   ///< by length or distance
  longest,          ///< by length, backwards, then by launch
  slot
};

struct Rule {
  const char* scheduler;  ///< its name in --scheduler
  Order order;
  /// Single level: the first warp of the order that can issue and is not barred, is the one that
  /// issues.
  bool first_issues;
  const char* in_order;  ///< the order in words, behind "warps, " or "active, "
  const char* sentence;
  Order in_ready = Order::arrival;  ///< two levels: how a promotion sorts ready
};

std::span<const Rule> rules();

/// Throws std::logic_error for a policy that has no rule in rules.cpp.
const Rule& rule_of(const std::string& scheduler);

/// The whole rule of the scheduler of `config`, in sentences.
std::string sentences_of(const SchedulerConfig& config);

}  // namespace paws::explain
