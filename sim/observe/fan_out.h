// SPDX-License-Identifier: MIT
// Several observers of one core.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "sim/core/observer.h"

namespace paws::observe {

/// Passes every call on to each observer, in order.
class FanOut final : public core::CoreObserver {
 public:
  explicit FanOut(std::vector<std::unique_ptr<core::CoreObserver>> observers);

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void decided(const core::SchedulerView& view) override;
  WarpMask queues(const core::SchedulerView& view) override;
  void closed(std::uint64_t cycle, unsigned scheduler, unsigned units, WarpMask barred) override;
  void launched(std::uint64_t cycle, std::uint32_t warp, std::uint32_t launch) override;
  void moved(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc,
             core::Standing standing) override;
  void issued(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc) override;
  void executed(std::uint64_t cycle, std::uint32_t warp, std::uint32_t pc, unsigned path,
                unsigned lanes) override;
  void ended(std::uint64_t cycle, std::uint32_t warp) override;
  void looked_up(std::uint32_t launch, std::uint32_t pc, bool missed) override;
  void stepped(std::uint64_t cycle) override;
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;

 private:
  std::vector<std::unique_ptr<core::CoreObserver>> observers_;
};

/// As GpuOptions::observe: the observer of a core, or none.
using ObserverFactory = std::function<std::unique_ptr<core::CoreObserver>(std::uint32_t core)>;

/// Both factories' observers, `first` before `second`; either may be empty or give none.
ObserverFactory both(ObserverFactory first, ObserverFactory second);

}  // namespace paws::observe
