// SPDX-License-Identifier: MIT
#include "sim/cuda/sampling.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/stats/estimate.h"
#include "sim/support/error.h"

namespace paws::cuda {
namespace {

[[noreturn]] void fail_plan(const std::string& text) {
  throw InputError("--sample-launches " + text +
                   ": expected FIRST,EVERY, such as 4,10, with FIRST from " +
                   std::to_string(SamplePlan::kLeastFirst) + " and EVERY from 1 on");
}

/// Sums over points of instructions (x) and cycles (y).
struct Points {
  double number = 0, x = 0, y = 0;

  void add(const SampledLaunch& launch) {
    number += 1;
    x += static_cast<double>(launch.warp_instructions);
    y += static_cast<double>(launch.cycles);
  }
};

/// Fewer points lie too close to any line to show how far others do.
constexpr double kLeastForLine = 4;

LaunchKind kind_of(const nlohmann::json& launch) {
  LaunchKind kind;
  launch.at("kernel").get_to(kind.kernel);
  launch.at("grid").get_to(kind.grid);
  launch.at("block").get_to(kind.block);
  launch.at("dynamic_shared_bytes").get_to(kind.dynamic_shared);
  return kind;
}

}  // namespace

SamplePlan::SamplePlan(const std::string& text) : text_(text) {
  const char* const end = text.data() + text.size();
  const auto [comma, error] = std::from_chars(text.data(), end, first_);
  if (error != std::errc{} || comma == end || *comma != ',') fail_plan(text);
  const auto [last, wrong] = std::from_chars(comma + 1, end, every_);
  if (wrong != std::errc{} || last != end || first_ < kLeastFirst || every_ == 0) fail_plan(text);
}

CyclesEstimate estimate(const std::vector<SampledLaunch>& launches) {
  CyclesEstimate result;
  result.launches = launches.size();
  Points samples;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    if (!launches[i].timed) continue;
    ++result.timed;
    result.timed_cycles += launches[i].cycles;
    if (i > 0) samples.add(launches[i]);
  }
  result.cycles = static_cast<double>(result.timed_cycles);
  if (result.timed == result.launches) return result;
  const double mean_x = samples.x / samples.number;
  const double mean_y = samples.y / samples.number;
  // Squares and products of the samples' distances from the mean; distances of the untimed.
  double xx = 0;
  double xy = 0;
  double yy = 0;
  double untimed = 0;
  double untimed_x = 0;
  for (std::size_t i = 0; i < launches.size(); ++i) {
    const double x = static_cast<double>(launches[i].warp_instructions) - mean_x;
    if (!launches[i].timed) {
      untimed += 1;
      untimed_x += x;
    } else if (i > 0) {
      const double y = static_cast<double>(launches[i].cycles) - mean_y;
      xx += x * x;
      xy += x * y;
      yy += y * y;
    }
  }
  const bool line = xx > 0 && samples.number >= kLeastForLine;
  result.cycles += untimed * mean_y;
  double variance = untimed + untimed * untimed / samples.number;
  double freedom = samples.number - 1;
  double residual = yy;
  if (line) {
    result.cycles += untimed_x * xy / xx;
    variance += untimed_x * untimed_x / xx;
    freedom -= 1;
    residual = std::max(0.0, yy - xy * xy / xx);
  }
  result.bound = student_quantile(static_cast<std::size_t>(freedom)) *
                 std::sqrt(residual / freedom * variance);
  return result;
}

CyclesEstimate operator+(const CyclesEstimate& one, const CyclesEstimate& other) {
  return {one.launches + other.launches, one.timed + other.timed,
          one.timed_cycles + other.timed_cycles, one.cycles + other.cycles,
          std::hypot(one.bound, other.bound)};
}

SampledKinds::SampledKinds(const std::vector<nlohmann::json>& launches) {
  std::map<LaunchKind, std::size_t> places;
  std::vector<std::vector<SampledLaunch>> sampled;
  for (const nlohmann::json& launch : launches) {
    const auto [found, added] = places.try_emplace(kind_of(launch), sampled.size());
    if (added) {
      sampled.emplace_back();
      kinds.emplace_back(found->first, CyclesEstimate{});
    }
    const bool timed = launch.at("timed").get<bool>();
    sampled[found->second].push_back({timed, timed ? launch.at("cycles").get<std::uint64_t>() : 0,
                                      launch.at("warp_instructions").get<std::uint64_t>()});
  }
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    kinds[i].second = estimate(sampled[i]);
    all = all + kinds[i].second;
  }
}

void LaunchSampler::timed(const LaunchKind& kind, std::uint64_t cycles) {
  Kind& sum = kinds_[kind];
  ++sum.timed;
  sum.cycles += cycles;
}

double LaunchSampler::mean(const LaunchKind& kind) const {
  const Kind& sum = kinds_.at(kind);
  return static_cast<double>(sum.cycles) / static_cast<double>(sum.timed);
}

}  // namespace paws::cuda
