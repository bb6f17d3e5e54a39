// SPDX-License-Identifier: MIT
#include "sim/trace/listing.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "model/port_line.h"
#include "sim/trace/reason.h"

namespace paws::trace {

Listing::Listing(const RunInfo& run, const ListingOptions& options, Print print)
    : run_(run), options_(options), print_(std::move(print)) {
  for (unsigned s = 0; s < run.schedulers; ++s) shadows_.emplace_back(run.scheduler);
}

void Listing::begin(const LaunchInfo& launch) {
  launch_ = launch;
  for (Shadow& shadow : shadows_) shadow.reset();
  if (launch.cycle < options_.from) return;
  if (launch.cycle > options_.to) {
    done_ = true;
    return;
  }
  print_(fmt::format("{:>9}    launch {}: {}", launch.cycle, launch.number, launch.kernel->name));
}

void Listing::step(const CoreStep& step) {
  if (step.cycle > options_.to) {
    done_ = true;
    return;
  }
  for (unsigned s = 0; s < shadows_.size(); ++s) {
    shadows_[s].enter(step.schedulers[s]);
    if (step.cycle >= options_.from && options_.scheduler.value_or(s) == s) line(step, s);
    shadows_[s].leave();
  }
}

void Listing::line(const CoreStep& step, unsigned number) {
  const SchedulerStep& scheduler = step.schedulers[number];
  const Shadow& shadow = shadows_[number];
  const std::string moves = movements(shadow, scheduler);
  if (!options_.verbose && !scheduler.inputs.issue_en && moves.empty()) return;
  std::string text =
      fmt::format("{:>9} {:>2} {:<16} {}", step.cycle, number, decision(scheduler.outputs),
                  scheduler.inputs.issue_en ? reason(shadow, scheduler) : "not enabled");
  if (scheduler.outputs.issue_valid) {
    const std::uint32_t pc = scheduler.warps.pc[scheduler.outputs.issue_warp];
    if (pc < launch_.kernel->code.size()) {
      const KernelInfo::Instruction& instruction = launch_.kernel->code[pc];
      text += fmt::format(" | pc {} line {}: {}", pc, instruction.line, instruction.text);
    }
  }
  if (!moves.empty()) text += " | " + moves;
  print_(text);
  if (!options_.verbose) return;
  const SchedulerInputs& inputs = scheduler.inputs;
  print_(fmt::format("{:>13}issuable {}; waits {}; long outstanding {}; exit {}", "",
                     warp_list(inputs.issuable), warp_list(inputs.waits),
                     warp_list(inputs.long_outstanding), warp_list(inputs.exits)));
  if (knows_groups(run_.scheduler)) {
    print_(fmt::format("{:>13}pair/row {}", "", group_list(inputs, scheduler.warps.live)));
  }
  print_(fmt::format("{:>13}{}", "", shadow.describe_queues()));
}

void Listing::skipped(std::uint64_t from, std::uint64_t to) {
  if (from > options_.to) done_ = true;
  const std::uint64_t first = std::max(from, options_.from);
  const std::uint64_t last = std::min(to - 1, options_.to);
  if (first > last) return;
  const std::string until = first == last ? "" : fmt::format("to {} ", last);
  print_(fmt::format("{:>9}    {}nothing changes", first, until));
}

void Listing::end(std::uint64_t cycle) {
  if (cycle < options_.from || cycle > options_.to) return;
  print_(fmt::format("{:>9}    launch {} has ended", cycle, launch_.number));
}

PortListing::PortListing(const RunInfo& run, const ListingOptions& options, unsigned policy_code,
                         Print print)
    : run_(run), options_(options), policy_code_(policy_code), print_(std::move(print)) {}

void PortListing::begin(const LaunchInfo& launch) {
  done_ = done_ || launch.cycle > options_.to;
  SchedulerStep fresh;
  fresh.outputs.quiet = true;
  last_.schedulers.assign(run_.schedulers, fresh);
  for (unsigned s = 0; s < run_.schedulers; ++s) line(launch.cycle, s, fresh, true);
}

void PortListing::line(std::uint64_t cycle, unsigned number, const SchedulerStep& step,
                       bool reset) const {
  if (cycle < options_.from || cycle > options_.to) return;
  if (options_.scheduler.value_or(number) != number) return;
  print_(port_line(run_.scheduler, policy_code_, cycle, reset, step.inputs, step.outputs));
}

void PortListing::step(const CoreStep& step) {
  done_ = done_ || step.cycle > options_.to;
  for (unsigned s = 0; s < run_.schedulers; ++s) line(step.cycle, s, step.schedulers[s], false);
  last_ = step;
}

void PortListing::skipped(std::uint64_t from, std::uint64_t to) {
  done_ = done_ || from > options_.to;
  for (std::uint64_t cycle = from; cycle < to && cycle <= options_.to; ++cycle) {
    for (unsigned s = 0; s < run_.schedulers; ++s) {
      last_.schedulers[s].inputs.issue_en = cycle % run_.issue_interval == s % run_.issue_interval;
      line(cycle, s, last_.schedulers[s], false);
    }
  }
}

}  // namespace paws::trace
