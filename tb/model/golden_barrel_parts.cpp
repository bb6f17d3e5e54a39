// SPDX-License-Identifier: MIT
#include "tb/model/barrel_host.h"

namespace paws::test {

BarrelHost::Parts barrel_parts(const SchedulerConfig& scheduler,
                               const SubwarpPackerConfig& packer) {
  return {.scheduler = make_model(scheduler),
          .packer = make_subwarp_packer(packer),
          .masks = make_branch_masks({.lanes = packer.lanes, .rows = packer.rows})};
}

}  // namespace paws::test
