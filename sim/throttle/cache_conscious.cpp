// SPDX-License-Identifier: MIT
#include "sim/throttle/cache_conscious.h"

#include <algorithm>
#include <limits>

namespace paws::throttle {

void CacheConscious::begin(const core::Core& core, const core::RunningKernels& running,
                           std::uint64_t /*cycle*/) {
  core_ = &core;
  running_ = &running;
  slots_ = core::WarpSlots(core.schedulers());
  warps_.assign(core.warps(), {});
  held_.assign(core.schedulers(), 0);
  falling_ = false;
}

void CacheConscious::block_started(std::uint64_t /*cycle*/, const core::BlockTable::Slot& slot) {
  for (const std::uint32_t warp : slot.warps) warps_[warp] = {};
}

void CacheConscious::issued(std::uint64_t /*cycle*/, std::uint32_t warp, std::uint32_t /*pc*/) {
  ++warps_[warp].issues;
}

void CacheConscious::l1_accessed(const core::L1Access& access) {
  if (access.replaced) warps_[access.victim_owner].lost.insert(access.victim);
  if (access.store) {
    for (Warp& warp : warps_) warp.lost.take(access.line);
    return;
  }
  if (access.result != memory::TagArray::Result::miss) return;
  Warp& mine = warps_[access.warp];
  if (!mine.lost.take(access.line)) return;
  ++mine.hits;
  std::uint64_t hits = 0;
  std::uint64_t issues = 0;
  std::uint64_t live = 0;
  for (std::uint32_t i = 0; i < warps_.size(); ++i) {
    if (!core_->view(i).live) continue;
    hits += warps_[i].hits;
    issues += warps_[i].issues;
    ++live;
  }
  if (issues == 0) return;
  mine.score.set(access.cycle, kThrottle * hits * kBase * live / issues);
}

bool CacheConscious::loads_next(const core::WarpView& view) const {
  const ir::Instruction& next = running_->launches[view.launch].timed->kernel().code[view.pc];
  if (next.op != ir::Op::ld) return false;
  return next.space == ir::Space::global || next.space == ir::Space::local ||
         next.space == ir::Space::generic;
}

void CacheConscious::advance(std::uint64_t cycle) {
  struct Ranked {
    std::uint64_t score;
    std::uint32_t warp;
  };
  std::vector<Ranked> order;
  falling_ = false;
  for (std::uint32_t i = 0; i < warps_.size(); ++i) {
    if (!core_->view(i).live) continue;
    order.push_back({warps_[i].score.in(cycle), i});
    falling_ = falling_ || order.back().score > kBase;
  }
  std::fill(held_.begin(), held_.end(), 0);
  if (!falling_) return;
  std::stable_sort(order.begin(), order.end(),
                   [](const Ranked& a, const Ranked& b) { return a.score > b.score; });
  const std::uint64_t cutoff = kBase * order.size();
  std::uint64_t sum = 0;
  for (const Ranked& ranked : order) {
    if (sum >= cutoff && loads_next(core_->view(ranked.warp))) {
      held_[slots_.scheduler(ranked.warp)] |= slots_.bit(ranked.warp);
    }
    sum += ranked.score;
  }
}

std::uint64_t CacheConscious::next_change(std::uint64_t cycle) const {
  return falling_ ? cycle + 1 : std::numeric_limits<std::uint64_t>::max();
}

}  // namespace paws::throttle
