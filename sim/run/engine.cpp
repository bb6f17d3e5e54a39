// SPDX-License-Identifier: MIT
#include "sim/run/engine.h"

#include <fmt/format.h>

#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "sim/support/error.h"

namespace paws {

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{"rtl", "model", "lockstep"};
  return names;
}

core::SchedulerFactory engine_factory(const std::string& engine, const SchedulerConfig& scheduler,
                                      const std::string& reproduce) {
  if (engine == "model") return [](const SchedulerConfig& config) { return make_model(config); };
  if (engine != "rtl" && engine != "lockstep") {
    throw InputError(
        fmt::format("unknown engine '{}' (engines: {})", engine, fmt::join(engine_names(), ", ")));
  }
  if (!has_rtl(scheduler)) {
    throw InputError(fmt::format("scheduler '{}' lives in the model alone: use --engine model",
                                 scheduler_name(scheduler)));
  }
  if (engine == "rtl") return [](const SchedulerConfig& config) { return make_rtl(config); };
  return [reproduce](const SchedulerConfig& config) { return make_lockstep(config, reproduce); };
}

}  // namespace paws
