// SPDX-License-Identifier: MIT
// PAWS among the oldest: of the policy.window oldest candidates the one that PAWS picks. It shows
// how many warps PAWS must compare. A window of one warp is `oldest`, a window of all warps is
// PAWS.
#include "model/single_level/single_level_scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

class PawsWindow final : public SingleLevelScheduler {
 public:
  explicit PawsWindow(const SchedulerConfig& config)
      : SingleLevelScheduler(config), window_(policy_parameters(config).at("window")) {}

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    WarpMask compared = 0;
    for (unsigned taken = 0; taken < window_ && candidates != 0; ++taken) {
      const WarpMask oldest = mask_of(live().oldest(candidates));
      compared |= oldest;
      candidates &= ~oldest;
    }
    return nearest(compared);
  }

 private:
  unsigned window_;  // warps
};

}  // namespace

std::unique_ptr<Scheduler> single_level_paws_window(const SchedulerConfig& config) {
  return std::make_unique<PawsWindow>(config);
}

}  // namespace paws
