// SPDX-License-Identifier: MIT
#include "sim/observe/queue_observer.h"

#include <array>
#include <bit>

#include "sim/core/core.h"
#include "sim/stats/conservation.h"

namespace paws::observe {
namespace {

class QueueObserver final : public core::CoreObserver {
 public:
  explicit QueueObserver(QueueStatistics& total) : total_(total) {}

  void begin(const core::Core& core, const core::RunningKernels& /*running*/,
             std::uint64_t cycle) override {
    schedulers_.assign(core.schedulers(), nullptr);
    trackers_.assign(core.schedulers(), QueueTracker());
    for (QueueTracker& tracker : trackers_) tracker.begin(cycle);
  }

  void decided(const core::SchedulerView& view) override {
    schedulers_[view.number] = view.scheduler;
    trackers_[view.number].hold(view.scheduler->snapshot(), view.cycle + 1);
  }

  void issued(std::uint64_t /*cycle*/, std::uint32_t /*warp*/, std::uint32_t /*pc*/) override {}
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t /*from*/, std::uint64_t /*to*/) override {}

  void end(std::uint64_t cycle) override {
    for (std::size_t s = 0; s < trackers_.size(); ++s) {
      // A core that had no block was never stepped: its queues stayed empty.
      trackers_[s].hold(schedulers_[s] == nullptr ? QueueSnapshot() : schedulers_[s]->snapshot(),
                        cycle);
      check_queues(trackers_[s].statistics());
      total_ += trackers_[s].statistics();
    }
  }

 private:
  QueueStatistics& total_;
  std::vector<const Scheduler*> schedulers_;
  std::vector<QueueTracker> trackers_;
};

}  // namespace

void QueueTracker::begin(std::uint64_t cycle) { next_ = cycle; }

void QueueTracker::hold(const QueueSnapshot& queues, std::uint64_t to) {
  const std::uint64_t cycles = to - next_;
  std::array<std::optional<Place>, kMaxWarps> places;
  auto put = [&](WarpId warp, Place place) {
    places[warp] = place;
    statistics_.at(place).occupancy += cycles;
  };
  for (WarpId warp : queues.ready) put(warp, Place::ready);
  for (WarpId warp : queues.active) put(warp, Place::active);
  for (WarpId warp : queues.collector) put(warp, Place::collector);
  for (WarpMask rest = queues.pending; rest != 0; rest &= rest - 1) {
    put(static_cast<WarpId>(std::countr_zero(rest)), Place::pending);
  }
  for (WarpId warp = 0; warp < kMaxWarps; ++warp) move(warp, places[warp]);
  statistics_.cycles += cycles;
  next_ = to;
}

void QueueTracker::move(WarpId warp, std::optional<Place> place) {
  Stay& stay = stays_[warp];
  if (stay.place == place) return;
  if (stay.place) statistics_.at(*stay.place).add_stay(next_ - stay.since);
  if (stay.place == Place::active && place == Place::ready) ++statistics_.promotions;
  if (stay.place == Place::ready && place == Place::pending) ++statistics_.demotions;
  if (stay.place == Place::pending) ++statistics_.wakes;
  stay = {place, next_};
}

std::unique_ptr<core::CoreObserver> QueueWatch::observer(std::uint32_t core) {
  return std::make_unique<QueueObserver>(cores_.at(core));
}

QueueStatistics QueueWatch::total() const {
  QueueStatistics total;
  for (const QueueStatistics& core : cores_) total += core;
  return total;
}

}  // namespace paws::observe
