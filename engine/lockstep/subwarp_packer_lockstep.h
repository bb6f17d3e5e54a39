// SPDX-License-Identifier: MIT
// Two sub-warp packers at once, compared in every cycle.
#pragma once

#include <memory>
#include <string>

#include "model/subwarp_packer.h"

namespace paws {

/// The golden model beside the RTL with contract assertions; what the simulator runs. decide()
/// throws LockstepMismatch (lockstep.h) if the outputs differ, commit() ContractViolation
/// (rtl_engine.h) if the host broke a promise. Both show the cycle and its inputs, and end with
/// `seed_text`: what it takes to reproduce the run. Throws std::invalid_argument for a
/// configuration without RTL.
std::unique_ptr<SubwarpPacker> make_subwarp_packer_lockstep(const SubwarpPackerConfig& config,
                                                            const std::string& seed_text);

/// Any two sub-warp packers of `config`; outputs are those of `reference`.
std::unique_ptr<SubwarpPacker> make_subwarp_packer_lockstep(
    const SubwarpPackerConfig& config, std::unique_ptr<SubwarpPacker> reference,
    std::unique_ptr<SubwarpPacker> subject, const std::string& seed_text);

}  // namespace paws
