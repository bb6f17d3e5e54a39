// SPDX-License-Identifier: MIT
#include "sim/core/block_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace paws::core {

void BlockTable::begin(const Resources& core) {
  free_ = core;
  slots_.assign(core[Resource::block_slots], {});
  warps_.assign(core[Resource::warps], {});
  launches_.clear();
  loose_slots_.resize(slots_.size());
  std::iota(loose_slots_.begin(), loose_slots_.end(), 0U);
  loose_warps_.resize(warps_.size());
  std::iota(loose_warps_.begin(), loose_warps_.end(), 0U);
  resident_ = 0;
  started_ = 0;
  live_ = 0;
}

void BlockTable::add_launch(const TimedKernel& kernel, const Resources& needs,
                            std::vector<std::unique_ptr<exec::StandingBlock>> blocks) {
  if (!empty()) throw std::logic_error("a launch begins while blocks are resident");
  if (blocks.size() != free_.count(needs).blocks) {
    throw std::logic_error("a launch has not as many blocks as fit a core");
  }
  Launch& launch = launches_.emplace_back();
  launch.kernel = &kernel;
  launch.needs = needs;
  launch.blocks = std::move(blocks);
  for (const auto& block : launch.blocks) launch.idle.push_back(block.get());
}

const BlockTable::Slot& BlockTable::start(std::uint32_t launch, std::uint64_t index,
                                          std::uint32_t pair) {
  Launch& of = launches_[launch];
  if (const auto lacking = free_.lacking(of.needs)) {
    throw std::logic_error(
        fmt::format("a block that needs {} is given to a core that has {} free: {}",
                    of.needs[*lacking], free_[*lacking], name_of(*lacking)));
  }
  const std::uint32_t number = take_slot(launch);
  free_ -= of.needs;
  ++resident_;
  Slot& slot = slots_[number];
  slot.block = of.idle.front();
  of.idle.pop_front();
  slot.block->start(index);
  slot.used = true;
  slot.pair = pair;
  slot.number = started_++;
  slot.running = static_cast<unsigned>(slot.warps.size());
  for (std::uint32_t i = 0; i < slot.warps.size(); ++i) {
    Warp& warp = warps_[slot.warps[i]];
    warp.block = slot.block;
    warp.kernel = of.kernel;
    warp.launch = launch;
    warp.in_block = i;
    warp.block_slot = number;
    moved(slot.warps[i]);
  }
  return slot;
}

bool BlockTable::full() const {
  return std::none_of(launches_.begin(), launches_.end(),
                      [this](const Launch& launch) { return free_.hold(launch.needs); });
}

std::uint32_t BlockTable::take_slot(std::uint32_t launch) {
  Launch& of = launches_[launch];
  const bool new_one = of.slots < of.blocks.size() && !loose_slots_.empty() &&
                       loose_warps_.size() >= of.needs[Resource::warps];
  if (!new_one && !of.free_slots.empty()) {
    const std::uint32_t number = of.free_slots.front();
    of.free_slots.pop_front();
    return number;
  }
  if (!new_one) give_back_free_slots();
  return make_slot(launch);
}

std::uint32_t BlockTable::make_slot(std::uint32_t launch) {
  Launch& of = launches_[launch];
  const std::uint32_t number = loose_slots_.front();
  loose_slots_.erase(loose_slots_.begin());
  const auto end = loose_warps_.begin() + static_cast<std::ptrdiff_t>(of.needs[Resource::warps]);
  slots_[number].launch = launch;
  slots_[number].warps.assign(loose_warps_.begin(), end);
  loose_warps_.erase(loose_warps_.begin(), end);
  ++of.slots;
  return number;
}

void BlockTable::give_back_free_slots() {
  for (Launch& launch : launches_) {
    for (const std::uint32_t number : launch.free_slots) {
      const std::vector<std::uint32_t>& warps = slots_[number].warps;
      loose_warps_.insert(loose_warps_.end(), warps.begin(), warps.end());
      loose_slots_.push_back(number);
    }
    launch.slots -= launch.free_slots.size();
    launch.free_slots.clear();
  }
  std::sort(loose_slots_.begin(), loose_slots_.end());
  std::sort(loose_warps_.begin(), loose_warps_.end());
}

const BlockTable::Slot* BlockTable::release_if_drained(std::uint32_t block_slot) {
  Slot& slot = slots_[block_slot];
  if (!slot.used || slot.running > 0) return nullptr;
  for (const std::uint32_t warp : slot.warps) {
    if (warps_[warp].in_flight > 0) return nullptr;
  }
  Launch& of = launches_[slot.launch];
  slot.used = false;
  --resident_;
  free_ += of.needs;
  of.idle.push_back(slot.block);
  of.free_slots.push_back(block_slot);
  return &slot;
}

}  // namespace paws::core
