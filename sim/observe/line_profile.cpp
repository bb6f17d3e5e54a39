// SPDX-License-Identifier: MIT
#include "sim/observe/line_profile.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "model/queue_masks.h"
#include "sim/core/core.h"
#include "sim/core/issue_levels.h"
#include "sim/core/warp_slots.h"
#include "sim/ir/disassemble.h"
#include "sim/ir/kernel.h"
#include "sim/stats/conservation.h"

namespace paws::observe {
namespace {

constexpr WarpMask bit_of(WarpId warp) { return WarpMask{1} << warp; }

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
    const QueueMasks queues = queue_masks(scheduler);
    ready_ = queues.ready;
    pending_ = queues.pending;
    full_ = static_cast<unsigned>(std::popcount(ready_)) == scheduler.config().ready;
  }

  WarpMask ready_ = 0;    ///< of ready, those that are known
  WarpMask pending_ = 0;  ///< of pending, those that are known
  bool full_ = false;     ///< all of ready are known, and no warp can enter it
};

/// Two masks, or two numbers. The host does the same to both at a time.
using Pair = std::uint64_t __attribute__((vector_size(16)));

/// Two numbers for each warp of a scheduler. One is added to those of any warps in a few
/// operations: digit by digit, for all warps at once. No branch depends on how far a carry goes,
/// but that out of the last digit.
class WarpCounters {
 public:
  void add(Pair warps) {
#pragma GCC unroll 4
    for (Pair& digit : digits_) {
      const Pair both = digit & warps;
      digit ^= warps;
      warps = both;
    }
    if ((warps[0] | warps[1]) != 0) overflow(warps, std::uint64_t{1} << kDigits);
  }
  void add(Pair warps, std::uint64_t number) { overflow(warps, number); }
  /// Of one warp, which begins at 0 again.
  Pair take(WarpId warp) {
    Pair numbers{};
    const Pair bit = Pair{1, 1} << warp;
#pragma GCC unroll 4
    for (unsigned digit = 0; digit < kDigits; ++digit) {
      numbers |= (digits_[digit] >> warp & 1) << digit;
      digits_[digit] &= ~bit;
    }
    if ((overflowed_ & bit[0]) != 0) {
      overflowed_ &= ~bit[0];
      numbers += std::exchange(more_[warp], Pair{});
    }
    return numbers;
  }

 private:
  static constexpr unsigned kDigits = 4;

  [[gnu::noinline]] void overflow(Pair warps, std::uint64_t number) {
    overflowed_ |= warps[0] | warps[1];
    for (unsigned i = 0; i < 2; ++i) {
      for (WarpMask rest = warps[i]; rest != 0; rest &= rest - 1) {
        more_[static_cast<std::size_t>(std::countr_zero(rest))][i] += number;
      }
    }
  }

  std::array<Pair, kDigits> digits_{};  ///< lowest first
  WarpMask overflowed_ = 0;             ///< warps with more_
  std::vector<Pair> more_ = std::vector<Pair>(kMaxWarps);
};

/// An instruction. What each issue adds to is in the first line of the host's cache.
struct alignas(64) Row {
  /// Issues in the place of Wait::barrier, and the waits for the other reasons.
  std::array<std::uint64_t, kWaits> often{};
  std::uint64_t barrier = 0;       ///< the wait
  std::uint64_t off_path = 0;      ///< threads of issues that are not on the path
  std::uint64_t not_executed = 0;  ///< threads of issues that do not execute
  std::uint64_t l1_accesses = 0, l1_misses = 0;
  std::uint64_t shared_accesses = 0, shared_conflict_cycles = 0;

  [[nodiscard]] std::uint64_t& issues() { return often[index(Wait::barrier)]; }
  [[nodiscard]] LineCounts counts() const {
    LineCounts counts;
    counts.issues = often[index(Wait::barrier)];
    counts.waits = often;
    counts.waits[index(Wait::barrier)] = barrier;
    counts.path_threads = counts.issues * ir::kWarpSize - off_path;
    counts.thread_instructions = counts.issues * ir::kWarpSize - not_executed;
    counts.l1_accesses = l1_accesses;
    counts.l1_misses = l1_misses;
    counts.shared_accesses = shared_accesses;
    counts.shared_conflict_cycles = shared_conflict_cycles;
    return counts;
  }
};

struct Launch {
  std::size_t kernel = 0;  ///< in the table
  const core::TimedKernel* code = nullptr;
  std::vector<Row> rows;  ///< by pc, and one more
};

/// A live warp. As long as a line of the host's cache: there are many, and each issue asks for one.
struct alignas(64) Warp {
  Launch* launch = nullptr;
  std::uint64_t since = 0;  ///< first cycle that is not counted
  std::uint32_t last = 0;   ///< pc of the last instruction that was issued
  /// unit: the warp is clear, and waits for this reason or one behind it.
  Wait reason = Wait::instruction;
  /// For the next instruction until then, by reasons before unit.
  std::array<std::uint64_t, index(Wait::unit)> waits{};

  /// Counts what is not counted before `cycle`. Returns the cycles that it was clear.
  std::uint64_t count_until(std::uint64_t cycle) {
    const std::uint64_t cycles = cycle - std::exchange(since, cycle);
    const std::uint64_t clear = reason == Wait::unit ? cycles : 0;
    waits[index(reason) % index(Wait::unit)] += cycles - clear;
    return clear;
  }
};

static_assert(index(Wait::instruction) == static_cast<std::size_t>(core::Standing::fetching) &&
              index(Wait::barrier) == static_cast<std::size_t>(core::Standing::held) &&
              index(Wait::memory) == static_cast<std::size_t>(core::Standing::memory) &&
              index(Wait::arithmetic) == static_cast<std::size_t>(core::Standing::arithmetic) &&
              index(Wait::unit) == static_cast<std::size_t>(core::Standing::clear));

class LineObserver final : public core::CoreObserver {
 public:
  LineObserver(KernelTable& kernels, LineProfile::CoreCounts& counts)
      : CoreObserver(false), kernels_(kernels), counts_(counts) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void decided(const core::SchedulerView& view) override;
  void moved(std::uint64_t cycle, std::uint32_t number, core::Standing standing) override {
    Warp& warp = warps_[number];
    if (warp.count_until(cycle) != 0) lost();
    warp.reason = static_cast<Wait>(standing);
  }
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*number*/, std::uint32_t /*pc*/) override {}
  void executed(std::uint32_t number, std::uint32_t pc, unsigned path, unsigned lanes) override;
  void looked_up(std::uint32_t launch, std::uint32_t pc, bool missed) override {
    Row& row = launches_[launch].rows[pc];
    ++row.l1_accesses;
    if (missed) ++row.l1_misses;
  }
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;

 private:
  /// One scheduler.
  struct Port {
    const Scheduler* scheduler = nullptr;     ///< null: it has not decided yet
    const SchedulerInputs* inputs = nullptr;  ///< as they were in the last cycle that was stepped
    bool two_level = false;
    bool ages = false;  ///< has an age limit
    ReadyQueue ready;
    WarpCounters counters;  ///< of clear warps, enabled cycles not selected, and outside

    /// Of the warps, which could issue and do not, those that are not selected, and those outside
    /// of ready.
    [[nodiscard]] Pair told_apart(WarpMask issuable) {
      const WarpMask outside = two_level ? ready.outside(issuable, *scheduler) : 0;
      return Pair{issuable & ~outside, outside};
    }
  };

  [[noreturn, gnu::noinline]] static void lost() {
    throw std::logic_error("a warp that could issue has lost what it needs for that");
  }
  /// Checks what the launch has in common with the core's counts.
  [[nodiscard]] ProfileFigures complete(std::uint32_t launch);

  KernelTable& kernels_;
  LineProfile::CoreCounts& counts_;
  const core::Core* core_ = nullptr;
  core::WarpSlots slots_{1};
  std::vector<Port> ports_;
  std::vector<Warp> warps_;  ///< by warp slot
  /// By warp slot: of the instruction that it will issue, if it does not branch.
  std::vector<const Row*> next_;
  std::vector<Launch> launches_;
  std::uint64_t shared_accesses_ = 0;  ///< of the core, as far as they are counted here
  std::uint64_t shared_conflicts_ = 0;
  ProfileFigures before_;
};

void LineObserver::begin(const core::Core& core, const core::RunningKernels& running,
                         std::uint64_t /*cycle*/) {
  core_ = &core;
  slots_ = core::WarpSlots(core.schedulers());
  ports_.assign(core.schedulers(), {});
  warps_.assign(core.warps(), {});
  next_.assign(core.warps(), nullptr);
  launches_.clear();
  for (const std::size_t kernel : kernels_.numbers(running)) {
    const core::TimedKernel* const code = running.launches[launches_.size()].timed;
    launches_.push_back({kernel, code, std::vector<Row>(code->instructions() + std::size_t{1})});
  }
  before_ = profile_figures(core.statistics());
  shared_accesses_ = before_.shared_accesses;
  shared_conflicts_ = before_.shared_conflict_cycles;
}

void LineObserver::decided(const core::SchedulerView& view) {
  Port& port = ports_[view.number];
  if (port.scheduler == nullptr) [[unlikely]] {
    port.scheduler = view.scheduler;
    port.inputs = view.inputs;
    const SchedulerConfig& config = view.scheduler->config();
    port.two_level = config.level == Level::two_level;
    port.ages = config.age_limit != 0;
  }
  const SchedulerInputs& inputs = *view.inputs;
  const WarpMask issuer = view.outputs->issue_valid ? bit_of(view.outputs->issue_warp) : 0;
  const WarpMask issuable = inputs.issue_en ? inputs.issuable & ~issuer : 0;
  if (issuable != 0) port.counters.add(port.told_apart(issuable));
  if (issuer != 0) {
    const std::uint32_t number = slots_.slot(view.number, view.outputs->issue_warp);
    __builtin_prefetch(&warps_[number], 1);
    __builtin_prefetch(next_[number], 1);
  }
  if (port.two_level) port.ready.commit(inputs, port.ages ? issuer : issuer & inputs.exits);
  if (inputs.launch_valid) {
    Warp& warp = warps_[slots_.slot(view.number, inputs.launch_warp)];
    warp = {};
    warp.since = view.cycle + 1;
  }
}

void LineObserver::executed(std::uint32_t number, std::uint32_t pc, unsigned path, unsigned lanes) {
  Warp& warp = warps_[number];
  if (warp.launch == nullptr) [[unlikely]]
    warp.launch = &launches_[core_->view(number).launch];
  Launch& launch = *warp.launch;
  const std::uint64_t cycle = core_->now();
  const unsigned scheduler = slots_.scheduler(number);
  const std::uint64_t clear = warp.count_until(cycle);
  Row& row = launch.rows[pc];
  ++row.issues();
  if (clear != 0) {
    const std::uint64_t enabled = core_->enabled_cycles(scheduler, cycle - clear, cycle);
    const Pair counted = ports_[scheduler].counters.take(slots_.local(number));
    row.often[index(Wait::disabled)] += clear - enabled;
    row.often[index(Wait::not_selected)] += counted[0];
    row.often[index(Wait::outside)] += counted[1];
    row.often[index(Wait::unit)] += enabled - counted[0] - counted[1];
  }
  if (const std::uint64_t held = warp.waits[index(Wait::barrier)]; held != 0) [[unlikely]] {
    // With scheduler.branch_demotes warps are held behind branches as they are at barriers.
    if ((*launch.code)[warp.last].changes_path) {
      row.often[index(Wait::instruction)] += held;
    } else {
      launch.rows[warp.last].barrier += held;
    }
  }
  if ((*launch.code)[pc].fence) [[unlikely]] {
    std::swap(warp.waits[index(Wait::memory)], warp.waits[index(Wait::arithmetic)]);
  }
  row.often[index(Wait::instruction)] += warp.waits[index(Wait::instruction)];
  row.often[index(Wait::memory)] += warp.waits[index(Wait::memory)];
  row.often[index(Wait::arithmetic)] += warp.waits[index(Wait::arithmetic)];
  warp.waits = {};
  warp.since = cycle + 1;
  warp.reason = Wait::unit;
  warp.last = pc;
  next_[number] = &row + 1;
  const CoreStatistics& statistics = core_->statistics();
  if (lanes == ir::kWarpSize && statistics.shared_accesses == shared_accesses_) return;
  row.off_path += ir::kWarpSize - path;
  row.not_executed += ir::kWarpSize - lanes;
  row.shared_accesses += statistics.shared_accesses - shared_accesses_;
  row.shared_conflict_cycles += statistics.shared_conflict_cycles - shared_conflicts_;
  shared_accesses_ = statistics.shared_accesses;
  shared_conflicts_ = statistics.shared_conflict_cycles;
}

void LineObserver::skipped(std::uint64_t from, std::uint64_t to) {
  for (unsigned s = 0; s < ports_.size(); ++s) {
    Port& port = ports_[s];
    if (port.inputs == nullptr || port.inputs->issuable == 0) continue;
    const std::uint64_t cycles = core_->enabled_cycles(s, from, to);
    if (cycles != 0) port.counters.add(port.told_apart(port.inputs->issuable), cycles);
  }
}

ProfileFigures LineObserver::complete(std::uint32_t launch) {
  LineCounts sum;
  for (const Row& row : launches_[launch].rows) sum += row.counts();
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
    rows.resize(launch.code->instructions());
    for (std::size_t pc = 0; pc < rows.size(); ++pc) rows[pc] += launch.rows[pc].counts();
  }
}

ProfiledKernel described(const core::TimedKernel& timed) {
  const ir::Kernel& kernel = timed.kernel();
  ProfiledKernel entry{kernel.name, kernel.file, {}};
  for (std::uint32_t pc = 0; pc < kernel.code.size(); ++pc) {
    ProfiledInstruction& instruction = entry.code.emplace_back();
    instruction.text = kernel.listing.empty() ? ir::disassemble(kernel, pc) : kernel.listing.at(pc);
    instruction.line = kernel.code[pc].line;
    instruction.unit = timed[pc].unit;
    instruction.interval = timed[pc].interval;
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
    numbers.push_back(number(*launch.timed));
  }
  return numbers;
}

std::size_t KernelTable::number(const core::TimedKernel& timed) {
  const ir::Kernel& kernel = timed.kernel();
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
  kernels_.push_back(described(timed));
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
