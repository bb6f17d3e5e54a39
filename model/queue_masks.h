// SPDX-License-Identifier: MIT
// Which warps are in the queues of a two-level scheduler, for those who ask often and need no
// order.
#pragma once

#include "model/scheduler.h"

namespace paws {

struct QueueMasks {
  WarpMask ready = 0;
  WarpMask pending = 0;
};

/// As the scheduler's snapshot() says it. Faster than that if it is a golden model of two levels.
QueueMasks queue_masks(const Scheduler& scheduler);

}  // namespace paws
