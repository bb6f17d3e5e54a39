// SPDX-License-Identifier: MIT
#include "sim/core/large_warp_core.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <utility>

#include "model/warp_mask.h"
#include "sim/exec/lane_masks.h"

namespace paws::core {
namespace {

void put(WarpMask& mask, std::uint32_t warp, bool level) {
  mask = (mask & ~mask_of(warp)) | WarpMask{level} << warp;
}

SubwarpPackerConfig packer_config(const GpuConfig& config) {
  SubwarpPackerConfig packer;
  packer.rows = config.core.warp_rows;
  return packer;
}

BranchMasksConfig masks_config(const GpuConfig& config) {
  BranchMasksConfig masks;
  masks.rows = config.core.warp_rows;
  return masks;
}

}  // namespace

LargeWarpCore::LargeWarpCore(const GpuConfig& config, const SchedulerConfig& scheduler,
                             const LargeWarpEngines& engines, std::uint32_t number,
                             memory::Port& crossbar, std::unique_ptr<CoreObserver> observer)
    : BarrelCore(config, scheduler.level == Level::single || config.scheduler.remaining_distance,
                 number, crossbar, std::move(observer), config.warp_slots()),
      scheduler_config_(scheduler),
      scheduler_(engines.scheduler(scheduler)),
      packer_(engines.packer(packer_config(config))),
      masks_(engines.masks(masks_config(config))),
      // An instruction has a sub-warp in a stage of its own; one more is in decode, one selected.
      in_flight_(config.core.pipeline_stages + 1) {}

void LargeWarpCore::begin_front() {
  scheduler_->reset();
  packer_->reset();
  masks_->reset();
  inputs_ = {};
  outputs_ = {};
  changed_ = true;
  launches_waiting_.clear();
  warps_.assign(warps(), {});
  live_ = barred_ = selectable_ = ready_ = ending_ = 0;
  line_waits_ = 0;
  last_selected_.reset();
  loaded_ = forming_ = first_ = false;
}

void LargeWarpCore::block_started(const BlockTable::Slot& slot) {
  for (const std::uint32_t warp : slot.warps) {
    warps_[warp] = {};
    launches_waiting_.push_back(warp);
  }
}

void LargeWarpCore::block_ended(const BlockTable::Slot& slot) {
  const auto& block = static_cast<const exec::ResidentLargeBlock&>(*slot.block);
  statistics_.barrel.executed_threads += block.executed_threads();
}

bool LargeWarpCore::decode(bool frozen) {
  if (!loaded_ && !forming_) return false;
  packer_inputs_.load_valid = std::exchange(loaded_, false);
  packer_inputs_.take = !frozen;
  const SubwarpPackerOutputs formed = packer_->decide(packer_inputs_);
  packer_->commit();
  forming_ = formed.busy;
  if (!formed.valid) throw std::logic_error("the packer has no sub-warp of a loaded instruction");
  if (frozen) return false;
  const std::uint64_t number = (instructions_ - 1) % in_flight_.size();
  const std::uint32_t warp = in_flight_[number].warp;
  SubWarp& sub_warp = back_end().next();
  sub_warp.instruction = static_cast<std::uint32_t>(number);
  sub_warp.first = std::exchange(first_, false);
  sub_warp.last = formed.last;
  sub_warp.mask = formed.mask;
  sub_warp.row = formed.row;
  sub_warp.access = SubWarpAccess::none;
  sub_warp.cycles = 1;
  if (outcome_.memory) {
    outcome_.gather(formed.mask, formed.row, part_);
    sub_warp.who = {warp, owners_[warp]};
    const std::uint32_t first_row = warp * config_.core.warp_rows;
    const Launch& launch = launches_[blocks_[warp].launch];
    back_end().set_access(*instruction_, bypass_l1_, part_, [&](unsigned lane) {
      return local_base(launch, first_row + formed.row[lane]);
    });
  }
  back_end().take();
  const unsigned lanes = count_lanes(formed.mask);
  const PackMode mode = packer_inputs_.load_mode;
  ++statistics_.path_lanes[lanes];
  ++statistics_.barrel.sub_warps[static_cast<std::size_t>(mode)];
  threads_ -= lanes;
  if (formed.last) statistics_.barrel.dropped_threads += threads_;
  return true;
}

void LargeWarpCore::decide(std::uint64_t cycle, bool enabled, SchedulerState state) {
  WarpMask exits = 0;
  for_each_warp(ending_ & selectable_, [&](WarpId warp) {
    // A selection that the instruction cache does not serve ends nothing.
    const BlockTable::Warp& at = blocks_[warp];
    if (warps_[warp].fetched || would_fetch(at.kernel->address(at.pc))) exits |= mask_of(warp);
  });
  const bool launch = !launches_waiting_.empty();
  const bool same = !changed_ && selectable_ == inputs_.issuable && exits == inputs_.exits &&
                    !launch && !inputs_.launch_valid;
  inputs_.issue_en = enabled;
  // A quiet scheduler with the inputs that it has seen keeps its outputs: quiet_o of
  // docs/reference/microarchitecture.md, "Ports".
  if (!same || !outputs_.quiet) {
    changed_ = false;
    inputs_.issuable = selectable_;
    inputs_.exits = exits;
    inputs_.launch_valid = launch;
    inputs_.launch_warp = 0;
    if (launch) {
      const std::uint32_t warp = launches_waiting_.front();
      inputs_.launch_warp = warp;
      inputs_.phase[warp] = launches_[blocks_[warp].launch].keys.of(warp, 0);
    }
    outputs_ = scheduler_->decide(inputs_);
  }
  if (observer_) observer_->decided({cycle, 0, &inputs_, &outputs_, state, scheduler_.get()});
}

void LargeWarpCore::select(std::uint64_t cycle) {
  if (!outputs_.quiet) scheduler_->commit();
  if (inputs_.launch_valid) {
    const std::uint32_t warp = launches_waiting_.front();
    launches_waiting_.pop_front();
    enter_warp(warp, cycle);
    live_ |= mask_of(warp);
    wake(warp);
  }
  if (outputs_.issue_valid) issue(cycle, outputs_.issue_warp);
  selectable_ |= std::exchange(ready_, 0);
}

void LargeWarpCore::issue(std::uint64_t cycle, std::uint32_t warp) {
  LargeWarp& large = warps_[warp];
  count_switch(warp);
  const BlockTable::Warp& at = blocks_[warp];
  if (!large.fetched && !fetch(at.kernel->address(at.pc), warp, cycle, large.waits_for_line)) {
    if (large.waits_for_line) {
      selectable_ &= ~mask_of(warp);
      ++line_waits_;
    }
    return;
  }
  large.fetched = false;
  execute(cycle, warp);
}

void LargeWarpCore::execute(std::uint64_t cycle, std::uint32_t warp) {
  LargeWarp& large = warps_[warp];
  const BlockTable::Warp& at = blocks_[warp];
  Launch& launch = launches_[at.launch];
  const std::uint32_t pc = at.pc;
  const TimedInstruction& timed = (*at.kernel)[pc];
  const ir::Instruction& instruction = at.kernel->kernel().code[pc];
  exec::ResidentLargeBlock& block = resident(at);
  if (observer_) observer_->issued(cycle, warp, pc);
  launch.keys.issued(warp, pc, cycle);
  selectable_ &= ~mask_of(warp);
  ending_ &= ~mask_of(warp);

  block.execute(at.in_block, cycle, outcome_, &deferred_);
  instruction_ = &instruction;
  bypass_l1_ = timed.bypass_l1;
  const bool guarded = instruction.guard != ir::kNoReg;
  InFlight& flight = in_flight_[instructions_++ % in_flight_.size()];
  flight.warp = warp;
  flight.block_slot = at.block_slot;
  flight.memory = timed.memory;
  flight.ends = outcome_.done;
  flight.released = outcome_.released;
  flight.branch = outcome_.branch && guarded;
  if (flight.branch) {
    flight.path = outcome_.path;
    flight.taken = outcome_.taken;
  }
  const bool jump = instruction.op == ir::Op::bra && !guarded;
  flight.early = config_.large.refetch_first && !timed.memory && !outcome_.barrier &&
                 (jump || !timed.changes_path) && outcome_.released == 0 && !timed.fence;

  packer_inputs_.load_mode = mode_of(instruction);
  packer_inputs_.load_mask = outcome_.path;
  if (config_.large.pack_guard && guarded && !outcome_.branch && instruction.op != ir::Op::brx) {
    if (exec::none(outcome_.active)) {
      packer_inputs_.load_mode = PackMode::once;  // an instruction that nobody executes
    } else {
      packer_inputs_.load_mask = outcome_.active;
    }
  }
  loaded_ = first_ = true;
  large.in_pipeline = true;
  large.fence = timed.fence;
  blocks_.hold(warp);
  ++(timed.memory ? memory_in_flight_ : alu_in_flight_);
  count(launch, outcome_.done ? 0 : block.stack_depth(at.in_block));

  if (outcome_.done) {
    leave_warp(warp, cycle);
    live_ &= ~mask_of(warp);
    changed_ = true;
  } else {
    blocks_.moved(warp);
    const std::uint16_t key = launch.keys.of(warp, at.pc);
    if (inputs_.phase[warp] != key) {
      inputs_.phase[warp] = key;
      changed_ = true;
    }
    large.barred = at.at_barrier;
    put(barred_, warp, at.at_barrier);
  }
  update_waits(warp);
}

void LargeWarpCore::count(Launch& launch, std::size_t depth) {
  BarrelCounts& barrel = statistics_.barrel;
  std::uint64_t rows = 0;
  std::uint64_t threads = 0;
  std::uint64_t executed = 0;
  for (unsigned row = 0; row < config_.core.warp_rows; ++row) {
    if (outcome_.path[row] == 0) continue;
    const unsigned active = count_lanes(outcome_.active[row]);
    ++rows;
    threads += count_lanes(outcome_.path[row]);
    executed += active;
    ++statistics_.lanes[active];
  }
  launch.counts.warp_instructions += rows;
  launch.counts.thread_instructions += executed;
  threads_ = threads;
  barrel.threads += threads;
  const auto mode = static_cast<std::size_t>(packer_inputs_.load_mode);
  ++barrel.instructions[mode];
  barrel.rows[mode] += rows;
  barrel.stack_depths += depth;
  barrel.stack_peak = std::max<std::uint64_t>(barrel.stack_peak, depth);
}

void LargeWarpCore::count_switch(std::uint32_t warp) {
  const std::optional<std::uint32_t> last = std::exchange(last_selected_, warp);
  if (!has_fetch_groups(scheduler_config_) || !last) return;
  const unsigned size = scheduler_config_.group;
  if (*last / size == warp / size) return;
  ++statistics_.barrel.group_switches;
  const std::uint32_t first = *last / size * size;
  for (std::uint32_t other = first; other < std::min<std::size_t>(first + size, warps_.size());
       ++other) {
    if (!warps_[other].in_pipeline || (live_ & mask_of(other)) == 0) continue;
    if (warps_[other].barred || back_end().waits(other).loads > 0) continue;
    ++statistics_.barrel.premature_switches;
    return;
  }
}

PackMode LargeWarpCore::mode_of(const ir::Instruction& instruction) const {
  const ir::Op op = instruction.op;
  if (ir::exchanges_lanes(op)) return PackMode::rows;
  const bool accesses = ir::accesses_memory(op) || op == ir::Op::copy_async;
  if (config_.large.global_by_rows && accesses &&
      (instruction.space == ir::Space::global || instruction.space == ir::Space::generic)) {
    return PackMode::rows;
  }
  if (config_.large.jump_once && op == ir::Op::bra && instruction.guard == ir::kNoReg) {
    return PackMode::once;
  }
  return PackMode::packed;
}

void LargeWarpCore::leave(const SubWarp& sub_warp) {
  InFlight& instruction = in_flight_[sub_warp.instruction];
  if (instruction.branch) gather_branch(instruction, sub_warp);
  if (sub_warp.first && instruction.early) {
    warps_[instruction.warp].in_pipeline = false;
    wake(instruction.warp);
  }
  if (sub_warp.last) complete(instruction);
}

void LargeWarpCore::gather_branch(const InFlight& branch, const SubWarp& sub_warp) {
  masks_inputs_.valid = true;
  masks_inputs_.last = sub_warp.last;
  masks_inputs_.mask = sub_warp.mask;
  masks_inputs_.row = sub_warp.row;
  masks_inputs_.taken = 0;
  for (LaneBits left = sub_warp.mask; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    masks_inputs_.taken |= branch.taken[sub_warp.row[lane]] & (left & -left);
  }
  if (sub_warp.last) masks_inputs_.active = branch.path;
  const BranchMasksOutputs gathered = masks_->decide(masks_inputs_);
  masks_->commit();
  if (!sub_warp.last) return;
  LargeWarpMask fall = branch.path;
  exec::remove(fall, branch.taken);
  const bool diverged = !exec::none(branch.taken) && !exec::none(fall);
  if (gathered.taken != branch.taken || gathered.fall != fall || gathered.diverged != diverged) {
    throw std::logic_error("the branch masks of a large warp are not what its threads did");
  }
  ++statistics_.barrel.branches;
  statistics_.barrel.divergent_branches += diverged ? 1 : 0;
}

void LargeWarpCore::complete(InFlight& instruction) {
  const std::uint32_t warp = instruction.warp;
  if (!instruction.memory) {
    --alu_in_flight_;
  } else if (back_end().waits(warp).loads == 0) {
    --memory_in_flight_;
  } else {
    warps_[warp].accessing = true;
  }
  for (std::uint32_t left = std::exchange(instruction.released, 0); left != 0; left &= left - 1) {
    const auto in_block = static_cast<std::uint32_t>(std::countr_zero(left));
    const std::uint32_t released = blocks_.slot(instruction.block_slot).warps[in_block];
    if (!warps_[released].barred) continue;  // its own
    blocks_.moved(released);
    warps_[released].barred = false;
    put(barred_, released, false);
    update_waits(released);
    wake(released);
  }
  if (!instruction.ends && !instruction.early) {
    warps_[warp].in_pipeline = false;
    wake(warp);
  }
  land(warp);
}

void LargeWarpCore::line_came(std::uint32_t warp) {
  warps_[warp].waits_for_line = false;
  warps_[warp].fetched = true;
  --line_waits_;
  wake(warp);
}

void LargeWarpCore::wait_begun(std::uint32_t warp) {
  blocks_.hold(warp);
  update_waits(warp);
}

void LargeWarpCore::wait_ended(std::uint32_t warp) {
  if (warps_[warp].accessing && back_end().waits(warp).loads == 0) {
    warps_[warp].accessing = false;
    --memory_in_flight_;
  }
  update_waits(warp);
  wake(warp);
  land(warp);
}

void LargeWarpCore::wake(std::uint32_t warp) {
  const LargeWarp& large = warps_[warp];
  const BlockTable::Warp& at = blocks_[warp];
  if (!at.live || large.in_pipeline || large.barred || large.waits_for_line) return;
  const BarrelBackEnd::Waits& waits = back_end().waits(warp);
  if (waits.loads > 0 || (large.fence && waits.stores > 0)) return;
  // A warp that can be selected already, as one of whose stores is acknowledged, may be selected in
  // this cycle: then it cannot be in the next one.
  ready_ |= mask_of(warp) & ~selectable_;
  put(ending_, warp, (*at.kernel)[at.pc].ends_path && resident(at).next_ends(at.in_block));
}

void LargeWarpCore::update_waits(std::uint32_t warp) {
  const bool live = (live_ & mask_of(warp)) != 0;
  const BarrelBackEnd::Waits& waits = back_end().waits(warp);
  const LargeWarp& large = warps_[warp];
  const WarpMask waiting = inputs_.waits;
  const WarpMask outstanding = inputs_.long_outstanding;
  put(inputs_.long_outstanding, warp, live && waits.loads > 0);
  put(inputs_.waits, warp,
      live && (large.barred || waits.loads > 0 || (large.fence && waits.stores > 0)));
  changed_ |= inputs_.waits != waiting || inputs_.long_outstanding != outstanding;
}

bool LargeWarpCore::active() const {
  // Decode needs no term of its own: a scheduler that has just selected an instruction is not
  // quiet, and later the back end has a sub-warp of it or is frozen by another one, so it is not
  // empty.
  return selectable_ != 0 || changed_ || !launches_waiting_.empty() || !outputs_.quiet;
}

SchedulerState LargeWarpCore::idle_state() const {
  return live_ == 0 || line_waits_ > 0 ? SchedulerState::no_instruction : SchedulerState::operand;
}

WarpView LargeWarpCore::view(std::uint32_t number) const {
  const BlockTable::Warp& warp = blocks_[number];
  if (!warp.live) return {};
  const LargeWarp& large = warps_[number];
  WarpView view;
  view.live = true;
  view.launch = warp.launch;
  view.block = warp.block->index();
  view.in_block = warp.in_block;
  view.pc = warp.pc;
  view.at_barrier = large.barred;
  view.decoded = !large.in_pipeline && !large.barred && !large.waits_for_line;
  view.clear = (selectable_ & mask_of(number)) != 0;
  view.waits_for_memory = back_end().waits(number).loads > 0;
  view.in_flight = warp.in_flight;
  return view;
}

std::optional<std::string> LargeWarpCore::stuck_warp() const {
  for (std::uint32_t number = 0; number < warps(); ++number) {
    const BlockTable::Warp& warp = blocks_[number];
    if (warp.block == nullptr || !blocks_.slot(warp.block_slot).used ||
        warp.block->done(warp.in_block)) {
      continue;
    }
    const ir::Kernel& kernel = warp.kernel->kernel();
    const exec::Dim3 block = warp.block->coordinates();
    const bool held = warps_[number].barred;
    // A warp at a barrier has its pc behind it.
    const std::uint32_t line = kernel.code[held && warp.pc > 0 ? warp.pc - 1 : warp.pc].line;
    std::string text = fmt::format(
        "{}:{}: kernel '{}', block ({},{},{}), {} {} {}", kernel.file, line, kernel.name, block.x,
        block.y, block.z, config_.core.warp_rows > 1 ? "large warp" : "warp", warp.in_block,
        held ? "stands at a barrier" : "is still running");
    const exec::ResidentLargeBlock& large = resident(warp);
    if (!held && large.stack_depth(warp.in_block) > 1) {
      text += fmt::format(
          ", {} of its threads here; the others wait for these where their paths meet, so none of "
          "them can do what these may wait for, as free a lock",
          exec::count(large.path(warp.in_block)));
    }
    return text;
  }
  return std::nullopt;
}

}  // namespace paws::core
