// SPDX-License-Identifier: MIT
#include "sim/observe/fan_out.h"

#include <algorithm>
#include <utility>

namespace paws::observe {

FanOut::FanOut(std::vector<std::unique_ptr<core::CoreObserver>> observers)
    : CoreObserver(std::any_of(observers.begin(), observers.end(),
                               [](const auto& observer) { return observer->every_cycle(); })),
      observers_(std::move(observers)) {}

void FanOut::begin(const core::Core& core, const core::RunningKernels& running,
                   std::uint64_t cycle) {
  for (const auto& observer : observers_) observer->begin(core, running, cycle);
}

void FanOut::decided(const core::SchedulerView& view) {
  for (const auto& observer : observers_) observer->decided(view);
}

WarpMask FanOut::queues(const core::SchedulerView& view) {
  WarpMask watched = 0;
  for (const auto& observer : observers_) watched |= observer->queues(view);
  return watched;
}

void FanOut::closed(std::uint64_t cycle, unsigned scheduler, unsigned units, WarpMask barred) {
  for (const auto& observer : observers_) observer->closed(cycle, scheduler, units, barred);
}

void FanOut::launched(std::uint64_t cycle, std::uint32_t warp, std::uint32_t launch) {
  for (const auto& observer : observers_) observer->launched(cycle, warp, launch);
}

void FanOut::moved(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc,
                   core::Standing standing) {
  for (const auto& observer : observers_) observer->moved(cycle, warp, pc, standing);
}

void FanOut::issued(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc) {
  for (const auto& observer : observers_) observer->issued(cycle, warp, pc);
}

void FanOut::executed(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc, unsigned path,
                      unsigned lanes) {
  for (const auto& observer : observers_) observer->executed(cycle, warp, pc, path, lanes);
}

void FanOut::ended(std::uint64_t cycle, std::uint32_t warp) {
  for (const auto& observer : observers_) observer->ended(cycle, warp);
}

void FanOut::looked_up(std::uint32_t launch, std::uint32_t pc, bool missed) {
  for (const auto& observer : observers_) observer->looked_up(launch, pc, missed);
}

void FanOut::stepped(std::uint64_t cycle) {
  for (const auto& observer : observers_) observer->stepped(cycle);
}

void FanOut::skipped(std::uint64_t from, std::uint64_t to) {
  for (const auto& observer : observers_) observer->skipped(from, to);
}

void FanOut::end(std::uint64_t cycle) {
  for (const auto& observer : observers_) observer->end(cycle);
}

ObserverFactory both(ObserverFactory first, ObserverFactory second) {
  if (!first) return second;
  if (!second) return first;
  return [first = std::move(first),
          second = std::move(second)](std::uint32_t core) -> std::unique_ptr<core::CoreObserver> {
    std::unique_ptr<core::CoreObserver> a = first(core);
    std::unique_ptr<core::CoreObserver> b = second(core);
    if (!a) return b;
    if (!b) return a;
    std::vector<std::unique_ptr<core::CoreObserver>> observers;
    observers.push_back(std::move(a));
    observers.push_back(std::move(b));
    return std::make_unique<FanOut>(std::move(observers));
  };
}

}  // namespace paws::observe
