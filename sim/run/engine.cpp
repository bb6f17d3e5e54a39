// SPDX-License-Identifier: MIT
#include "sim/run/engine.h"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "engine/block_monitor/rtl_block_monitor.h"
#include "engine/large_warp/rtl_branch_masks.h"
#include "engine/large_warp/rtl_subwarp_packer.h"
#include "engine/lockstep/block_monitor_lockstep.h"
#include "engine/lockstep/branch_masks_lockstep.h"
#include "engine/lockstep/lockstep.h"
#include "engine/lockstep/subwarp_packer_lockstep.h"
#include "engine/rtl_engine.h"
#include "sim/support/error.h"

namespace paws {
namespace {

void check_engine(const std::string& engine) {
  if (engine == "rtl" || engine == "model" || engine == "lockstep") return;
  throw InputError(
      fmt::format("unknown engine '{}' (engines: {})", engine, fmt::join(engine_names(), ", ")));
}

/// Makes engines of a kind other than schedulers.
template <typename Engine, typename Config>
using Factory = std::function<std::unique_ptr<Engine>(const Config&)>;

/// The factory of `engine`, of the three. A configuration without RTL is an InputError.
template <typename Engine, typename Config>
Factory<Engine, Config> factory(const std::string& engine, Factory<Engine, Config> model,
                                Factory<Engine, Config> rtl, Factory<Engine, Config> lockstep) {
  check_engine(engine);
  if (engine == "model") return model;
  return [make = engine == "rtl" ? std::move(rtl) : std::move(lockstep)](const Config& config) {
    try {
      return make(config);
    } catch (const std::invalid_argument& error) {
      throw InputError(fmt::format("{}: use --engine model", error.what()));
    }
  };
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
  if (scheduler.affinity != Affinity::none) {
    throw InputError(
        fmt::format("scheduler.affinity is {}: thread-block affinity lives in the model alone: use "
                    "--engine model",
                    name_of(scheduler.affinity)));
  }
  if (!has_rtl(scheduler)) {
    throw InputError(fmt::format("scheduler '{}' lives in the model alone: use --engine model",
                                 scheduler_name(scheduler)));
  }
  if (engine == "rtl") return [](const SchedulerConfig& config) { return make_rtl(config); };
  return [reproduce](const SchedulerConfig& config) { return make_lockstep(config, reproduce); };
}

std::function<std::unique_ptr<BlockMonitor>(const BlockMonitorConfig&)> block_monitor_factory(
    const std::string& engine, const std::string& reproduce) {
  return factory<BlockMonitor, BlockMonitorConfig>(
      engine, make_block_monitor,
      [](const BlockMonitorConfig& config) { return make_rtl_block_monitor(config); },
      [reproduce](const BlockMonitorConfig& config) {
        return make_block_monitor_lockstep(config, reproduce);
      });
}

core::SubwarpPackerFactory subwarp_packer_factory(const std::string& engine,
                                                  const std::string& reproduce) {
  return factory<SubwarpPacker, SubwarpPackerConfig>(
      engine, make_subwarp_packer,
      [](const SubwarpPackerConfig& config) { return make_rtl_subwarp_packer(config); },
      [reproduce](const SubwarpPackerConfig& config) {
        return make_subwarp_packer_lockstep(config, reproduce);
      });
}

core::BranchMasksFactory branch_masks_factory(const std::string& engine,
                                              const std::string& reproduce) {
  return factory<BranchMasks, BranchMasksConfig>(
      engine, make_branch_masks,
      [](const BranchMasksConfig& config) { return make_rtl_branch_masks(config); },
      [reproduce](const BranchMasksConfig& config) {
        return make_branch_masks_lockstep(config, reproduce);
      });
}

}  // namespace paws
