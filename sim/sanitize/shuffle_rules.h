// SPDX-License-Identifier: MIT
// Which shuffles have no defined result (CUDA C++ Programming Guide, "Warp Shuffle Functions"; PTX
// ISA, shfl.sync).
#pragma once

#include <string>

#include "sim/exec/block_observer.h"

namespace paws::sanitize {

struct ShuffleVerdict {
  enum class Cause : std::uint8_t {
    none,
    source_does_not_execute,
    source_not_a_member,     ///< it executes, but the reader's member mask does not name it
    reader_not_a_member,     ///< of its own member mask
    member_does_not_execute  ///< though it has not ended
  };
  exec::LaneMask lanes = 0;   ///< readers without a defined result
  Cause cause = Cause::none;  ///< of the first of them
  unsigned reader = 0;        ///< that one
  unsigned other = 0;         ///< the source lane or the member
  std::uint32_t members = 0;  ///< its member mask
};

ShuffleVerdict check_shuffle(const exec::PendingInstruction& instruction);

/// `in_block`: lanes of the warp that are threads of the block.
std::string explain(const ShuffleVerdict& verdict, exec::LaneMask in_block, exec::LaneMask live);

}  // namespace paws::sanitize
