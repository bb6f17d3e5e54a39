// SPDX-License-Identifier: MIT
#include "sim/run/engine.h"

#include <fmt/format.h>

#include <stdexcept>

#include "engine/block_monitor/rtl_block_monitor.h"
#include "engine/lockstep/block_monitor_lockstep.h"
#include "engine/lockstep/lockstep.h"
#include "engine/rtl_engine.h"
#include "sim/support/error.h"

namespace paws {
namespace {

void check_engine(const std::string& engine) {
  if (engine == "rtl" || engine == "model" || engine == "lockstep") return;
  throw InputError(
      fmt::format("unknown engine '{}' (engines: {})", engine, fmt::join(engine_names(), ", ")));
}

}  // namespace

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> names{"rtl", "model", "lockstep"};
  return names;
}

core::SchedulerFactory engine_factory(const std::string& engine, const SchedulerConfig& scheduler,
                                      const std::string& reproduce) {
  check_engine(engine);
  if (engine == "model") return [](const SchedulerConfig& config) { return make_model(config); };
  if (!has_rtl(scheduler)) {
    throw InputError(fmt::format("scheduler '{}' lives in the model alone: use --engine model",
                                 scheduler_name(scheduler)));
  }
  if (engine == "rtl") return [](const SchedulerConfig& config) { return make_rtl(config); };
  return [reproduce](const SchedulerConfig& config) { return make_lockstep(config, reproduce); };
}

std::function<std::unique_ptr<BlockMonitor>(const BlockMonitorConfig&)> block_monitor_factory(
    const std::string& engine, const std::string& reproduce) {
  check_engine(engine);
  if (engine == "model") return make_block_monitor;
  return [engine, reproduce](const BlockMonitorConfig& config) {
    try {
      return engine == "rtl" ? make_rtl_block_monitor(config)
                             : make_block_monitor_lockstep(config, reproduce);
    } catch (const std::invalid_argument& error) {
      throw InputError(fmt::format("{}: use --engine model", error.what()));
    }
  };
}

}  // namespace paws
