// SPDX-License-Identifier: MIT
#include "sim/trace/codec.h"

#include <fmt/format.h>

#include <utility>

#include "model/warp_mask.h"
#include "sim/support/error.h"

namespace paws::trace {
namespace {

/// More cycles than anyone can simulate: beyond it a number is damage, and sums cannot overflow.
constexpr std::uint64_t kMaxCycles = std::uint64_t{1} << 50;
constexpr std::size_t kFlushBytes = std::size_t{256} << 10;

enum class Tag : std::uint8_t { kernel = 1, launch, step, skip, end };

// First byte of a scheduler in a step; the state stands above.
constexpr std::uint8_t kIssueEnable = 1, kChanged = 2, kLaunch = 4, kIssue = 8, kQuiet = 16;
constexpr unsigned kStateShift = 5;

// Second byte, with kChanged: what follows, in this order.
constexpr std::uint8_t kIssuable = 1, kWaits = 2, kLongOutstanding = 4, kExits = 8, kPhase = 16,
                       kWarps = 32, kGroups = 64, kYields = 128;

// With kWarps: what follows, in this order.
constexpr std::uint8_t kLive = 1, kAtBarrier = 2, kDecoded = 4, kClear = 8, kIdentity = 16,
                       kPc = 32, kInFlight = 64;

void append_number(std::string& to, std::uint64_t value) {
  while (value >= 0x80) {
    to.push_back(static_cast<char>(value | 0x80));
    value >>= 7;
  }
  to.push_back(static_cast<char>(value));
}

constexpr std::uint64_t zigzag(std::int64_t value) {
  return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}
constexpr std::int64_t unzigzag(std::uint64_t value) {
  return static_cast<std::int64_t>(value >> 1 ^ -(value & 1));
}

SchedulerStep fresh() {
  SchedulerStep step;
  step.outputs.quiet = true;
  return step;
}

}  // namespace

Encoder::Encoder(const RunInfo& run, Take take)
    : run_(run), take_(std::move(take)), last_(run.schedulers, fresh()) {}

void Encoder::number(std::uint64_t value) { append_number(bytes_, value); }

void Encoder::text(const std::string& value) {
  number(value.size());
  bytes_ += value;
}

void Encoder::flush_if_full() {
  if (bytes_.size() < kFlushBytes) return;
  take_(bytes_);
  bytes_.clear();
}

void Encoder::close() {
  if (!bytes_.empty()) take_(bytes_);
  bytes_.clear();
}

void Encoder::kernel(const KernelInfo& kernel) {
  bytes_.push_back(static_cast<char>(Tag::kernel));
  text(kernel.name);
  text(kernel.file);
  number(kernel.phases.size());
  for (const KernelInfo::Phase& phase : kernel.phases) {
    number(phase.first);
    number(phase.last);
    number(phase.length);
  }
  number(kernel.code.size());
  for (const KernelInfo::Instruction& instruction : kernel.code) {
    number(instruction.line);
    number(instruction.phase);
    text(instruction.text);
  }
}

void Encoder::begin(const LaunchInfo& launch) {
  const auto [known, is_new] = kernels_.try_emplace(launch.kernel.get(), kernels_.size());
  if (is_new) {
    kept_.push_back(launch.kernel);
    kernel(*launch.kernel);
  }
  bytes_.push_back(static_cast<char>(Tag::launch));
  number(known->second);
  number(launch.cycle);
  last_.assign(run_.schedulers, fresh());
}

void Encoder::step(const CoreStep& step) {
  bytes_.push_back(static_cast<char>(Tag::step));
  for (std::size_t s = 0; s < last_.size(); ++s) scheduler(last_[s], step.schedulers[s]);
  flush_if_full();
}

void Encoder::scheduler(SchedulerStep& before, const SchedulerStep& now) {
  const SchedulerInputs& in = now.inputs;
  const SchedulerInputs& was = before.inputs;
  changes_.clear();
  std::uint8_t changed = 0;
  auto mask = [&](std::uint8_t flag, WarpMask from, WarpMask to) {
    if (from == to) return;
    changed |= flag;
    append_number(changes_, from ^ to);
  };
  mask(kIssuable, was.issuable, in.issuable);
  mask(kWaits, was.waits, in.waits);
  mask(kLongOutstanding, was.long_outstanding, in.long_outstanding);
  mask(kExits, was.exits, in.exits);
  if (const WarpMask phases = differences(was.phase, in.phase)) {
    changed |= kPhase;
    append_number(changes_, phases);
    for_each_warp(phases, [&](unsigned warp) { append_number(changes_, in.phase[warp]); });
  }
  if (const WarpMask groups = differences(was.pair, in.pair) | differences(was.row, in.row) |
                              (was.second ^ in.second)) {
    changed |= kGroups;
    append_number(changes_, groups);
    for_each_warp(groups, [&](WarpId warp) {
      append_number(changes_, in.pair[warp]);
      append_number(changes_, 2U * in.row[warp] + (contains(in.second, warp) ? 1 : 0));
    });
  }
  mask(kYields, was.yields, in.yields);
  std::string levels;
  if (const std::uint8_t what = warps(before.warps, now.warps, levels)) {
    changed |= kWarps;
    changes_.push_back(static_cast<char>(what));
    changes_ += levels;
  }

  auto first = static_cast<std::uint8_t>(static_cast<unsigned>(now.state) << kStateShift);
  if (in.issue_en) first |= kIssueEnable;
  if (changed != 0) first |= kChanged;
  if (in.launch_valid) first |= kLaunch;
  if (now.outputs.issue_valid) first |= kIssue;
  if (now.outputs.quiet) first |= kQuiet;
  bytes_.push_back(static_cast<char>(first));
  if (changed != 0) bytes_.push_back(static_cast<char>(changed));
  bytes_ += changes_;
  if (in.launch_valid) bytes_.push_back(static_cast<char>(in.launch_warp));
  if (now.outputs.issue_valid) bytes_.push_back(static_cast<char>(now.outputs.issue_warp));
  before = now;
}

std::uint8_t Encoder::warps(const WarpLevels& before, const WarpLevels& now,
                            std::string& into) const {
  std::uint8_t changed = 0;
  auto mask = [&](std::uint8_t flag, WarpMask from, WarpMask to) {
    if (from == to) return;
    changed |= flag;
    append_number(into, from ^ to);
  };
  mask(kLive, before.live, now.live);
  mask(kAtBarrier, before.at_barrier, now.at_barrier);
  mask(kDecoded, before.decoded, now.decoded);
  mask(kClear, before.clear, now.clear);
  if (const WarpMask identity =
          differences(before.block, now.block) | differences(before.in_block, now.in_block)) {
    changed |= kIdentity;
    append_number(into, identity);
    for_each_warp(identity, [&](unsigned warp) {
      append_number(into, now.block[warp]);
      append_number(into, now.in_block[warp]);
    });
  }
  if (const WarpMask pcs = differences(before.pc, now.pc)) {
    changed |= kPc;
    append_number(into, pcs);
    for_each_warp(pcs, [&](unsigned warp) {
      append_number(into, zigzag(std::int64_t{now.pc[warp]} - std::int64_t{before.pc[warp]}));
    });
  }
  if (run_.detail) {
    if (const WarpMask counts = differences(before.in_flight, now.in_flight)) {
      changed |= kInFlight;
      append_number(into, counts);
      for_each_warp(counts, [&](unsigned warp) { append_number(into, now.in_flight[warp]); });
    }
  }
  return changed;
}

void Encoder::skipped(std::uint64_t from, std::uint64_t to) {
  bytes_.push_back(static_cast<char>(Tag::skip));
  number(to - from);
  flush_if_full();
}

void Encoder::end(std::uint64_t /*cycle*/) { bytes_.push_back(static_cast<char>(Tag::end)); }

Decoder::Decoder(const RunInfo& run, std::string file, std::function<std::string()> more)
    : run_(run), file_(std::move(file)), more_(std::move(more)) {}

void Decoder::fail(const std::string& cause) const {
  throw InputError(file_, "is damaged: " + cause);
}

std::uint8_t Decoder::byte() {
  if (!more()) fail("it ends within an event");
  return static_cast<std::uint8_t>(bytes_[at_++]);
}

std::uint64_t Decoder::number() {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    const std::uint8_t next = byte();
    value |= std::uint64_t{next & 0x7fU} << shift;
    if (next < 0x80) return value;
  }
  fail("a number does not end");
}

WarpMask Decoder::mask() {
  const WarpMask value = number();
  const unsigned warps = run_.scheduler.warps;
  if (warps < kMaxWarps && value >> warps != 0) fail("it names a warp that is not there");
  return value;
}

std::string Decoder::text() {
  std::string value;
  for (std::uint64_t left = number(); left > 0; --left) value.push_back(static_cast<char>(byte()));
  return value;
}

void Decoder::kernel() {
  auto kernel = std::make_shared<KernelInfo>();
  kernel->name = text();
  kernel->file = text();
  auto narrow = [this] { return static_cast<std::uint32_t>(number()); };
  for (std::uint64_t left = number(); left > 0; --left) {
    KernelInfo::Phase& phase = kernel->phases.emplace_back();
    phase.first = narrow();
    phase.last = narrow();
    phase.length = narrow();
  }
  for (std::uint64_t left = number(); left > 0; --left) {
    KernelInfo::Instruction& instruction = kernel->code.emplace_back();
    instruction.line = narrow();
    instruction.phase = narrow();
    instruction.text = text();
    if (instruction.phase >= kernel->phases.size()) fail("it names a phase that is not there");
  }
  kernels_.push_back(std::move(kernel));
}

bool Decoder::more() {
  if (at_ == bytes_.size()) {
    bytes_ = more_();
    at_ = 0;
  }
  return at_ < bytes_.size();
}

bool Decoder::next(Sink& sink) {
  if (!more()) return false;
  auto tag = static_cast<Tag>(byte());
  while (tag == Tag::kernel) {
    kernel();
    tag = static_cast<Tag>(byte());
  }
  if (running_ != (tag != Tag::launch)) fail("a launch and an event of a launch do not follow");
  switch (tag) {
    case Tag::launch: {
      const std::uint64_t index = number();
      if (index >= kernels_.size()) fail("it names a kernel that is not there");
      cycle_ = number();
      if (cycle_ > kMaxCycles) fail("a launch begins when no run is still on");
      running_ = true;
      code_size_ = kernels_[index]->code.size();
      step_.schedulers.assign(run_.schedulers, fresh());
      sink.begin({kernels_[index], launches_++, cycle_});
      return true;
    }
    case Tag::step:
      for (SchedulerStep& step : step_.schedulers) scheduler(step);
      step_.cycle = cycle_++;
      sink.step(step_);
      return true;
    case Tag::skip: {
      const std::uint64_t from = cycle_;
      const std::uint64_t cycles = number();
      if (cycles == 0 || cycles > kMaxCycles) fail("a stretch has no length that a run has");
      cycle_ += cycles;
      sink.skipped(from, cycle_);
      return true;
    }
    case Tag::end:
      running_ = false;
      sink.end(cycle_);
      return true;
    case Tag::kernel:
      break;
  }
  fail(fmt::format("no event begins with {}", static_cast<unsigned>(tag)));
}

void Decoder::scheduler(SchedulerStep& step) {
  SchedulerInputs& in = step.inputs;
  const std::uint8_t first = byte();
  const unsigned state = first >> kStateShift;
  if (state >= kSchedulerStates) fail("it names a state that is not there");
  step.state = static_cast<SchedulerState>(state);
  const std::uint8_t changed = (first & kChanged) != 0 ? byte() : std::uint8_t{0};
  if ((changed & kIssuable) != 0) in.issuable ^= mask();
  if ((changed & kWaits) != 0) in.waits ^= mask();
  if ((changed & kLongOutstanding) != 0) in.long_outstanding ^= mask();
  if ((changed & kExits) != 0) in.exits ^= mask();
  if ((changed & kPhase) != 0) {
    for_each_warp(mask(),
                  [&](unsigned warp) { in.phase[warp] = static_cast<std::uint16_t>(number()); });
  }
  if ((changed & kGroups) != 0) {
    for_each_warp(mask(), [&](WarpId warp) {
      in.pair[warp] = static_cast<std::uint8_t>(number());
      const std::uint64_t member = number();
      in.row[warp] = static_cast<std::uint8_t>(member / 2);
      in.second = (in.second & ~mask_of(warp)) | (member % 2 != 0 ? mask_of(warp) : 0);
    });
  }
  if ((changed & kYields) != 0) in.yields ^= mask();
  if ((changed & kWarps) != 0) warps(step.warps);
  auto warp = [this] {
    const WarpId value = byte();
    if (value >= run_.scheduler.warps) fail("it names a warp that is not there");
    return value;
  };
  in.issue_en = (first & kIssueEnable) != 0;
  in.launch_valid = (first & kLaunch) != 0;
  in.launch_warp = in.launch_valid ? warp() : 0;
  step.outputs.issue_valid = (first & kIssue) != 0;
  step.outputs.issue_warp = step.outputs.issue_valid ? warp() : 0;
  step.outputs.quiet = (first & kQuiet) != 0;
}

void Decoder::warps(WarpLevels& levels) {
  const std::uint8_t changed = byte();
  if ((changed & kLive) != 0) levels.live ^= mask();
  if ((changed & kAtBarrier) != 0) levels.at_barrier ^= mask();
  if ((changed & kDecoded) != 0) levels.decoded ^= mask();
  if ((changed & kClear) != 0) levels.clear ^= mask();
  if ((changed & kIdentity) != 0) {
    for_each_warp(mask(), [&](unsigned warp) {
      levels.block[warp] = number();
      levels.in_block[warp] = static_cast<std::uint32_t>(number());
    });
  }
  if ((changed & kPc) != 0) {
    for_each_warp(mask(), [&](unsigned warp) {
      levels.pc[warp] += static_cast<std::uint32_t>(unzigzag(number()));
      // A warp at a barrier has its pc behind it.
      if (levels.pc[warp] > code_size_) fail("it names an instruction that is not there");
    });
  }
  if ((changed & kInFlight) != 0) {
    for_each_warp(mask(), [&](unsigned warp) {
      levels.in_flight[warp] = static_cast<std::uint32_t>(number());
    });
  }
}

}  // namespace paws::trace
