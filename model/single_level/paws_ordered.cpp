// SPDX-License-Identifier: MIT
// PAWS whose order of warps is state (docs/reference/microarchitecture.md, "Ordered PAWS"): a slot
// whose distance has changed is taken out of the order and inserted again at its new key. Until
// then it waits. The warp that issues is the first candidate of the order.
#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <vector>

#include "model/phase_field.h"
#include "model/single_level/single_level_scheduler.h"
#include "model/warp_mask.h"

namespace paws {
namespace {

class OrderedPaws final : public SingleLevelScheduler {
 public:
  explicit OrderedPaws(const SchedulerConfig& config)
      : SingleLevelScheduler(config), order_(config.warps) {
    clear();
  }

 protected:
  [[nodiscard]] WarpId pick(WarpMask candidates) const override {
    return *std::ranges::find_if(order_, [&](WarpId slot) { return contains(candidates, slot); });
  }

  bool watch(const SchedulerInputs& inputs) override {
    seen_.moved = 0;
    for (const WarpId slot : order_) {
      if (inputs.phase[slot] != distances_[slot]) seen_.moved |= mask_of(slot);
      seen_.distances[slot] = inputs.phase[slot];
    }
    seen_.launched = inputs.launch_valid ? mask_of(inputs.launch_warp) : 0;
    return seen_.moved == 0 && subjects_.empty();
  }

  WarpMask on_edge(WarpMask waiting, std::optional<WarpId> issuer) override {
    WarpMask placed = 0;
    for (const WarpId subject : subjects_) placed |= mask_of(subject);
    const WarpMask wait_next = ((waiting | seen_.moved) & ~placed) | seen_.launched;
    place(placed, wait_next);
    choose_subjects(waiting & ~placed, issuer);
    distances_ = seen_.distances;
    return wait_next;
  }

  void on_reset() override { clear(); }

 private:
  /// Of the last watch().
  struct Seen {
    WarpMask moved = 0;
    WarpMask launched = 0;
    std::array<std::uint16_t, kMaxWarps> distances{};
  };

  void clear() {
    std::iota(order_.begin(), order_.end(), 0U);
    subjects_.clear();
    distances_.fill(0);
    seen_ = {};
  }

  [[nodiscard]] unsigned key(WarpId slot) const {
    return phase_key(config(), seen_.distances[slot]);
  }

  /// Takes the subjects out of the order and inserts them one after the other. Where the slots of
  /// `void_places` stand says nothing: their turn to be placed comes.
  void place(WarpMask placed, WarpMask void_places) {
    std::erase_if(order_, [&](WarpId slot) { return contains(placed, slot); });
    for (const WarpId subject : subjects_) {
      const unsigned own = key(subject);
      const auto before = std::find_if(order_.rbegin(), order_.rend(), [&](WarpId slot) {
        return !contains(void_places, slot) && key(slot) <= own;
      });
      order_.insert(before.base(), subject);
    }
  }

  void choose_subjects(WarpMask waiting, std::optional<WarpId> issuer) {
    subjects_.clear();
    const bool has_compare = config().compares > 1 || !issuer;
    if (waiting != 0 && has_compare) subjects_.push_back(lowest(waiting));
    if (issuer) subjects_.push_back(*issuer);  // placed last
  }

  std::vector<WarpId> order_;     // all slots, the first to issue in front
  std::vector<WarpId> subjects_;  // placed at the end of this cycle, in this order
  std::array<std::uint16_t, kMaxWarps> distances_{};  // of the cycle before
  Seen seen_;
};

}  // namespace

std::unique_ptr<Scheduler> single_level_paws_ordered(const SchedulerConfig& config) {
  return std::make_unique<OrderedPaws>(config);
}

}  // namespace paws
