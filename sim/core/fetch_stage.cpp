// SPDX-License-Identifier: MIT
#include "sim/core/fetch_stage.h"

#include <algorithm>
#include <utility>

#include "model/warp_mask.h"

namespace paws::core {

void FetchStage::begin() {
  std::fill(schedulers_.begin(), schedulers_.end(), Warps{});
  any_wants_ = false;
  std::fill(buffers_.begin(), buffers_.end(), Buffer{});
}

void FetchStage::want_more(std::uint32_t warp) {
  Warps& warps = of(warp);
  const WarpMask bit = slots_.bit(warp);
  const unsigned filled = this->filled(warp);
  // The code went on elsewhere without a branch: two paths have come together.
  if (filled == 0) warps.at_end &= ~bit;
  const bool room = refills_early_ ? filled < config_.core.ibuffer : filled == 0;
  if (room && ((warps.missed | warps.blocked | warps.at_end | warps.unresolved) & bit) == 0)
    want(warp);
}

WarpId FetchStage::next_greedy(unsigned scheduler) const {
  const Warps& warps = schedulers_[scheduler];
  if (const WarpMask greedy = warps.wants & warps.issued_last; greedy != 0) return lowest(greedy);
  const bool oldest = static_cast<FetchOrder>(config_.core.fetch) == FetchOrder::greedy_oldest;
  const auto launched = [&](WarpId local) {
    return buffers_[slots_.slot(scheduler, local)].launched;
  };
  WarpId best = lowest(warps.wants);
  for_each_warp(warps.wants & (warps.wants - 1), [&](WarpId local) {
    const bool older = launched(local) < launched(best);
    if (older == oldest) best = local;
  });
  return best;
}

FetchStage::Fetch FetchStage::not_hit(std::uint32_t warp, unsigned instructions,
                                      InstructionCache::Result result) {
  switch (result) {
    case InstructionCache::Result::miss:
      begin_fetch(warp, instructions);
      of(warp).missed |= slots_.bit(warp);
      buffers_[warp].missed = instructions;
      return {Fetch::Kind::missed, warp, 0, 0};
    case InstructionCache::Result::full:
      of(warp).blocked |= slots_.bit(warp);
      break;
    default:  // port_busy
      want(warp);
      break;
  }
  return {};
}

FetchStage::Fetch FetchStage::serve(std::uint64_t cycle) {
  const std::uint32_t warp = icache_.next_served();
  const WarpMask bit = slots_.bit(warp);
  if ((of(warp).missed & bit) != 0) {
    of(warp).missed &= ~bit;
    want_more(warp);
  }
  return {Fetch::Kind::served, warp, cycle + config_.core.fetch_latency, buffers_[warp].missed};
}

void FetchStage::branched(std::uint32_t warp) {
  Warps& warps = of(warp);
  const WarpMask bit = slots_.bit(warp);
  Buffer& buffer = buffers_[warp];
  buffer.instructions = 0;
  buffer.on_way = 0;
  buffer.voided = buffer.fetches;
  unwant(warp);
  warps.blocked &= ~bit;
  warps.at_end &= ~bit;
  warps.behind_branch |= bit;
  warps.unresolved |= bit;
  warps.issued_last = bit;
}

void FetchStage::stop(std::uint32_t warp) {
  Warps& warps = of(warp);
  unwant(warp);
  for (WarpMask* mask : {&warps.blocked, &warps.missed, &warps.at_end, &warps.behind_branch,
                         &warps.unresolved, &warps.issued_last}) {
    *mask &= ~slots_.bit(warp);
  }
  buffers_[warp] = {};
}

void FetchStage::respond(const memory::Response& response) {
  icache_.respond(response);
  unblock();
}

void FetchStage::unblock() {
  for (Warps& warps : schedulers_) {
    any_wants_ = any_wants_ || warps.blocked != 0;
    warps.wants |= std::exchange(warps.blocked, 0);
  }
}

}  // namespace paws::core
