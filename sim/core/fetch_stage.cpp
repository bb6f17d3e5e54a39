// SPDX-License-Identifier: MIT
#include "sim/core/fetch_stage.h"

#include <algorithm>

#include "model/warp_mask.h"

namespace paws::core {

void FetchStage::begin() {
  std::fill(schedulers_.begin(), schedulers_.end(), Warps{});
  std::fill(buffered_.begin(), buffered_.end(), 0U);
}

WarpId FetchStage::next_slot(unsigned scheduler) const {
  const Warps& warps = schedulers_[scheduler];
  const auto order = static_cast<FetchOrder>(config_.core.fetch);
  if (order == FetchOrder::round_robin) {
    const WarpMask later = warps.wants & ~((WarpMask{2} << warps.last) - 1);
    return lowest(later != 0 ? later : warps.wants);
  }
  if (const WarpMask greedy = warps.wants & warps.issued_last; greedy != 0) return lowest(greedy);
  WarpId best = lowest(warps.wants);
  for_each_warp(warps.wants, [&](WarpId local) {
    const bool older =
        launched_[slots_.slot(scheduler, local)] < launched_[slots_.slot(scheduler, best)];
    if (local != best && older == (order == FetchOrder::greedy_oldest)) best = local;
  });
  return best;
}

std::uint32_t FetchStage::choose(unsigned scheduler) {
  Warps& warps = schedulers_[scheduler];
  const WarpId local = next_slot(scheduler);
  warps.wants &= ~(WarpMask{1} << local);
  warps.last = local;
  turn_ = wrapped(scheduler + 1);
  return slots_.slot(scheduler, local);
}

FetchStage::Fetch FetchStage::look_up(std::uint32_t warp, std::uint64_t address,
                                      std::uint64_t cycle) {
  switch (icache_.fetch(address, warp, cycle)) {
    case InstructionCache::Result::hit:
      of(warp).fetching |= slots_.bit(warp);
      return {Fetch::Kind::hit, warp, cycle + config_.icache.latency + config_.core.fetch_latency};
    case InstructionCache::Result::miss:
      of(warp).fetching |= slots_.bit(warp);
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

void FetchStage::arrived(std::uint32_t warp, unsigned instructions) {
  Warps& warps = of(warp);
  const WarpMask bit = slots_.bit(warp);
  warps.fetching &= ~bit;
  if ((warps.voided & bit) != 0) {
    warps.voided &= ~bit;
    if ((warps.unresolved & bit) == 0) want(warp);
    return;
  }
  buffered_[warp] += instructions;
  warps.behind_branch &= ~bit;
  if (instructions == 0) warps.at_end |= bit;
  if (buffered_[warp] == 0 || has_room(warp)) want(warp);
}

void FetchStage::branched(std::uint32_t warp) {
  Warps& warps = of(warp);
  const WarpMask bit = slots_.bit(warp);
  buffered_[warp] = 0;
  warps.wants &= ~bit;
  warps.blocked &= ~bit;
  warps.voided |= warps.fetching & bit;
  warps.at_end &= ~bit;
  warps.behind_branch |= bit;
  warps.unresolved |= bit;
  warps.issued_last = bit;
}

void FetchStage::stop(std::uint32_t warp) {
  Warps& warps = of(warp);
  buffered_[warp] = 0;
  for (WarpMask* mask :
       {&warps.wants, &warps.blocked, &warps.fetching, &warps.voided, &warps.behind_branch,
        &warps.at_end, &warps.unresolved, &warps.issued_last}) {
    *mask &= ~slots_.bit(warp);
  }
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
