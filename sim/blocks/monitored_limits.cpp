// SPDX-License-Identifier: MIT
#include "sim/blocks/monitored_limits.h"

#include <algorithm>
#include <utility>

namespace paws {

void MonitoredLimits::begin(std::span<const LaunchBlocks> launches, std::uint64_t cycle) {
  const auto known = [this](const Launch& of) {
    return std::find_if(remembered_.begin(), remembered_.end(), [&of](const Launch& other) {
      return other.kernel == of.kernel && other.needs == of.needs;
    });
  };
  if (rules_.remember) {
    for (const Launch& of : launches_) {
      if (has_limits(of) && known(of) == remembered_.end()) remembered_.push_back(of);
    }
  }
  launches_.assign(launches.size(), {});
  for (std::uint32_t i = 0; i < launches.size(); ++i) {
    launches_[i].kernel = launches[i].kernel;
    launches_[i].needs = launches[i].needs;
    const auto found = known(launches_[i]);
    if (found != remembered_.end()) recall(launches_[i], *found, i, cycle);
  }
}

void MonitoredLimits::recall(Launch& of, const Launch& limits, std::uint32_t launch,
                             std::uint64_t cycle) {
  of.remembered = true;
  of.told = limits.told;
  of.all = limits.all;
  for (BlockLimit& limit : of.told) {
    limit.launch = launch;
    limit.cycle = cycle;
  }
  if (of.all) {
    of.all->launch = launch;
    of.all->cycle = cycle;
  }
}

void MonitoredLimits::gave(std::uint32_t core, std::uint32_t launch, std::uint64_t cycle) {
  Launch& of = launches_[launch];
  if (!of.first) of.first = core;
  of.begun.emplace(core, cycle);
}

void MonitoredLimits::monitored(const BlockScheduler::Monitored& found) {
  Launch& of = launches_[found.launch];
  if (of.remembered) return;
  of.told.push_back({found.launch, found.core, found.limit, found.cycle + latency_});
  if (rules_.scope == LimitScope::first_core && found.core == of.first) {
    of.all = of.told.back();
  } else if (rules_.scope == LimitScope::median) {
    of.all = median(of);
  }
}

std::optional<BlockLimit> MonitoredLimits::median(const Launch& of) const {
  std::vector<BlockLimit> sorted = of.told;
  std::sort(sorted.begin(), sorted.end(),
            [](const BlockLimit& a, const BlockLimit& b) { return a.cycle < b.cycle; });
  const std::uint64_t first_done = sorted.front().cycle - latency_;
  const auto counts = [&](std::uint32_t core) { return of.begun.at(core) < first_done; };
  std::erase_if(sorted, [&](const BlockLimit& limit) { return !counts(*limit.core); });
  const auto cores = std::count_if(of.begun.begin(), of.begun.end(),
                                   [&](const auto& core) { return counts(core.first); });
  if (sorted.size() != static_cast<std::size_t>(cores)) return std::nullopt;
  const std::uint64_t cycle = sorted.back().cycle;
  std::sort(sorted.begin(), sorted.end(),
            [](const BlockLimit& a, const BlockLimit& b) { return a.limit < b.limit; });
  return BlockLimit{sorted.front().launch, std::nullopt, sorted[(sorted.size() - 1) / 2].limit,
                    cycle};
}

std::optional<unsigned> MonitoredLimits::limit(std::uint32_t core, std::uint32_t launch,
                                               std::uint64_t cycle) const {
  const Launch& of = launches_[launch];
  if (rules_.scope != LimitScope::each_core) {
    if (of.all && of.all->cycle <= cycle) return of.all->limit;
    return std::nullopt;
  }
  for (const BlockLimit& own : of.told) {
    if (own.core == core && own.cycle <= cycle) return own.limit;
  }
  return std::nullopt;
}

std::vector<BlockLimit> MonitoredLimits::found() const {
  std::vector<BlockLimit> limits;
  for (const Launch& of : launches_) {
    if (rules_.scope == LimitScope::each_core) {
      limits.insert(limits.end(), of.told.begin(), of.told.end());
    } else if (of.all) {
      limits.push_back(*of.all);
    }
  }
  std::stable_sort(limits.begin(), limits.end(), [](const BlockLimit& a, const BlockLimit& b) {
    return std::pair(a.launch, a.core) < std::pair(b.launch, b.core);
  });
  return limits;
}

}  // namespace paws
