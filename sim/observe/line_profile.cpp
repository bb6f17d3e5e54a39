// SPDX-License-Identifier: MIT
#include "sim/observe/line_profile.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
#include <stdexcept>
#include <utility>

#include "sim/core/core.h"
#include "sim/core/issue_levels.h"
#include "sim/core/warp_slots.h"
#include "sim/ir/disassemble.h"
#include "sim/ir/kernel.h"
#include "sim/stats/conservation.h"

namespace paws::observe {
namespace {

constexpr WarpMask bit_of(WarpId warp) { return WarpMask{1} << warp; }

WarpMask mask_of(const std::vector<WarpId>& warps) {
  WarpMask mask = 0;
  for (const WarpId warp : warps) mask |= bit_of(warp);
  return mask;
}

constexpr std::size_t index(Wait reason) { return static_cast<std::size_t>(reason); }

/// Which warps are in the ready queue of a two-level scheduler. To ask for its queues takes long,
/// so that is done only when what is known does not say it: warps leave ready when they wait, end
/// or, under an age limit, issue; a full ready takes no other; a pending warp stays so until it
/// wakes.
class ReadyQueue {
 public:
  /// Of `issuable`, the warps outside of ready, in this cycle before its clock edge.
  [[nodiscard]] WarpMask outside(WarpMask issuable, const Scheduler& scheduler) {
    if (!full_ && (issuable & ~(ready_ | pending_)) != 0) ask(scheduler);
    return issuable & ~ready_;
  }

  /// The cycle ends; `gone`: the warp that has issued, if it may leave ready with that.
  void commit(const SchedulerInputs& inputs, WarpMask gone) {
    const WarpMask leaving = ready_ & inputs.waits;
    pending_ = (pending_ & (inputs.long_outstanding | inputs.waits)) | leaving;
    if ((leaving | (ready_ & gone)) == 0) return;
    full_ = false;
    ready_ &= ~(leaving | gone);
  }

 private:
  [[gnu::noinline]] void ask(const Scheduler& scheduler) {
    const QueueSnapshot queues = scheduler.snapshot();
    ready_ = mask_of(queues.ready);
    pending_ = queues.pending;
    full_ = queues.ready.size() == scheduler.config().ready;
  }

  WarpMask ready_ = 0;    ///< of ready, those that are known
  WarpMask pending_ = 0;  ///< of pending, those that are known
  bool full_ = false;     ///< all of ready are known, and no warp can enter it
};

/// Two numbers for each warp of a scheduler. One is added to those of any warps in a few
/// operations: digit by digit, for all warps at once. No branch depends on how far a carry goes,
/// but that out of the last digit.
class WarpCounters {
 public:
  static constexpr unsigned kNumbers = 2;
  using Numbers = std::array<std::uint64_t, kNumbers>;

  void add(const std::array<WarpMask, kNumbers>& warps) {
    std::array<WarpMask, kNumbers> carry = warps;
#pragma GCC unroll 6
    for (auto& digit : digits_) {
      for (unsigned i = 0; i < kNumbers; ++i) {
        const WarpMask both = digit[i] & carry[i];
        digit[i] ^= carry[i];
        carry[i] = both;
      }
    }
    if ((carry[0] | carry[1]) != 0) overflow(carry, std::uint64_t{1} << kDigits);
  }
  void add(const std::array<WarpMask, kNumbers>& warps, std::uint64_t number) {
    if (number == 1) {
      add(warps);
    } else {
      overflow(warps, number);
    }
  }
  /// Of one warp, which begins at 0 again.
  Numbers take(WarpId warp) {
    Numbers numbers{};
    const WarpMask bit = bit_of(warp);
#pragma GCC unroll 6
    for (unsigned digit = 0; digit < kDigits; ++digit) {
      for (unsigned i = 0; i < kNumbers; ++i) {
        numbers[i] |= std::uint64_t{(digits_[digit][i] & bit) != 0} << digit;
        digits_[digit][i] &= ~bit;
      }
    }
    if ((overflowed_ & bit) != 0) {
      overflowed_ &= ~bit;
      for (unsigned i = 0; i < kNumbers; ++i) numbers[i] += std::exchange(more_[warp][i], 0);
    }
    return numbers;
  }

 private:
  static constexpr unsigned kDigits = 6;

  [[gnu::noinline]] void overflow(const std::array<WarpMask, kNumbers>& warps,
                                  std::uint64_t number) {
    for (unsigned i = 0; i < kNumbers; ++i) {
      overflowed_ |= warps[i];
      for (WarpMask rest = warps[i]; rest != 0; rest &= rest - 1) {
        more_[static_cast<std::size_t>(std::countr_zero(rest))][i] += number;
      }
    }
  }

  std::array<std::array<WarpMask, kNumbers>, kDigits> digits_{};  ///< lowest first
  WarpMask overflowed_ = 0;                                       ///< warps with more_
  std::array<Numbers, kMaxWarps> more_{};
};

class LineObserver final : public core::CoreObserver {
 public:
  LineObserver(KernelTable& kernels, LineProfile::CoreCounts& counts)
      : CoreObserver(false), kernels_(kernels), counts_(counts) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void decided(const core::SchedulerView& view) override;
  void issued(std::uint64_t cycle, std::uint32_t number, std::uint32_t pc) override;
  void executed(std::uint32_t number, std::uint32_t pc, unsigned path, unsigned lanes) override;
  void looked_up(std::uint32_t launch, std::uint32_t pc, bool missed) override {
    LineCounts& counts = launches_[launch].rows[pc].counts;
    ++counts.l1_accesses;
    if (missed) ++counts.l1_misses;
  }
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;

 private:
  /// One scheduler. What every cycle asks for stands together, as in Row.
  struct alignas(64) Turn {
    bool new_cycle = true;  ///< it is its first cycle, or `launched` is there
    bool two_level = false;
    bool ages = false;  ///< has an age limit
    unsigned number = 0;
    const Scheduler* scheduler = nullptr;
    WarpMask live = 0;
    WarpMask clear = 0;  ///< warps whose next instruction is decoded and has its operands
    WarpMask low = 0;    ///< of the others, those whose reason is an odd number,
    WarpMask high = 0;   ///< and those whose reason is 2 or more
    ReadyQueue ready;
    WarpCounters counters;  ///< of clear warps, enabled cycles not selected, and outside
    const SchedulerInputs* inputs = nullptr;  ///< as they were in the last cycle that was stepped
    std::optional<WarpId> launched;           ///< in the last cycle of which it knows,
    std::uint64_t entered = 0;                ///< and live from this one on
  };

  /// An instruction. Issues add to its first counts mostly, which are in one line of the host's
  /// cache: so the threads are those that do not execute, until complete().
  struct alignas(64) Row {
    LineCounts counts;
  };

  struct Launch {
    std::size_t kernel = 0;  ///< in the table
    const core::TimedKernel* code = nullptr;
    std::vector<Row> rows;  ///< by pc
  };

  /// As long as a line of the host's cache: there are many, and each issue asks for one.
  struct alignas(64) Warp {
    Launch* launch = nullptr;
    std::uint64_t since = 0;  ///< first cycle that is not counted
    std::uint32_t last = 0;   ///< pc of the last instruction that was issued
    /// unit: the warp is clear, and waits for this reason or one behind it.
    Wait reason = Wait::instruction;
    /// For the next instruction until then, by reasons before unit.
    std::array<std::uint64_t, index(Wait::unit)> waits{};
  };

  [[nodiscard]] Warp& warp_of(const Turn& turn, WarpId local) {
    return warps_[slots_.slot(turn.number, local)];
  }
  /// The first cycle of the scheduler, or of the warp that has been launched.
  [[gnu::noinline]] void enter(Turn& turn, const core::SchedulerView& view);
  /// So many cycles pass in which the scheduler is enabled: of `issuable`, all but the issuer are
  /// not selected or outside of ready.
  static void count_issuable(Turn& turn, WarpMask issuable, WarpMask issuer, std::uint64_t cycles) {
    WarpMask outside = 0;
    if (turn.two_level) outside = turn.ready.outside(issuable, *turn.scheduler);
    turn.counters.add({issuable & ~(outside | issuer), outside}, cycles);
  }
  /// The warps of `changed` wait for another reason from `cycle` on, that of the scheduler's masks.
  [[gnu::noinline]] void change(Turn& turn, std::uint64_t cycle, WarpMask changed);
  /// Counts the wait of the warp, not clear, up to and without `cycle`.
  static void settle(Warp& warp, std::uint64_t cycle) {
    warp.waits[index(warp.reason)] += cycle - warp.since;
    warp.since = cycle;
  }
  /// Adds the wait of the clear warp before `cycle`, in which it issues, to the instruction's.
  void settle_clear(Turn& turn, WarpId local, const Warp& warp, std::uint64_t cycle,
                    LineCounts& counts) const;
  /// Works out the threads, and checks what the launch has in common with the core's counts.
  [[nodiscard]] ProfileFigures complete(std::uint32_t launch);

  KernelTable& kernels_;
  LineProfile::CoreCounts& counts_;
  const core::Core* core_ = nullptr;
  core::WarpSlots slots_{1};
  std::vector<Turn> turns_;
  std::vector<Warp> warps_;
  std::vector<Launch> launches_;
  ProfileFigures before_;
  std::uint64_t shared_accesses_ = 0;  ///< of the core, as far as they are counted here
  std::uint64_t shared_conflicts_ = 0;
};

void LineObserver::begin(const core::Core& core, const core::RunningKernels& running,
                         std::uint64_t /*cycle*/) {
  core_ = &core;
  slots_ = core::WarpSlots(core.schedulers());
  turns_.assign(core.schedulers(), {});
  for (unsigned s = 0; s < turns_.size(); ++s) turns_[s].number = s;
  warps_.assign(core.warps(), {});
  launches_.clear();
  for (const std::size_t kernel : kernels_.numbers(running)) {
    const core::TimedKernel* const code = running.launches[launches_.size()].timed;
    launches_.push_back({kernel, code, std::vector<Row>(code->instructions())});
  }
  before_ = profile_figures(core.statistics());
  shared_accesses_ = before_.shared_accesses;
  shared_conflicts_ = before_.shared_conflict_cycles;
}

void LineObserver::enter(Turn& turn, const core::SchedulerView& view) {
  turn.new_cycle = false;
  if (turn.scheduler == nullptr) {
    turn.scheduler = view.scheduler;
    turn.inputs = view.inputs;
    const SchedulerConfig& config = view.scheduler->config();
    turn.two_level = config.level == Level::two_level;
    turn.ages = config.age_limit != 0;
  }
  if (!turn.launched) return;
  const WarpId local = *turn.launched;
  turn.launched.reset();
  turn.live |= bit_of(local);
  for (WarpMask* mask : {&turn.clear, &turn.low, &turn.high}) *mask &= ~bit_of(local);
  Warp& warp = warp_of(turn, local);
  warp = {};
  warp.launch = &launches_[core_->view(slots_.slot(turn.number, local)).launch];
  warp.since = turn.entered;
}

void LineObserver::change(Turn& turn, std::uint64_t cycle, WarpMask changed) {
  for (WarpMask rest = changed; rest != 0; rest &= rest - 1) {
    const auto local = static_cast<WarpId>(std::countr_zero(rest));
    Warp& warp = warp_of(turn, local);
    if (warp.reason != Wait::unit) {
      settle(warp, cycle);
    } else if (warp.since != cycle) {
      throw std::logic_error("a warp that could issue has lost what it needs for that");
    }
    if ((turn.clear >> local & 1U) != 0) {
      warp.reason = Wait::unit;
    } else {
      warp.reason = static_cast<Wait>((turn.low >> local & 1U) | (turn.high >> local & 1U) << 1U);
    }
  }
}

void LineObserver::decided(const core::SchedulerView& view) {
  Turn& turn = turns_[view.number];
  const SchedulerInputs& inputs = *view.inputs;
  if (turn.new_cycle) enter(turn, view);

  const WarpMask issuer = view.outputs->issue_valid ? bit_of(view.outputs->issue_warp) : 0;
  const WarpMask decoded = view.levels->decoded();
  const WarpMask clear = view.levels->clear();
  const WarpMask high = decoded & ~clear;
  const WarpMask low = (inputs.waits ^ high) & ~clear;
  // What issues goes on from there as clear, as long as nothing else is said.
  const WarpMask changed = ((clear ^ turn.clear) | (low ^ turn.low) | (high ^ turn.high)) & ~issuer;
  turn.clear = clear;
  turn.low = low;
  turn.high = high;
  if ((changed & turn.live) != 0) change(turn, view.cycle, changed & turn.live);

  if (issuer != 0) {
    // Its counts are asked for when the other schedulers have decided, too.
    const Warp& warp = warp_of(turn, view.outputs->issue_warp);
    __builtin_prefetch(warp.launch->rows.data() + warp.last + 1, 1);
  }
  if (inputs.issue_en && inputs.issuable != 0) count_issuable(turn, inputs.issuable, issuer, 1);

  const WarpMask ended = issuer & inputs.exits;
  turn.live &= ~ended;
  if (turn.two_level) turn.ready.commit(inputs, turn.ages ? issuer : ended);
  if (inputs.launch_valid) {
    turn.launched = inputs.launch_warp;
    turn.entered = view.cycle + 1;
    turn.new_cycle = true;
  }
}

inline void LineObserver::settle_clear(Turn& turn, WarpId local, const Warp& warp,
                                       std::uint64_t cycle, LineCounts& counts) const {
  const std::uint64_t enabled = core_->enabled_cycles(turn.number, warp.since, cycle);
  const auto [not_selected, outside] = turn.counters.take(local);
  counts.waits[index(Wait::turn)] += cycle - warp.since - enabled;
  counts.waits[index(Wait::not_selected)] += not_selected;
  counts.waits[index(Wait::unit)] += enabled - not_selected - outside;
  if (outside != 0) counts.waits[index(Wait::outside)] += outside;
}

void LineObserver::issued(std::uint64_t cycle, std::uint32_t number, std::uint32_t pc) {
  Warp& warp = warps_[number];
  Turn& turn = turns_[slots_.scheduler(number)];
  Launch& launch = *warp.launch;
  LineCounts& counts = launch.rows[pc].counts;
  ++counts.issues;
  if (warp.reason == Wait::unit) {
    settle_clear(turn, slots_.local(number), warp, cycle, counts);
  } else {
    settle(warp, cycle);
  }
  if (std::uint64_t& held = warp.waits[index(Wait::barrier)]; held != 0) {
    // With scheduler.branch_demotes warps are held behind branches as they are at barriers.
    if ((*launch.code)[warp.last].changes_path) {
      warp.waits[index(Wait::instruction)] += held;
    } else {
      launch.rows[warp.last].counts.waits[index(Wait::barrier)] += held;
    }
    held = 0;
  }
  if ((*launch.code)[pc].fence) {
    std::swap(warp.waits[index(Wait::memory)], warp.waits[index(Wait::arithmetic)]);
  }
  for (unsigned i = 0; i < warp.waits.size(); ++i) counts.waits[i] += warp.waits[i];
  warp.waits = {};
  warp.reason = Wait::unit;
  warp.last = pc;
  warp.since = cycle + 1;
}

void LineObserver::executed(std::uint32_t number, std::uint32_t pc, unsigned path, unsigned lanes) {
  const CoreStatistics& statistics = core_->statistics();
  if (lanes == ir::kWarpSize && statistics.shared_accesses == shared_accesses_) return;
  LineCounts& counts = warps_[number].launch->rows[pc].counts;
  counts.path_threads += ir::kWarpSize - path;
  counts.thread_instructions += ir::kWarpSize - lanes;
  counts.shared_accesses += statistics.shared_accesses - shared_accesses_;
  counts.shared_conflict_cycles += statistics.shared_conflict_cycles - shared_conflicts_;
  shared_accesses_ = statistics.shared_accesses;
  shared_conflicts_ = statistics.shared_conflict_cycles;
}

void LineObserver::skipped(std::uint64_t from, std::uint64_t to) {
  for (unsigned s = 0; s < turns_.size(); ++s) {
    Turn& turn = turns_[s];
    if (turn.inputs == nullptr || turn.inputs->issuable == 0) continue;
    const std::uint64_t cycles = core_->enabled_cycles(s, from, to);
    if (cycles != 0) count_issuable(turn, turn.inputs->issuable, 0, cycles);
  }
}

ProfileFigures LineObserver::complete(std::uint32_t launch) {
  LineCounts sum;
  for (Row& row : launches_[launch].rows) {
    const std::uint64_t threads = row.counts.issues * ir::kWarpSize;
    row.counts.path_threads = threads - row.counts.path_threads;
    row.counts.thread_instructions = threads - row.counts.thread_instructions;
    sum += row.counts;
  }
  ProfileFigures figures;
  figures.warp_instructions = sum.issues;
  figures.thread_instructions = sum.thread_instructions;
  figures.warp_cycles = sum.warp_cycles();
  const LaunchCounts& counts = core_->counts(launch);
  ProfileFigures counted;
  counted.warp_instructions = counts.warp_instructions;
  counted.thread_instructions = counts.thread_instructions;
  counted.warp_cycles = counts.warp_cycles;
  check_profile(core_->number(), figures, {}, counted);
  figures.path_threads = sum.path_threads;
  figures.l1_accesses = sum.l1_accesses;
  figures.l1_misses = sum.l1_misses;
  figures.shared_accesses = sum.shared_accesses;
  figures.shared_conflict_cycles = sum.shared_conflict_cycles;
  return figures;
}

void LineObserver::end(std::uint64_t /*cycle*/) {
  ProfileFigures sum;
  for (std::uint32_t launch = 0; launch < launches_.size(); ++launch) sum += complete(launch);
  check_profile(core_->number(), sum, before_, profile_figures(core_->statistics()));
  for (const Launch& launch : launches_) {
    if (counts_.size() <= launch.kernel) counts_.resize(launch.kernel + 1);
    std::vector<LineCounts>& rows = counts_[launch.kernel];
    rows.resize(launch.rows.size());
    for (std::size_t pc = 0; pc < rows.size(); ++pc) rows[pc] += launch.rows[pc].counts;
  }
}

ProfiledKernel described(const ir::Kernel& kernel) {
  ProfiledKernel entry{kernel.name, kernel.file, {}};
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    ProfiledInstruction& instruction = entry.code.emplace_back();
    instruction.text = kernel.listing.empty() ? ir::disassemble(kernel, pc) : kernel.listing.at(pc);
    instruction.line = kernel.code[pc].line;
    if (!kernel.source_lines) continue;
    const ir::SourceLines::Place source = kernel.source_lines->at(instruction.line);
    instruction.source_file = source.file;
    instruction.source_line = source.line;
  }
  return entry;
}

}  // namespace

LineCounts& LineCounts::operator+=(const LineCounts& other) {
  issues += other.issues;
  for (unsigned i = 0; i < kWaits; ++i) waits[i] += other.waits[i];
  path_threads += other.path_threads;
  thread_instructions += other.thread_instructions;
  l1_accesses += other.l1_accesses;
  l1_misses += other.l1_misses;
  shared_accesses += other.shared_accesses;
  shared_conflict_cycles += other.shared_conflict_cycles;
  return *this;
}

std::uint64_t LineCounts::waited() const {
  return std::accumulate(waits.begin(), waits.end(), std::uint64_t{0});
}

LineCounts Profile::total() const {
  LineCounts sum;
  for (const ProfiledKernel& kernel : kernels) {
    for (const ProfiledInstruction& instruction : kernel.code) sum += instruction.counts;
  }
  return sum;
}

std::vector<std::size_t> KernelTable::numbers(const core::RunningKernels& running) {
  // At once: what comes first has the lower number, whichever core asks first.
  const std::lock_guard lock(mutex_);
  std::vector<std::size_t> numbers;
  for (const core::RunningKernel& launch : running.launches) {
    numbers.push_back(number(launch.timed->kernel()));
  }
  return numbers;
}

std::size_t KernelTable::number(const ir::Kernel& kernel) {
  const auto is_it = [&](std::size_t at) {
    const ProfiledKernel& entry = kernels_[at];
    if (entry.name != kernel.name || entry.file != kernel.file ||
        entry.code.size() != kernel.code.size()) {
      return false;
    }
    for (std::size_t pc = 0; pc < kernel.code.size(); ++pc) {
      if (entry.code[pc].line != kernel.code[pc].line || operations_[at][pc] != kernel.code[pc].op)
        return false;
    }
    return true;
  };
  for (std::size_t at = 0; at < kernels_.size(); ++at) {
    if (is_it(at)) return at;
  }
  kernels_.push_back(described(kernel));
  std::vector<ir::Op>& operations = operations_.emplace_back();
  for (const ir::Instruction& instruction : kernel.code) operations.push_back(instruction.op);
  return kernels_.size() - 1;
}

std::unique_ptr<core::CoreObserver> LineProfile::observer(std::uint32_t core) {
  return std::make_unique<LineObserver>(kernels_, cores_.at(core));
}

Profile LineProfile::total() const {
  Profile profile{kernels_.kernels()};
  for (const CoreCounts& core : cores_) {
    for (std::size_t kernel = 0; kernel < core.size(); ++kernel) {
      for (std::size_t pc = 0; pc < core[kernel].size(); ++pc) {
        profile.kernels[kernel].code[pc].counts += core[kernel][pc];
      }
    }
  }
  return profile;
}

}  // namespace paws::observe
