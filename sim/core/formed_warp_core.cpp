// SPDX-License-Identifier: MIT
#include "sim/core/formed_warp_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "model/subwarp_packer.h"

namespace paws::core {
namespace {

/// Statistics know a warp's only sub-warp as packed.
constexpr auto kMode = static_cast<std::size_t>(PackMode::packed);

/// The shared memories of blocks lie apart by a multiple of all banks, and of each size.
constexpr unsigned kBlockShift = 24;

FormationPriority priority_of(const GpuConfig& config) {
  switch (config.divergence()) {
    case Divergence::dwf_majority:
      return FormationPriority::majority;
    case Divergence::dwf_pdom:
      return FormationPriority::pdom;
    case Divergence::stack:
      break;
  }
  throw std::logic_error("warps are not formed: they have stacks");
}

/// As a generic address, of an offset in the window of `space`.
std::uint64_t generic(ir::Space space, std::uint64_t address) {
  switch (space) {
    case ir::Space::shared:
      return ir::kSharedWindow + address;
    case ir::Space::local:
      return ir::kLocalWindow + address;
    case ir::Space::constant:
      return ir::kConstWindow + address;
    case ir::Space::param:
      return ir::kParamWindow + address;
    default:
      return address;
  }
}

}  // namespace

FormedWarpCore::FormedWarpCore(const GpuConfig& config, std::uint32_t number,
                               memory::Port& crossbar)
    // Each thread may be in a flight of its own, and each store of one that has returned.
    : BarrelCore(config, false, number, crossbar, nullptr,
                 config.core.warps * ir::kWarpSize + config.l1.stores),
      former_(priority_of(config), config.core.warps, statistics_.barrel.formation) {}

void FormedWarpCore::begin(const RunningKernels& running, std::uint64_t cycle) {
  BarrelCore::begin(running, cycle);
  for (const RunningKernel& launch : running.launches) former_.add_launch(launch.timed->kernel());
}

void FormedWarpCore::begin_front() {
  former_.begin();
  starting_.clear();
  flights_.clear();
  free_flights_.clear();
  returning_.clear();
  fences_.clear();
  executed_ = 0;
  away_ = line_waits_ = 0;
  loaded_ = selects_ = false;
}

void FormedWarpCore::block_ended(const BlockTable::Slot& slot) {
  statistics_.barrel.executed_threads += resident(slot).executed_threads();
}

const BlockTable::Warp& FormedWarpCore::first_of(const FormedWarp& warp) const {
  return blocks_[warp.row[lowest_lane(warp.lanes)]];
}

bool FormedWarpCore::decode(bool frozen) {
  if (!loaded_ || frozen) return false;
  loaded_ = false;
  const FormedWarp& warp = flights_[flight_].warp;
  SubWarp& sub_warp = back_end().next();
  sub_warp.instruction = flight_;
  sub_warp.first = sub_warp.last = true;
  sub_warp.mask = warp.lanes;
  sub_warp.row = warp.row;
  sub_warp.access = SubWarpAccess::none;
  sub_warp.cycles = 1;
  if (outcome_.memory) {
    sub_warp.who = {flight_, owners_[warp.row[lowest_lane(warp.lanes)]]};
    const Launch& launch = launches_[warp.launch];
    back_end().set_access(*instruction_, bypass_l1_, outcome_,
                          [&](unsigned lane) { return local_base(launch, warp.row[lane]); });
  }
  back_end().take();
  ++statistics_.path_lanes[count_lanes(warp.lanes)];
  ++statistics_.barrel.sub_warps[kMode];
  return true;
}

void FormedWarpCore::decide(std::uint64_t /*cycle*/, bool enabled, SchedulerState /*state*/) {
  selects_ = enabled && !former_.empty();
}

void FormedWarpCore::select(std::uint64_t cycle) {
  if (selects_) issue(cycle);
  for (const std::uint32_t flight : returning_) return_threads(flight);
  returning_.clear();
  for (const BlockTable::Slot* const slot : starting_) {
    for (const std::uint32_t row : slot->warps) enter_warp(row, cycle);
    former_.start(slot->launch, slot->warps, resident(*slot).live());
  }
  starting_.clear();
}

std::uint32_t FormedWarpCore::take_flight(const FormedWarp& warp) {
  if (free_flights_.empty()) {
    free_flights_.push_back(static_cast<std::uint32_t>(flights_.size()));
    flights_.emplace_back();
  }
  const std::uint32_t number = free_flights_.back();
  free_flights_.pop_back();
  Flight& flight = flights_[number];
  flight.warp = warp;
  flight.executed = flight.left = flight.returned = false;
  flight.ended = flight.held = 0;
  flight.released.clear();
  flight.rows.clear();
  ++away_;
  return number;
}

void FormedWarpCore::issue(std::uint64_t cycle) {
  const std::uint32_t flight = take_flight(former_.select());
  const FormedWarp& warp = flights_[flight].warp;
  bool waits = false;
  if (fetch(first_of(warp).kernel->address(warp.pc), flight, cycle, waits)) {
    execute(cycle, flight);
  } else if (waits) {
    ++line_waits_;
  } else {
    return_threads(flight);
  }
}

void FormedWarpCore::cut(const FormedWarp& warp) {
  parts_.clear();
  for (LaneBits left = warp.lanes; left != 0; left &= left - 1) {
    const std::size_t lane = lowest_lane(left);
    const BlockTable::Warp& row = blocks_[warp.row[lane]];
    auto part = std::find_if(parts_.begin(), parts_.end(),
                             [&](const Part& other) { return other.block_slot == row.block_slot; });
    if (part == parts_.end()) {
      part = parts_.insert(part, {row.block_slot, warp.row[lane], {.pc = warp.pc}});
    }
    part->threads.lanes |= left & -left;
    part->threads.row[lane] = static_cast<std::uint8_t>(row.in_block);
  }
  std::sort(parts_.begin(), parts_.end(),
            [](const Part& a, const Part& b) { return a.block_slot < b.block_slot; });
}

void FormedWarpCore::execute(std::uint64_t cycle, std::uint32_t number) {
  Flight& flight = flights_[number];
  const BlockTable::Warp& first = first_of(flight.warp);
  const TimedInstruction& timed = (*first.kernel)[flight.warp.pc];
  instruction_ = &first.kernel->kernel().code[flight.warp.pc];
  bypass_l1_ = timed.bypass_l1;
  flight.sequence = executed_++;
  flight.executed = true;
  flight.memory = timed.memory;
  flight.fence = timed.fence;

  outcome_.path = flight.warp.lanes;
  outcome_.active = 0;
  outcome_.memory = false;
  outcome_.space = ir::Space::none;
  branch_ = false;
  cut(flight.warp);
  for (const Part& part : parts_) {
    resident(blocks_.slot(part.block_slot)).execute(part.threads, cycle, part_outcome_, &deferred_);
    add_outcome(part, flight);
    flight.rows.push_back(part.row);
    blocks_.hold(part.row);
    end_rows(part, cycle);
  }
  ++(timed.memory ? memory_in_flight_ : alu_in_flight_);
  count(flight);
  flight_ = number;
  loaded_ = true;
}

void FormedWarpCore::add_outcome(const Part& part, Flight& flight) {
  const exec::FormedOutcome& did = part_outcome_;
  outcome_.active |= did.warp.active;
  branch_ = branch_ || did.branch;
  flight.ended |= did.ended;
  flight.held |= did.waits;
  for (LaneBits left = part.threads.lanes; left != 0; left &= left - 1) {
    flight.next[lowest_lane(left)] = did.next[lowest_lane(left)];
  }
  const LargeWarpMask& released = did.released;
  if (std::any_of(released.begin(), released.end(), [](LaneBits row) { return row != 0; })) {
    flight.released.emplace_back(part.block_slot, released);
  }
  if (!did.warp.memory) return;
  const ir::Space space = did.warp.space;
  const bool differ = outcome_.memory && space != outcome_.space;
  if (differ) {
    for (std::size_t lane = 0; lane < outcome_.addresses.size(); ++lane) {
      outcome_.addresses[lane] = generic(outcome_.space, outcome_.addresses[lane]);
    }
  }
  outcome_.space = differ ? ir::Space::generic : space;
  outcome_.memory = true;
  outcome_.store = did.warp.store;
  outcome_.bytes = did.warp.bytes;
  const std::uint64_t own =
      space == ir::Space::shared ? std::uint64_t{part.block_slot} << kBlockShift : 0;
  for (LaneBits left = did.warp.active; left != 0; left &= left - 1) {
    const std::uint64_t address = did.warp.addresses[lowest_lane(left)] + own;
    outcome_.addresses[lowest_lane(left)] = differ ? generic(space, address) : address;
  }
}

void FormedWarpCore::end_rows(const Part& part, std::uint64_t cycle) {
  const BlockTable::Slot& slot = blocks_.slot(part.block_slot);
  for (LaneBits left = part_outcome_.ended; left != 0; left &= left - 1) {
    const unsigned row = part.threads.row[lowest_lane(left)];
    const std::uint32_t of_core = slot.warps[row];
    if (resident(slot).live()[row] == 0 && blocks_[of_core].live) leave_warp(of_core, cycle);
  }
}

void FormedWarpCore::count(const Flight& flight) {
  const FormedWarp& warp = flight.warp;
  BarrelCounts& barrel = statistics_.barrel;
  std::uint64_t rows = 0;
  for (LaneBits left = warp.lanes; left != 0; ++rows) {
    const std::uint8_t row = warp.row[lowest_lane(left)];
    LaneBits of_row = 0;
    for (LaneBits rest = left; rest != 0; rest &= rest - 1) {
      if (warp.row[lowest_lane(rest)] == row) of_row |= rest & -rest;
    }
    left &= ~of_row;
    ++statistics_.lanes[count_lanes(outcome_.active & of_row)];
  }
  LaunchCounts& counts = launches_[warp.launch].counts;
  counts.warp_instructions += rows;
  counts.thread_instructions += count_lanes(outcome_.active);
  barrel.threads += count_lanes(warp.lanes);
  ++barrel.instructions[kMode];
  barrel.rows[kMode] += rows;
  barrel.further_blocks += parts_.size() - 1;
  if (!branch_ || instruction_->guard == ir::kNoReg) return;
  ++barrel.branches;
  if (outcome_.active != 0 && outcome_.active != warp.lanes) ++barrel.divergent_branches;
}

void FormedWarpCore::leave(const SubWarp& sub_warp) {
  Flight& flight = flights_[sub_warp.instruction];
  flight.left = true;
  if (!flight.memory) {
    --alu_in_flight_;
  } else if (back_end().waits(sub_warp.instruction).loads == 0) {
    --memory_in_flight_;
  }
  try_return(sub_warp.instruction);
}

void FormedWarpCore::line_came(std::uint32_t flight) {
  --line_waits_;
  returning_.push_back(flight);
}

bool FormedWarpCore::waits_for_stores(const Flight& fence) const {
  for (std::uint32_t other = 0; other < flights_.size(); ++other) {
    if (back_end().waits(other).stores > 0 && flights_[other].sequence < fence.sequence) {
      return true;
    }
  }
  return false;
}

void FormedWarpCore::try_return(std::uint32_t number) {
  const Flight& flight = flights_[number];
  if (back_end().waits(number).loads > 0) return;
  if (flight.fence && waits_for_stores(flight)) {
    fences_.push_back(number);
  } else {
    returning_.push_back(number);
  }
}

void FormedWarpCore::wait_ended(std::uint32_t number) {
  const Flight& flight = flights_[number];
  const BarrelBackEnd::Waits& waits = back_end().waits(number);
  if (flight.left && !flight.returned && waits.loads == 0) {
    --memory_in_flight_;
    returning_.push_back(number);
  }
  if (flight.returned) try_end(number);
  if (waits.stores > 0 || fences_.empty()) return;
  std::erase_if(fences_, [this](std::uint32_t fence) {
    if (waits_for_stores(flights_[fence])) return false;
    returning_.push_back(fence);
    return true;
  });
}

void FormedWarpCore::return_threads(std::uint32_t number) {
  Flight& flight = flights_[number];
  --away_;
  flight.returned = true;
  if (!flight.executed) {
    former_.put_back(flight.warp);
  } else {
    former_.retire(flight.warp, flight.next, flight.ended, flight.held);
    for (const auto& [block_slot, threads] : flight.released) {
      former_.release(blocks_.slot(block_slot).warps, threads);
    }
  }
  try_end(number);
}

void FormedWarpCore::try_end(std::uint32_t number) {
  const BarrelBackEnd::Waits& waits = back_end().waits(number);
  if (waits.loads > 0 || waits.stores > 0) return;
  for (const std::uint32_t row : flights_[number].rows) land(row);
  free_flights_.push_back(number);
}

SchedulerState FormedWarpCore::idle_state() const {
  return live_warps() == 0 || line_waits_ > 0 ? SchedulerState::no_instruction
                                              : SchedulerState::operand;
}

WarpView FormedWarpCore::view(std::uint32_t number) const {
  const BlockTable::Warp& row = blocks_[number];
  if (!row.live) return {};
  WarpView view;
  view.live = true;
  view.launch = row.launch;
  view.block = row.block->index();
  view.in_block = row.in_block;
  view.at_barrier = row.block->at_barrier(row.in_block);
  view.in_flight = row.in_flight;
  return view;
}

std::optional<std::string> FormedWarpCore::stuck_warp() const {
  std::vector<FormedWarp> away;
  for (std::uint32_t flight = 0; flight < flights_.size(); ++flight) {
    const bool free =
        std::find(free_flights_.begin(), free_flights_.end(), flight) != free_flights_.end();
    if (!free && !flights_[flight].returned) away.push_back(flights_[flight].warp);
  }
  struct Kind {
    std::vector<FormedWarp> warps;
    const char* state;
  };
  // Who is preferred may be what the others wait for: those who have not been selected come first.
  const std::array<Kind, 3> kinds{{{former_.waiting(), "wait to be selected"},
                                   {std::move(away), "execute"},
                                   {former_.held(), "stand at a barrier"}}};
  const auto first = std::find_if(kinds.begin(), kinds.end(),
                                  [](const Kind& kind) { return !kind.warps.empty(); });
  if (first == kinds.end()) return std::nullopt;
  std::string all;
  for (const Kind& kind : kinds) {
    unsigned threads = 0;
    for (const FormedWarp& warp : kind.warps) threads += count_lanes(warp.lanes);
    all += fmt::format("{}{} threads {}", all.empty() ? "" : ", ", threads, kind.state);
  }
  const FormedWarp& warp = first->warps.front();
  const BlockTable::Warp& row = first_of(warp);
  const ir::Kernel& kernel = row.kernel->kernel();
  const exec::Dim3 block = row.block->coordinates();
  // Those at a barrier have their pc behind it.
  const std::uint32_t pc = first == &kinds.back() && warp.pc > 0 ? warp.pc - 1 : warp.pc;
  return fmt::format(
      "{}:{}: kernel '{}', block ({},{},{}), {} threads of a formed warp {} here (of the core {}); "
      "warps that are preferred can keep the others from what they wait for, as a lock",
      kernel.file, kernel.code[pc].line, kernel.name, block.x, block.y, block.z,
      count_lanes(warp.lanes), first->state, all);
}

}  // namespace paws::core
