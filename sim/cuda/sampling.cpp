// SPDX-License-Identifier: MIT
#include "sim/cuda/sampling.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "sim/stats/estimate.h"
#include "sim/support/error.h"
#include "sim/support/random.h"

namespace paws::cuda {
namespace {

[[noreturn]] void fail_plan(const std::string& text, const std::string& option) {
  throw InputError(option + " " + text + ": expected FIRST,EVERY, such as 4,10, with FIRST from " +
                   std::to_string(SamplePlan::kLeastFirst) + " and EVERY from 1 on");
}

/// With fewer samples, the first launches of a kind are taken for samples, too.
constexpr std::size_t kEnoughSamples = 8;
/// Fewer points lie too close to any line to show how far others do.
constexpr std::size_t kLeastForLine = 4;

struct Point {
  double instructions = 0, cycles = 0;
};

Point point(const SampledLaunch& launch) {
  return {static_cast<double>(launch.warp_instructions), static_cast<double>(launch.cycles)};
}

LaunchKind kind_of(const nlohmann::json& launch) {
  LaunchKind kind;
  launch.at("kernel").get_to(kind.kernel);
  launch.at("grid").get_to(kind.grid);
  launch.at("block").get_to(kind.block);
  launch.at("dynamic_shared_bytes").get_to(kind.dynamic_shared);
  return kind;
}

}  // namespace

SamplePlan::SamplePlan(const std::string& text, const char* option) : text_(text) {
  const char* const end = text.data() + text.size();
  const auto [comma, error] = std::from_chars(text.data(), end, first_);
  if (error != std::errc{} || comma == end || *comma != ',') fail_plan(text, option);
  const auto [last, wrong] = std::from_chars(comma + 1, end, every_);
  if (wrong != std::errc{} || last != end || first_ < kLeastFirst || every_ == 0)
    fail_plan(text, option);
}

bool SamplePlan::is_sample(std::uint64_t number) const {
  if (is_first(number)) return false;
  const std::uint64_t behind = number - first_ - 1;
  return behind % every_ == scramble(behind / every_) % every_;
}

CyclesEstimate estimate(const std::vector<SampledLaunch>& launches, const SamplePlan& plan) {
  CyclesEstimate result;
  std::vector<Point> samples;
  std::vector<Point> first;      // behind the very first
  std::vector<Point> predicted;  // their cycles do not count
  for (const SampledLaunch& launch : launches) {
    const std::uint64_t number = ++result.launches;
    if (launch.timed) {
      ++result.timed;
      result.timed_cycles += launch.cycles;
    }
    if (plan.is_sample(number)) {
      samples.push_back(point(launch));
    } else if (!plan.is_first(number)) {
      predicted.push_back(point(launch));
      continue;
    } else if (number > 1) {
      first.push_back(point(launch));
    }
    result.cycles += static_cast<double>(launch.cycles);
  }
  if (result.timed == result.launches) {
    result.cycles = static_cast<double>(result.timed_cycles);
    return result;
  }
  if (samples.size() < kEnoughSamples) samples.insert(samples.end(), first.begin(), first.end());
  const auto number = static_cast<double>(samples.size());
  Point mean;
  for (const Point& sample : samples) {
    mean.instructions += sample.instructions / number;
    mean.cycles += sample.cycles / number;
  }
  // Squares and products of the distances from the mean.
  double xx = 0;
  double xy = 0;
  double yy = 0;
  for (const Point& sample : samples) {
    const double x = sample.instructions - mean.instructions;
    const double y = sample.cycles - mean.cycles;
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  // Of equal numbers the mean may differ by a rounding, which would make a line of them.
  const bool differ = std::any_of(samples.begin(), samples.end(), [&](const Point& sample) {
    return sample.instructions != samples.front().instructions;
  });
  double distance = 0;
  for (const Point& launch : predicted) distance += launch.instructions - mean.instructions;
  const auto others = static_cast<double>(predicted.size());
  result.cycles += others * mean.cycles;
  double variance = others + others * others / number;
  std::size_t freedom = samples.size() - 1;
  if (differ && samples.size() >= kLeastForLine) {
    result.cycles += distance * xy / xx;
    variance += distance * distance / xx;
    freedom -= 1;
    yy = std::max(0.0, yy - xy * xy / xx);
  } else if (mean.instructions > 0) {
    const double half = distance * mean.cycles / mean.instructions / 2;
    result.cycles += half;
    result.bound += std::abs(half);
  }
  result.bound +=
      student_quantile(freedom) * std::sqrt(yy / static_cast<double>(freedom) * variance);
  return result;
}

CyclesEstimate estimate_waves(const std::vector<Wave>& waves, const SamplePlan& plan) {
  std::vector<SampledLaunch> front;
  front.reserve(waves.size());
  for (const Wave& wave : waves) front.push_back({wave.timed, wave.cycles, wave.warp_instructions});
  const std::uint64_t last = front.back().cycles;
  front.pop_back();
  Point samples;
  Point warming;
  double predicted = 0;  // instructions
  for (std::size_t i = 0; i < front.size(); ++i) {
    const Point wave = point(front[i]);
    if (plan.is_first(i + 1)) continue;
    const bool sample = plan.is_sample(i + 1);
    if (!sample) predicted += wave.instructions;
    if (!sample && !(front[i].timed && !front[i - 1].timed)) continue;
    Point& sum = sample ? samples : warming;
    sum.instructions += wave.instructions;
    sum.cycles += wave.cycles;
  }
  CyclesEstimate result =
      estimate(front, plan) + CyclesEstimate{1, 1, last, static_cast<double>(last), 0};
  if (samples.instructions > 0 && warming.instructions > 0) {
    result.bound += predicted * std::abs(warming.cycles / warming.instructions -
                                         samples.cycles / samples.instructions);
  }
  return result;
}

std::string why_whole(const ir::Kernel& kernel, std::uint64_t waves, const SamplePlan& plan) {
  if (waves < plan.fewest_waves()) {
    return "it has " + std::to_string(waves) + " waves of blocks, fewer than " +
           std::to_string(plan.fewest_waves());
  }
  if (kernel.cooperative) return "its blocks wait for each other: it is a cooperative launch";
  for (const ir::Instruction& instruction : kernel.code) {
    const bool anywhere =
        instruction.space == ir::Space::global || instruction.space == ir::Space::generic;
    const auto there = [&](const std::string& why) {
      return why + " (" + kernel.file + ":" + std::to_string(instruction.line) + ")";
    };
    if (instruction.op == ir::Op::membar ||
        (anywhere && (instruction.orders || instruction.volatile_access))) {
      return there("its blocks may wait for each other: it orders accesses to memory");
    }
    if (instruction.op == ir::Op::copy_bulk) return there("it copies in bulk");
    const bool clock =
        std::any_of(instruction.src.begin(), instruction.src.end(), [](const ir::Operand& source) {
          return source.kind == ir::Operand::Kind::special &&
                 (source.special == ir::Special::clock || source.special == ir::Special::clock_hi ||
                  source.special == ir::Special::clock64 ||
                  source.special == ir::Special::globaltimer);
        });
    if (clock) return there("it reads a clock");
  }
  return "";
}

CyclesEstimate operator+(const CyclesEstimate& one, const CyclesEstimate& other) {
  return {one.launches + other.launches, one.timed + other.timed,
          one.timed_cycles + other.timed_cycles, one.cycles + other.cycles,
          std::hypot(one.bound, other.bound)};
}

SampledKinds::SampledKinds(const std::vector<nlohmann::json>& launches, const SamplePlan& plan) {
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
    kinds[i].second = estimate(sampled[i], plan);
    all = all + kinds[i].second;
  }
}

SampledBlockKinds::SampledBlockKinds(const std::vector<nlohmann::json>& launches) {
  std::map<LaunchKind, std::size_t> places;
  for (const nlohmann::json& launch : launches) {
    if (!launch.at("timed").get<bool>()) continue;
    const auto [found, added] = places.try_emplace(kind_of(launch), kinds.size());
    if (added) kinds.push_back({found->first, {}, {}});
    Kind& kind = kinds[found->second];
    CyclesEstimate& sum = kind.estimate;
    const auto cycles = launch.at("cycles").get<std::uint64_t>();
    sum.timed_cycles += cycles;
    if (launch.contains("whole")) {
      launch["whole"].get_to(kind.whole);
      sum.cycles += static_cast<double>(cycles);
      continue;
    }
    const nlohmann::json& sampled = launch.at("sampled");
    sum.launches += sampled.at("waves").get<std::uint64_t>();
    sum.timed += sampled.at("timed").get<std::uint64_t>();
    sum.cycles += sampled.at("cycles").get<double>();
    sum.bound += sampled.at("bound").get<double>();
  }
  for (const Kind& kind : kinds) all = all + kind.estimate;
}

void LaunchSampler::timed(const LaunchKind& kind, std::uint64_t cycles) {
  Kind& sum = kinds_[kind];
  if (sum.launches == 1) return;
  ++sum.timed;
  sum.cycles += cycles;
}

double LaunchSampler::mean(const LaunchKind& kind) const {
  const Kind& sum = kinds_.at(kind);
  return static_cast<double>(sum.cycles) / static_cast<double>(sum.timed);
}

}  // namespace paws::cuda
