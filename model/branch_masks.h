// SPDX-License-Identifier: MIT
// The branch buffers of a core with large warps: gather the outcomes of a branch from its sub-warps
// until all are known (Narasiman et al., MICRO 2011, section 3.1.1).
#pragma once

#include <memory>

#include "model/large_warp.h"

namespace paws {

struct BranchMasksConfig {
  unsigned lanes = 32;   ///< 1 to 32
  unsigned rows = 8;     ///< 1 to 32
  unsigned buffers = 2;  ///< 2: taken and fall-through; 1: taken, the other from the active threads
  bool operator==(const BranchMasksConfig&) const = default;
};

/// One cycle: a sub-warp of a branch leaves the back end, or nothing does.
struct BranchMasksInputs {
  bool valid = false;
  bool last = false;   ///< of its large warp; in every cycle without `valid` it is false
  LaneBits mask = 0;   ///< lanes of the sub-warp: promised not to be empty
  LaneRows row{};      ///< of each lane's thread
  LaneBits taken = 0;  ///< lanes of `mask` that take the branch
  /// Of the large warp, in the cycle of `last`: promised to be the threads of all its sub-warps,
  /// each of which is in one of them.
  LargeWarpMask active{};
  bool operator==(const BranchMasksInputs&) const = default;
};

/// Of a cycle with `last`, that sub-warp included; else nothing.
struct BranchMasksOutputs {
  LargeWarpMask taken{};
  LargeWarpMask fall{};   ///< the other active threads
  bool diverged = false;  ///< neither is empty
  bool operator==(const BranchMasksOutputs&) const = default;
};

/// A cycle is decide(), which may be repeated with other inputs, followed by commit(), the clock
/// edge, which uses the inputs of the last decide(). The sub-warps of one branch come one after the
/// other, those of two branches never mixed. After `last` the buffers are empty.
class BranchMasks {
 public:
  virtual ~BranchMasks() = default;
  virtual void reset() = 0;  ///< the buffers are empty
  virtual BranchMasksOutputs decide(const BranchMasksInputs& inputs) = 0;
  virtual void commit() = 0;
};

/// The golden model. Throws std::logic_error for a configuration that cannot be.
std::unique_ptr<BranchMasks> make_branch_masks(const BranchMasksConfig& config);

}  // namespace paws
