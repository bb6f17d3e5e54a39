// SPDX-License-Identifier: MIT
#include "model/queue_masks.h"

#include "model/two_level/two_level_scheduler.h"

namespace paws {

QueueMasks queue_masks(const Scheduler& scheduler) {
  if (const auto* model = dynamic_cast<const TwoLevelScheduler*>(&scheduler)) {
    return model->queue_masks();
  }
  const QueueSnapshot queues = scheduler.snapshot();
  QueueMasks masks{0, queues.pending};
  for (const WarpId warp : queues.ready) masks.ready |= WarpMask{1} << warp;
  return masks;
}

}  // namespace paws
