// SPDX-License-Identifier: MIT
// The netlists that Yosys makes of the sub-warp packer and the branch masks, in lockstep with the
// golden models under random hosts.
#include <gtest/gtest.h>

#include <cstdint>
#include <iostream>
#include <memory>
#include <string>

#include "engine/large_warp/rtl_branch_masks.h"
#include "engine/large_warp/rtl_subwarp_packer.h"
#include "engine/lockstep/branch_masks_lockstep.h"
#include "engine/lockstep/subwarp_packer_lockstep.h"
#include "tb/random/branch_masks_host.h"
#include "tb/random/drive.h"
#include "tb/random/subwarp_packer_host.h"

namespace paws {
namespace {

constexpr std::uint64_t kCycles = 20'000;

TEST(LargeWarpNetlists, OfPackersAgreeInEveryCycle) {
  const RunLength run = run_length(kCycles);
  const std::string reproduce = reproduce_text(run, "build/tb/netlist/large_warp_netlist_test");
  std::cout << reproduce << '\n';
  ASSERT_FALSE(netlist_subwarp_packers().empty());
  for (const BuiltSubwarpPacker& netlist : netlist_subwarp_packers()) {
    const std::string name = text_of(netlist.config);
    const auto lockstep =
        make_subwarp_packer_lockstep(netlist.config, make_subwarp_packer(netlist.config),
                                     std::unique_ptr<SubwarpPacker>(netlist.create()), reproduce);
    SubwarpPackerHost host(netlist.config, derive_seed(run.seed, name, 0));
    for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
      const SubwarpPackerInputs inputs = host.inputs();
      host.see(inputs, lockstep->decide(inputs));
      lockstep->commit();
    }
  }
}

TEST(LargeWarpNetlists, OfBranchMasksAgreeInEveryCycle) {
  const RunLength run = run_length(kCycles);
  const std::string reproduce = reproduce_text(run, "build/tb/netlist/large_warp_netlist_test");
  std::cout << reproduce << '\n';
  ASSERT_FALSE(netlist_branch_masks().empty());
  for (const BuiltBranchMasks& netlist : netlist_branch_masks()) {
    const std::string name = text_of(netlist.config);
    const auto lockstep =
        make_branch_masks_lockstep(netlist.config, make_branch_masks(netlist.config),
                                   std::unique_ptr<BranchMasks>(netlist.create()), reproduce);
    BranchMasksHost host(netlist.config, derive_seed(run.seed, name, 0));
    for (std::uint64_t cycle = 0; cycle < run.cycles; ++cycle) {
      const BranchMasksInputs inputs = host.inputs();
      host.see(inputs, lockstep->decide(inputs));
      lockstep->commit();
    }
  }
}

}  // namespace
}  // namespace paws
