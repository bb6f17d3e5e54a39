// SPDX-License-Identifier: MIT
#include "sim/trace/recorder.h"

#include "sim/core/core.h"
#include "sim/ir/disassemble.h"

namespace paws::trace {
namespace {

std::shared_ptr<const KernelInfo> info_of(const ir::Kernel& kernel) {
  auto info = std::make_shared<KernelInfo>();
  info->name = kernel.name;
  info->file = kernel.file;
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    const ir::Instruction& instruction = kernel.code[pc];
    info->code.push_back({instruction.line, instruction.phase, ir::disassemble(kernel, pc)});
  }
  for (const ir::Phase& phase : kernel.phases) {
    info->phases.push_back({phase.first, phase.last, phase.length});
  }
  return info;
}

bool same_but_enable(const SchedulerInputs& a, const SchedulerInputs& b) {
  return a.issuable == b.issuable && a.waits == b.waits &&
         a.long_outstanding == b.long_outstanding && a.exits == b.exits &&
         a.launch_valid == b.launch_valid && a.launch_warp == b.launch_warp && a.phase == b.phase &&
         a.pair == b.pair && a.row == b.row && a.second == b.second && a.yields == b.yields;
}

/// Whether `step` shows nothing that `last` did not, and nothing happens in it.
bool same(const CoreStep& last, const CoreStep& step) {
  for (std::size_t s = 0; s < step.schedulers.size(); ++s) {
    const SchedulerStep& a = last.schedulers[s];
    const SchedulerStep& b = step.schedulers[s];
    if (!b.outputs.quiet || a.outputs != b.outputs || a.state != b.state) return false;
    if (!same_but_enable(a.inputs, b.inputs) || a.warps != b.warps) return false;
  }
  return true;
}

}  // namespace

void Recorder::begin(const core::Core& core, const core::RunningKernels& running,
                     std::uint64_t cycle) {
  core_ = &core;
  const ir::Kernel& kernel = running.only().timed->kernel();
  std::shared_ptr<const KernelInfo>& info = kernels_[kernel.name];
  if (!info) info = info_of(kernel);
  flush();
  SchedulerStep fresh;
  fresh.outputs.quiet = true;
  step_.schedulers.assign(core.schedulers(), fresh);
  last_ = step_;
  const LaunchInfo begun{info, launches_++, cycle};
  for (Sink* sink : sinks_) sink->begin(begun);
}

void Recorder::decided(const core::SchedulerView& view) {
  SchedulerStep& step = step_.schedulers[view.number];
  step.inputs = *view.inputs;
  step.outputs = *view.outputs;
  step.state = view.state;
  WarpLevels& levels = step.warps;
  levels = {};
  const unsigned schedulers = core_->schedulers();
  for (std::uint32_t number = view.number; number < core_->warps(); number += schedulers) {
    const core::WarpView warp = core_->view(number);
    if (!warp.live) continue;
    const std::uint32_t local = number / schedulers;
    const WarpMask bit = WarpMask{1} << local;
    levels.live |= bit;
    if (warp.at_barrier) levels.at_barrier |= bit;
    if (warp.decoded) levels.decoded |= bit;
    if (warp.clear) levels.clear |= bit;
    levels.pc[local] = warp.pc;
    levels.block[local] = warp.block;
    levels.in_block[local] = warp.in_block;
    levels.in_flight[local] = warp.in_flight;
  }
}

void Recorder::stepped(std::uint64_t cycle) {
  if (same(last_, step_)) {
    skipped(cycle, cycle + 1);
    return;
  }
  flush();
  step_.cycle = cycle;
  for (Sink* sink : sinks_) sink->step(step_);
  std::swap(last_, step_);
}

void Recorder::skipped(std::uint64_t from, std::uint64_t to) {
  if (from == to) return;
  if (skipped_from_ == skipped_to_) skipped_from_ = from;
  skipped_to_ = to;
}

void Recorder::flush() {
  if (skipped_from_ != skipped_to_) {
    for (Sink* sink : sinks_) sink->skipped(skipped_from_, skipped_to_);
  }
  skipped_from_ = skipped_to_ = 0;
}

void Recorder::end(std::uint64_t cycle) {
  flush();
  for (Sink* sink : sinks_) sink->end(cycle);
}

}  // namespace paws::trace
