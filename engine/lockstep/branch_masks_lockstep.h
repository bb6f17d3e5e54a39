// SPDX-License-Identifier: MIT
// Two branch masks at once, compared in every cycle.
#pragma once

#include <memory>
#include <string>

#include "model/branch_masks.h"

namespace paws {

/// The golden model beside the RTL with contract assertions; what the simulator runs. decide()
/// throws LockstepMismatch (lockstep.h) if the outputs differ, commit() ContractViolation
/// (rtl_engine.h) if the host broke a promise. Both show the cycle and its inputs, and end with
/// `seed_text`: what it takes to reproduce the run. Throws std::invalid_argument for a
/// configuration without RTL.
std::unique_ptr<BranchMasks> make_branch_masks_lockstep(const BranchMasksConfig& config,
                                                        const std::string& seed_text);

/// Any two branch masks of `config`; outputs are those of `reference`.
std::unique_ptr<BranchMasks> make_branch_masks_lockstep(const BranchMasksConfig& config,
                                                        std::unique_ptr<BranchMasks> reference,
                                                        std::unique_ptr<BranchMasks> subject,
                                                        const std::string& seed_text);

}  // namespace paws
