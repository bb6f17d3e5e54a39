// SPDX-License-Identifier: MIT
#include "sim/launch/workload.h"

namespace paws {
namespace {

void collect(const std::vector<Step>& steps, std::set<std::string>& names) {
  for (const Step& step : steps) {
    if (const auto* launch = std::get_if<Launch>(&step.action)) names.insert(launch->kernel);
    if (const auto* repeat = std::get_if<Repeat>(&step.action)) collect(repeat->steps, names);
    if (const auto* until = std::get_if<UntilClear>(&step.action)) collect(until->steps, names);
  }
}

}  // namespace

std::set<std::string> launched_kernels(const Workload& workload) {
  std::set<std::string> names;
  collect(workload.steps, names);
  return names;
}

}  // namespace paws
