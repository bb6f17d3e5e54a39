// SPDX-License-Identifier: MIT
#include "sim/core/fetch_stage.h"

#include <algorithm>

namespace paws::core {

void FetchStage::begin() {
  std::fill(schedulers_.begin(), schedulers_.end(), Warps{});
  std::fill(buffered_.begin(), buffered_.end(), 0U);
}

std::uint32_t FetchStage::choose(unsigned scheduler) {
  Warps& warps = schedulers_[scheduler];
  const WarpMask later = warps.wants & ~((WarpMask{2} << warps.last) - 1);
  const auto local = static_cast<WarpId>(std::countr_zero(later != 0 ? later : warps.wants));
  warps.wants &= ~(WarpMask{1} << local);
  warps.last = local;
  turn_ = wrapped(scheduler + 1);
  return slots_.slot(scheduler, local);
}

FetchStage::Fetch FetchStage::look_up(std::uint32_t warp, std::uint64_t address,
                                      std::uint64_t cycle) {
  switch (icache_.fetch(address, warp, cycle)) {
    case InstructionCache::Result::hit:
      return {Fetch::Kind::hit, warp, cycle + config_.icache.latency + config_.core.fetch_latency};
    case InstructionCache::Result::miss:
      return {Fetch::Kind::missed, warp, 0};
    case InstructionCache::Result::full:
      of(warp).blocked |= slots_.bit(warp);
      break;
    case InstructionCache::Result::port_busy:
      want(warp);
      break;
  }
  return {};
}

void FetchStage::respond(const memory::Response& response) {
  icache_.respond(response);
  unblock();
}

void FetchStage::unblock() {
  for (Warps& warps : schedulers_) {
    warps.wants |= warps.blocked;
    warps.blocked = 0;
  }
}

}  // namespace paws::core
