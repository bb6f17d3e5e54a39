// SPDX-License-Identifier: MIT
#include "sim/sanitize/barrier_clocks.h"

#include <algorithm>
#include <bit>

namespace paws::sanitize {

void BarrierClocks::join(Clock& to, const Clock& from) {
  for (unsigned i = 0; i < kWarps; ++i) to[i] = std::max(to[i], from[i]);
}

void BarrierClocks::start() {
  known_ = {};
  for (unsigned warp = 0; warp < kWarps; ++warp) known_[warp][warp] = 1;
  barriers_ = {};
  ended_ = {};
  objects_.clear();
}

void BarrierClocks::arrive(unsigned warp, unsigned barrier, bool whole) {
  join(barriers_[barrier].arrived, known_[warp]);
  barriers_[barrier].whole = whole;
  ++known_[warp][warp];
}

void BarrierClocks::end(unsigned warp) { join(ended_, known_[warp]); }

void BarrierClocks::release(unsigned barrier, exec::BlockWarpMask warps) {
  Barrier& state = barriers_[barrier];
  if (state.whole) join(state.arrived, ended_);
  for (exec::BlockWarpMask left = warps; left != 0; left &= left - 1) {
    join(known_[static_cast<unsigned>(std::countr_zero(left))], state.arrived);
  }
  state = {};
}

void BarrierClocks::object_arrive(unsigned warp, std::uint64_t address) {
  join(objects_[address].arrived, known_[warp]);
  ++known_[warp][warp];
}

void BarrierClocks::object_phase_ended(std::uint64_t address) {
  Object& object = objects_[address];
  object.ended = object.arrived;
}

void BarrierClocks::object_passed(unsigned warp, std::uint64_t address) {
  join(known_[warp], objects_[address].ended);
}

}  // namespace paws::sanitize
