// SPDX-License-Identifier: MIT
#include "sim/exec/lanes/families.h"

namespace paws::exec::PAWS_LANES {

extern const LaneLibrary kLibrary;
const LaneLibrary kLibrary{select_integer, select_bits, select_floating, select_convert,
                           select_compare, select_move, select_memory,   select_quick_memory};

}  // namespace paws::exec::PAWS_LANES
