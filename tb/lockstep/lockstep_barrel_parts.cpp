// SPDX-License-Identifier: MIT
// The parts of the barrel host with the RTL beside the golden models, compared in every cycle.
#include <stdexcept>
#include <string>

#include "engine/engine_registry.h"
#include "engine/large_warp/rtl_branch_masks.h"
#include "engine/large_warp/rtl_subwarp_packer.h"
#include "engine/lockstep/branch_masks_lockstep.h"
#include "engine/lockstep/lockstep.h"
#include "engine/lockstep/subwarp_packer_lockstep.h"
#include "tb/model/barrel_host.h"

namespace paws::test {
namespace {

const char* const kReproduce = "the same test";

std::unique_ptr<Scheduler> scheduler_in_lockstep(SchedulerConfig config) {
  for (const auto engines : {standard_engines(), matrix_engines()}) {
    for (const BuiltEngine& engine : engines) {
      config.phase_bits = engine.parameters.phase_bits;  // the barrel has no phases
      if (!engine.parameters.checked || !serves(engine.parameters, config)) continue;
      return make_lockstep(make_model(config), make_engine(engine, config), kReproduce);
    }
  }
  throw std::invalid_argument("engine/matrix.cmake has no engine for " + scheduler_name(config) +
                              " of " + std::to_string(config.warps) + " slots in groups of " +
                              std::to_string(config.group));
}

/// The checked engine of `config`.
template <typename Engines, typename Config>
auto checked_engine(const Engines& standard, const Engines& matrix, const Config& config) {
  for (const auto engines : {standard, matrix}) {
    for (const auto& engine : engines) {
      if (engine.checked && engine.config == config) return engine.create();
    }
  }
  throw std::invalid_argument("engine/large_warp has no engine of " + std::to_string(config.lanes) +
                              " lanes and " + std::to_string(config.rows) + " rows");
}

}  // namespace

BarrelHost::Parts barrel_parts(const SchedulerConfig& scheduler,
                               const SubwarpPackerConfig& packer) {
  const BranchMasksConfig masks{.lanes = packer.lanes, .rows = packer.rows};
  return {.scheduler = scheduler_in_lockstep(scheduler),
          .packer = make_subwarp_packer_lockstep(
              packer, make_subwarp_packer(packer),
              std::unique_ptr<SubwarpPacker>(
                  checked_engine(standard_subwarp_packers(), matrix_subwarp_packers(), packer)),
              kReproduce),
          .masks = make_branch_masks_lockstep(
              masks, make_branch_masks(masks),
              std::unique_ptr<BranchMasks>(
                  checked_engine(standard_branch_masks(), matrix_branch_masks(), masks)),
              kReproduce)};
}

}  // namespace paws::test
