// SPDX-License-Identifier: MIT
#include "model/scheduler.h"

#include <algorithm>
#include <bit>
#include <sstream>
#include <stdexcept>

#include "model/registry.h"
#include "model/scheduler_fields.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

std::string name_of(Level level, const std::string& policy) {
  return (level == Level::single ? "single:" : "two-level:") + policy;
}

std::string unknown(const std::string& name) {
  std::string message = "unknown scheduler '" + name + "'; known are";
  for (const std::string& known : scheduler_names()) message += " " + known;
  return message;
}

std::string out_of_range(const std::string& what, unsigned value, unsigned low,
                         const std::string& high) {
  return what + " is " + std::to_string(value) + " but must be " + std::to_string(low) + " to " +
         high;
}

/// What is wrong with the sizes of fetch groups, each of which is within its own limits.
std::optional<std::string> check_fetch_groups(const SchedulerConfig& config) {
  if (!has_fetch_groups(config)) return std::nullopt;
  if (config.warps % config.group != 0) {
    return "scheduler.group is " + std::to_string(config.group) + " but must divide the " +
           std::to_string(config.warps) + " warps of a scheduler";
  }
  if (config.group_timeout != 0 && config.group_timeout < config.group) {
    return "scheduler.group_timeout is " + std::to_string(config.group_timeout) +
           " but must be 0, or " + std::to_string(config.group) + " (scheduler.group) to 65535";
  }
  return std::nullopt;
}

/// Affinity is about promotion, which a single level does not have.
std::optional<std::string> check_affinity(const SchedulerConfig& config) {
  if (config.affinity == Affinity::none || config.level == Level::two_level) return std::nullopt;
  return "scheduler.affinity is " + std::string(name_of(config.affinity)) + " but " +
         scheduler_name(config) + " promotes no warps: affinity needs a two-level scheduler";
}

std::vector<WarpId> slots_of(WarpMask mask) {
  std::vector<WarpId> slots;
  for_each_warp(mask, [&](WarpId warp) { slots.push_back(warp); });
  return slots;
}

void append(std::ostream& out, const std::vector<WarpId>& queue) {
  out << '[';
  const char* separator = "";
  for (const WarpId warp : queue) {
    out << separator << warp;
    separator = " ";
  }
  out << ']';
}

}  // namespace

const Policy* find_policy(const SchedulerConfig& config) {
  const auto found = std::ranges::find_if(policies(), [&](const Policy& policy) {
    return policy.level == config.level && policy.name == config.policy;
  });
  return found == policies().end() ? nullptr : &*found;
}

std::optional<std::string> check_parameter(const SchedulerConfig& config, const std::string& name,
                                           unsigned value) {
  const Policy* policy = find_policy(config);
  if (policy == nullptr) return unknown(scheduler_name(config));
  std::string has;
  for (const PolicyParameter& parameter : policy->parameters) {
    if (parameter.name != name) {
      has += (has.empty() ? "" : ", ") + parameter.name;
      continue;
    }
    if (value >= parameter.smallest && value <= parameter.largest) return std::nullopt;
    return out_of_range("policy." + name, value, parameter.smallest,
                        std::to_string(parameter.largest));
  }
  return "scheduler " + scheduler_name(config) + " has no parameter '" + name + "'; it has " +
         (has.empty() ? "none" : has);
}

std::map<std::string, unsigned> policy_parameters(const SchedulerConfig& config) {
  const Policy* policy = find_policy(config);
  if (policy == nullptr) throw std::invalid_argument(unknown(scheduler_name(config)));
  std::map<std::string, unsigned> values = config.parameters;
  for (const PolicyParameter& parameter : policy->parameters) {
    values.emplace(parameter.name, parameter.standard);
  }
  return values;
}

std::string scheduler_name(const SchedulerConfig& config) {
  return name_of(config.level, config.policy);
}

std::optional<std::string> set_scheduler_name(SchedulerConfig& config, const std::string& name) {
  for (const Policy& policy : policies()) {
    if (name_of(policy.level, policy.name) == name) {
      if (scheduler_name(config) != name) config.parameters.clear();
      config.level = policy.level;
      config.policy = policy.name;
      return std::nullopt;
    }
  }
  return unknown(name);
}

std::optional<std::string> check(const SchedulerConfig& config) {
  if (find_policy(config) == nullptr) return unknown(scheduler_name(config));
  for (const SchedulerField& field : scheduler_fields()) {
    if (!has_field(config, field)) continue;
    const unsigned value = value_of(config, field);
    const bool ready = field.name == "ready";
    const unsigned high = ready ? config.warps : field.high;
    if (value < field.low || value > high) {
      return out_of_range(field.name, value, field.low,
                          std::to_string(high) + (ready ? " (warps)" : ""));
    }
  }
  if (auto wrong = check_fetch_groups(config)) return wrong;
  if (auto wrong = check_affinity(config)) return wrong;
  for (const auto& [name, value] : config.parameters) {
    if (auto wrong = check_parameter(config, name, value)) return wrong;
  }
  return std::nullopt;
}

std::vector<std::string> scheduler_names() {
  std::vector<std::string> names;
  for (const Policy& policy : policies()) names.push_back(name_of(policy.level, policy.name));
  return names;
}

std::vector<std::string> rtl_scheduler_names() {
  std::vector<std::string> names;
  for (const Policy& policy : policies()) {
    if (policy.in_rtl()) names.push_back(name_of(policy.level, policy.name));
  }
  return names;
}

bool has_rtl(const SchedulerConfig& config) {
  const Policy* policy = find_policy(config);
  return policy != nullptr && policy->in_rtl() && config.affinity == Affinity::none;
}

bool knows_lengths(const SchedulerConfig& config) {
  const Policy* policy = find_policy(config);
  return policy != nullptr && policy->reads.lengths;
}

bool knows_waits(const SchedulerConfig& config) {
  const Policy* policy = find_policy(config);
  return config.level == Level::two_level || (policy != nullptr && policy->reads.waits);
}

bool knows_groups(const SchedulerConfig& config) {
  const Policy* policy = find_policy(config);
  return policy != nullptr && policy->reads.groups;
}

bool knows_yields(const SchedulerConfig& config) {
  const Policy* policy = find_policy(config);
  return policy != nullptr && policy->reads.yields;
}

bool has_fetch_groups(const SchedulerConfig& config) {
  return config.level == Level::single && config.policy == "group";
}

bool has_order(const SchedulerConfig& config) {
  return config.level == Level::single && config.policy == "paws-ordered";
}

bool rests_after_issue(const SchedulerConfig& config) {
  return has_order(config) && config.compares == 1;
}

unsigned group_rows(const SchedulerConfig& config) { return std::bit_ceil(config.warps) / 2; }

std::string to_string(const QueueSnapshot& snapshot) {
  std::ostringstream out;
  out << "ready ";
  append(out, snapshot.ready);
  out << " active ";
  append(out, snapshot.active);
  out << " collector ";
  append(out, snapshot.collector);
  out << " pending ";
  append(out, slots_of(snapshot.pending));
  if (snapshot.due != 0) {
    out << " due ";
    append(out, slots_of(snapshot.due));
  }
  out << " last issued ";
  if (snapshot.last_issued) {
    out << *snapshot.last_issued;
  } else {
    out << "none";
  }
  if (snapshot.barred != 0) {
    out << " barred ";
    append(out, slots_of(snapshot.barred));
  }
  if (snapshot.group) {
    out << " group pair " << snapshot.group->pair << " row " << snapshot.group->row << ", the "
        << (snapshot.group->last_second ? "second" : "first") << " issued last";
  }
  if (snapshot.group_run != 0) out << " issues of its group " << snapshot.group_run;
  return out.str();
}

std::unique_ptr<Scheduler> make_model(const SchedulerConfig& config) {
  if (const auto wrong = check(config)) throw std::invalid_argument(*wrong);
  return find_policy(config)->make(config);
}

}  // namespace paws
