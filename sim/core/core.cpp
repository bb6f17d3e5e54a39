// SPDX-License-Identifier: MIT
#include "sim/core/core.h"

#include "sim/core/occupancy.h"

namespace paws::core {

Core::Core(const GpuConfig& config, bool distance, std::uint32_t number, memory::Port& crossbar,
           std::unique_ptr<CoreObserver> observer)
    : config_(config),
      number_(number),
      observer_(std::move(observer)),
      distance_(distance),
      crossbar_(crossbar),
      turns_(config.core.schedulers, config.core.issue_interval) {}

void Core::begin_launches(const RunningKernels& running, std::uint64_t cycle) {
  skip_idle_cycles_ = running.skip_idle_cycles;
  launches_.clear();
  parts_.begin();
  const Resources all = core_resources(config_);
  blocks_.begin(all);
  tails_.begin(all[Resource::block_slots]);
  std::uint64_t local_first = ir::kLocalWindow;
  for (const RunningKernel& launch : running.launches) {
    const ir::Kernel& kernel = launch.timed->kernel();
    Launch& added = launches_.emplace_back(PhaseKeys(config_, distance_));
    added.keys.begin(*launch.timed, warps());
    added.parted.cycles = parted_.cycles;
    added.local_first = local_first;
    added.first_block = launch.first_block;
    added.local_bytes = (kernel.local_bytes + 3) / 4 * std::uint64_t{memory::kLineBytes};
    local_first += std::uint64_t{config_.cores} * config_.core.warps * added.local_bytes;
    std::vector<std::unique_ptr<exec::StandingBlock>> blocks(all.count(launch.needs).blocks);
    for (auto& block : blocks) block = launch.make_block(number_);
    blocks_.add_launch(*launch.timed, launch.needs, std::move(blocks));
  }
  owners_.assign(warps(), {});
  starts_.clear();
  freed_.clear();
  monitored_.clear();
  limit_changes_.clear();
  deferred_.clear();
  last_active_ = cycle;
}

const BlockTable::Slot& Core::take_block(const Start& start) {
  const BlockTable::Slot& slot = blocks_.start(start.launch, start.block, start.pair);
  tails_.started(blocks_[slot.warps.front()].block_slot, now_);
  ++statistics_.blocks_started;
  parts_.block_started(now_, start.fills || blocks_.full());
  for (const std::uint32_t number : slot.warps) {
    // Whichever launch's warp was here last, its stay in a phase is over.
    for (Launch& launch : launches_) launch.keys.started(number);
    owners_[number] = {launches_[start.launch].first_block + start.number, number};
  }
  return slot;
}

void Core::enter_warp(std::uint32_t number, std::uint64_t cycle) {
  Launch& launch = launches_[blocks_[number].launch];
  launch.count_warps(cycle);
  ++launch.live;
  blocks_.launch(number);
}

void Core::leave_warp(std::uint32_t number, std::uint64_t cycle) {
  Launch& launch = launches_[blocks_[number].launch];
  launch.count_warps(cycle);
  --launch.live;
  tails_.warp_ended(blocks_[number].block_slot, cycle);
  blocks_.end_warp(number);
}

void Core::count_block(const BlockTable::Slot& slot) {
  freed_.push_back({now_, slot.launch, slot.pair});
  parts_.block_ended(now_, slot.number);
  if (parts_.blocks_wait(now_)) {
    statistics_.tails += tails_.ended(blocks_[slot.warps.front()].block_slot, now_);
  }
  ++statistics_.blocks;
  ++launches_[slot.launch].counts.blocks;
  statistics_.executed += slot.block->executed();
}

void Core::end_parts(std::uint64_t cycle) {
  while (parts_.end() <= cycle) {
    end_part(parts_.end());
    parts_.enter_next();
  }
}

void Core::end_part(std::uint64_t cycle) {
  const auto part = static_cast<std::size_t>(parts_.part());
  auto add_since = [part](LaunchPartCounts& parts, PartCounts& before, const PartCounts& now) {
    (parts[part] += now) -= before;
    before = now;
  };
  // Nothing has issued since, and no warp has come or gone.
  const std::uint64_t later = live_warps() * (accounted_ - cycle);
  add_since(statistics_.parts, parted_,
            {cycle, statistics_.warp_instructions(), statistics_.thread_instructions(),
             statistics_.warp_cycles - later});
  for (Launch& launch : launches_) {
    launch.count_warps(cycle);
    const LaunchCounts& counts = launch.counts;
    add_since(launch.counts.parts, launch.parted,
              {cycle, counts.warp_instructions, counts.thread_instructions, counts.warp_cycles});
  }
}

}  // namespace paws::core
