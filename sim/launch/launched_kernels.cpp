// SPDX-License-Identifier: MIT
#include "sim/launch/workload.h"

namespace paws {
namespace {

void collect(const std::vector<Step>& steps, std::size_t module, std::set<std::string>& names) {
  for (const Step& step : steps) {
    if (const auto* launch = std::get_if<Launch>(&step.action)) {
      if (launch->module.value_or(module) == module) names.insert(launch->kernel);
    } else if (const auto* repeat = std::get_if<Repeat>(&step.action)) {
      collect(repeat->steps, module, names);
    } else if (const auto* until = std::get_if<UntilClear>(&step.action)) {
      collect(until->steps, module, names);
    }
  }
}

}  // namespace

std::set<std::string> launched_kernels(const Workload& workload, std::size_t module) {
  std::set<std::string> names;
  collect(workload.steps, module, names);
  return names;
}

}  // namespace paws
