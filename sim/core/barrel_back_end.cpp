// SPDX-License-Identifier: MIT
#include "sim/core/barrel_back_end.h"

#include <algorithm>

namespace paws::core {
namespace {

/// Stages before the back end: fetch, and decode with the forming of sub-warps.
constexpr unsigned kFrontStages = 2;

unsigned words(const exec::Outcome& part) { return std::max(1U, part.bytes / 4U); }

}  // namespace

BarrelBackEnd::BarrelBackEnd(const GpuConfig& config, memory::Port& port,
                             CoreStatistics& statistics, std::uint32_t waiters)
    : config_(config),
      port_(port),
      statistics_(statistics),
      l1_(config, port, statistics, nullptr),
      behind_memory_(config.core.pipeline_stages - kFrontStages - config.core.memory_stage),
      places_(config.core.pipeline_stages),
      waits_(waiters) {}

void BarrelBackEnd::begin() {
  if (!config_.l1.write_back) l1_.clear();
}

bool BarrelBackEnd::step(std::uint64_t cycle) {
  clock_ += frozen_ ? 0 : 1;
  frozen_ = false;
  leaving_ = nullptr;
  if (accessed_ != taken_) {
    Place& place = places_[accessed_ % places_.size()];
    if (place.at_memory == clock_) {
      frozen_ = !access(place, cycle);
      if (!frozen_) {
        place.leaves = cycle + behind_memory_;
        ++accessed_;
      }
    }
  }
  if (left_ != accessed_) {
    const Place& place = places_[left_ % places_.size()];
    if (place.leaves == cycle) {
      leaving_ = &place.sub_warp;
      ++left_;
    }
  }
  return frozen_;
}

void BarrelBackEnd::take() {
  Place& place = places_[taken_ % places_.size()];
  place.at_memory = clock_ + config_.core.memory_stage;
  place.done = 0;
  place.repeats = 0;
  ++taken_;
}

void BarrelBackEnd::set_access(const ir::Instruction& instruction, bool bypass_l1,
                               const exec::Outcome& part) {
  using ir::Op;
  using ir::Space;
  SubWarp& sub_warp = next();
  const bool atomic = ir::facts(instruction.op).memory == ir::Memory::atomic;
  sub_warp.access = SubWarpAccess::none;
  switch (part.space) {
    case Space::param:
    case Space::constant:
      sub_warp.cycles = 1;
      return;
    case Space::local:
      sub_warp.cycles = words(part);  // a bank of private memory gives its lane a word
      return;
    case Space::shared:
      sub_warp.cycles = shared_passes(part, config_.core.shared_banks, atomic);
      ++statistics_.shared_accesses;
      statistics_.shared_conflict_cycles += sub_warp.cycles - 1;
      return;
    default:
      break;
  }
  coalesce(part, atomic, sub_warp.lines);
  if (instruction.op == Op::ld && part.space == Space::global) {
    count_global_load(part, sub_warp.lines, config_.l1.sectored, statistics_);
  }
  if (config_.l1.write_back) {
    // The L1 holds the only copy: nothing goes past it.
    const bool loads = instruction.op == Op::ld || instruction.op == Op::copy_async;
    sub_warp.access = loads ? SubWarpAccess::load : SubWarpAccess::store_back;
    return;
  }
  switch (instruction.op) {
    case Op::st:
      sub_warp.access = SubWarpAccess::store;
      break;
    case Op::atom:
      sub_warp.access = SubWarpAccess::atomic;
      break;
    case Op::red:
      sub_warp.access = SubWarpAccess::reduction;
      break;
    default:
      sub_warp.access = bypass_l1 ? SubWarpAccess::load_past : SubWarpAccess::load;
      break;
  }
}

bool BarrelBackEnd::access(Place& place, std::uint64_t cycle) {
  const SubWarp& sub_warp = place.sub_warp;
  if (sub_warp.access == SubWarpAccess::none) return ++place.done >= sub_warp.cycles;
  if (sub_warp.lines.count == 0) return true;  // no thread passed the guard
  if (place.repeats > 0) {
    --place.repeats;
  } else {
    const Transaction& line = sub_warp.lines.list[place.done];
    port_.listen(cycle);
    switch (look_up(sub_warp, line, cycle)) {
      case L1DataCache::Result::retry:
      case L1DataCache::Result::full:
        ++(l1_.told_to_stop() ? statistics_.l2_stop_cycles : statistics_.l1_reservation_fails);
        return false;
      case L1DataCache::Result::under_way: {
        const bool store =
            sub_warp.access == SubWarpAccess::store || sub_warp.access == SubWarpAccess::reduction;
        ++(store ? waits_[sub_warp.who.operation].stores : waits_[sub_warp.who.operation].loads);
        begun_.push_back(sub_warp.who.operation);
        break;
      }
      case L1DataCache::Result::done:
        break;
    }
    ++place.done;
    // Operations of an L1 on one word come one after another.
    if (sub_warp.access == SubWarpAccess::store_back) place.repeats = line.conflicts - 1;
  }
  return place.repeats == 0 && place.done == sub_warp.lines.count;
}

L1DataCache::Result BarrelBackEnd::look_up(const SubWarp& sub_warp, const Transaction& line,
                                           std::uint64_t cycle) {
  switch (sub_warp.access) {
    case SubWarpAccess::load_past:
      return l1_.load_past(line, sub_warp.who, cycle);
    case SubWarpAccess::store:
      return l1_.store(line, sub_warp.who, cycle);
    case SubWarpAccess::store_back:
      return l1_.store_back(line, sub_warp.who, cycle);
    case SubWarpAccess::store_local:
      return l1_.store_local(line, sub_warp.who, cycle);
    case SubWarpAccess::atomic:
    case SubWarpAccess::reduction:
      return l1_.atomic(line, sub_warp.who, sub_warp.access == SubWarpAccess::atomic, cycle);
    case SubWarpAccess::none:
    case SubWarpAccess::load:
      break;
  }
  return l1_.load(line, sub_warp.who, cycle);
}

}  // namespace paws::core
