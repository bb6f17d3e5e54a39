// SPDX-License-Identifier: MIT
#include <algorithm>

#include "sim/launch/workload.h"
#include "sim/support/error.h"

namespace paws {
namespace {

/// Calls `apply` for every launch that may be of a kernel of the module.
template <typename Function>
void for_each_launch(const std::vector<Step>& steps, std::size_t module, const Function& apply) {
  for (const Step& step : steps) {
    if (const auto* launch = std::get_if<LaunchStep>(&step.action)) {
      if (launch->module.value_or(module) == module) apply(*launch);
    } else if (const auto* together = std::get_if<Concurrent>(&step.action)) {
      for (const Concurrent::Launch& each : together->launches) {
        if (each.launch.module.value_or(module) == module) apply(each.launch);
      }
    } else if (const auto* repeat = std::get_if<Repeat>(&step.action)) {
      for_each_launch(repeat->steps, module, apply);
    } else if (const auto* until = std::get_if<UntilClear>(&step.action)) {
      for_each_launch(until->steps, module, apply);
    }
  }
}

/// Threads of the launch's block; 0 when the sizes do not decide it, or it cannot be: the run says
/// so, if it comes to the launch.
std::uint64_t block_threads(const LaunchStep& launch, const Variables& sizes) {
  std::uint64_t threads = 1;
  try {
    for (const Expression& size : launch.block) {
      constexpr auto kMost = static_cast<std::int64_t>(kMaxBlockThreads);
      threads *= static_cast<std::uint64_t>(size.evaluate(sizes, "block", 1, kMost));
    }
  } catch (const InputError&) {
    return 0;
  }
  return threads <= kMaxBlockThreads ? threads : 0;
}

}  // namespace

std::set<std::string> launched_kernels(const Workload& workload, std::size_t module) {
  std::set<std::string> names;
  for_each_launch(workload.steps, module,
                  [&names](const LaunchStep& launch) { names.insert(launch.kernel); });
  return names;
}

std::map<std::string, std::uint64_t> largest_blocks(const Workload& workload, std::size_t module) {
  std::map<std::string, std::uint64_t> largest;
  for_each_launch(workload.steps, module, [&](const LaunchStep& launch) {
    std::uint64_t& threads = largest[launch.kernel];
    threads = std::max(threads, block_threads(launch, workload.variables));
  });
  return largest;
}

}  // namespace paws
