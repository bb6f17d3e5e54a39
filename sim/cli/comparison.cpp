// SPDX-License-Identifier: MIT
#include "sim/cli/comparison.h"

#include <fmt/format.h>

#include <set>

#include "sim/run/result_fields.h"

namespace paws::cli {
namespace {

/// The same workload and perturbation under RR of the same level; nullptr when that has no result.
const Outcome* round_robin_of(const std::vector<Outcome>& outcomes, const Outcome& outcome) {
  const std::string rr = round_robin_of_level(outcome.result.scheduler);
  for (const Outcome& other : outcomes) {
    if (!other.failure && other.result.workload == outcome.result.workload &&
        other.result.scheduler == rr && other.noise_seed == outcome.noise_seed) {
      return &other;
    }
  }
  return nullptr;
}

/// Whether a simulation that has failed has this field.
bool is_of_a_failure(const std::string& name) {
  static const std::set<std::string> names{"workload",  "gpu",    "version",         "commit",
                                           "settings",  "size",   "defines",         "seed",
                                           "scheduler", "engine", "block_scheduler", "throttle"};
  return names.contains(name);
}

}  // namespace

std::string round_robin_of_level(const std::string& scheduler) {
  return scheduler.substr(0, scheduler.find(':')) + ":rr";
}

std::optional<double> speed_relative_to_rr(const std::vector<Outcome>& outcomes,
                                           const Outcome& outcome) {
  if (outcome.failure || outcome.result.statistics.cycles == 0) return std::nullopt;
  const Outcome* rr = round_robin_of(outcomes, outcome);
  if (rr == nullptr) return std::nullopt;
  return static_cast<double>(rr->result.statistics.cycles) /
         static_cast<double>(outcome.result.statistics.cycles);
}

nlohmann::json to_json(const std::vector<Outcome>& outcomes) {
  nlohmann::json list = nlohmann::json::array();
  for (const Outcome& outcome : outcomes) {
    nlohmann::json entry;
    if (outcome.failure) {
      for (const RunField& field : run_fields()) {
        if (is_of_a_failure(field.name)) entry[field.name] = field.value(outcome.result);
      }
      entry["speed_vs_rr"] = nullptr;
      entry["failure"] = outcome.failure->cause;
    } else {
      entry = paws::to_json(outcome.result);
      const std::optional<double> speed = speed_relative_to_rr(outcomes, outcome);
      entry["speed_vs_rr"] = speed ? nlohmann::json(*speed) : nlohmann::json(nullptr);
      entry["failure"] = nullptr;
    }
    entry["noise_seed"] = outcome.noise_seed;
    list.push_back(std::move(entry));
  }
  return list;
}

std::string to_csv(const std::vector<Outcome>& outcomes) {
  std::string text;
  for (const Outcome& outcome : outcomes) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    const auto add = [&](const std::string& name, const std::string& value) {
      names.push_back(name);
      values.push_back(csv_field(value));
    };
    for (const auto& [name, value] : to_columns(outcome.result)) {
      add(name, outcome.failure && !is_of_a_failure(name) ? "" : value);
    }
    add("noise_seed", std::to_string(outcome.noise_seed));
    const std::optional<double> speed = speed_relative_to_rr(outcomes, outcome);
    add("speed_vs_rr", speed ? nlohmann::json(*speed).dump() : "");
    add("failure", outcome.failure ? outcome.failure->cause : "");
    if (text.empty()) text = fmt::format("{}\n", fmt::join(names, ","));
    text += fmt::format("{}\n", fmt::join(values, ","));
  }
  return text;
}

}  // namespace paws::cli
