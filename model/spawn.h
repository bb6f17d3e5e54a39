// SPDX-License-Identifier: MIT
// The adapter in front of a scheduler's launch port: takes masks of warps that start together and
// launches them one by one (docs/reference/microarchitecture.md, "Spawns").
#pragma once

#include <memory>

#include "model/scheduler.h"

namespace paws {

struct SpawnInputs {
  WarpMask spawn = 0;      ///< these warps start; empty while busy
  bool end_valid = false;  ///< a late end, SchedulerInputs::end_valid
  WarpId end_warp = 0;
  bool operator==(const SpawnInputs&) const = default;
};

struct SpawnOutputs {
  bool busy = false;     ///< the cycle must not bring a mask
  WarpMask waiting = 0;  ///< spawned and not launched yet
  bool launch_valid = false;
  WarpId launch_warp = 0;  ///< 0 without a launch
  bool end_valid = false;  ///< the late end is one of the scheduler's
  bool operator==(const SpawnOutputs&) const = default;
};

/// A cycle is decide(), which may be repeated with other inputs, followed by commit(), the clock
/// edge, which uses the inputs of the last decide() and throws std::logic_error if they break a
/// promise.
class Spawn {
 public:
  virtual ~Spawn() = default;
  virtual void reset() = 0;  ///< no warp waits
  virtual SpawnOutputs decide(const SpawnInputs& inputs) = 0;
  virtual void commit() = 0;
};

/// The golden model, for a scheduler of `warps` slots.
std::unique_ptr<Spawn> make_spawn(unsigned warps);

}  // namespace paws
