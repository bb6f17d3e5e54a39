// SPDX-License-Identifier: MIT
#include "sim/observe/line_profile.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <stdexcept>
#include <utility>

#include "model/scheduler.h"
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

/// Whether the scheduler sees a warp as one that waits (SchedulerInputs::waits).
constexpr bool waits(Wait reason) {
  constexpr unsigned kThose = 1U << index(Wait::barrier) | 1U << index(Wait::memory);
  return (kThose >> index(reason) & 1U) != 0;
}

/// What is known of the queues of a two-level scheduler. To ask for them takes long, so that is
/// done only when what is known does not say whether a warp is in ready: warps leave it when they
/// wait, end or, under an age limit, issue; what issues was in it; a full ready takes no other; a
/// pending warp stays so until it wakes.
class ReadyQueue {
 public:
  /// Warps that may come into ready, as far as is known.
  [[nodiscard]] WarpMask outside() const { return full_ ? 0 : ~ready_; }
  /// Of these, the ones that may be there now.
  [[nodiscard]] WarpMask unknown(const SchedulerInputs& inputs) {
    pending_ &= inputs.long_outstanding | inputs.waits;
    return outside() & ~pending_;
  }
  /// Asks in a cycle before its clock edge. Returns the warps that are found in ready.
  [[gnu::noinline]] WarpMask ask(const Scheduler& scheduler, const SchedulerInputs& inputs) {
    const QueueMasks queues = scheduler.queue_masks();
    const WarpMask found = queues.ready & ~ready_;
    ready_ = queues.ready;
    pending_ = queues.pending;
    full_ = static_cast<unsigned>(std::popcount(ready_)) == scheduler.config().ready;
    if ((ready_ & inputs.waits) != 0) wait(ready_ & inputs.waits);
    return found;
  }
  /// Warps of ready begin to wait: they leave it at the next clock edge.
  void wait(WarpMask warps) {
    leaving_ |= ready_ & warps;
    remove(warps);
  }
  /// A warp no longer waits. `left`: a clock edge has been while it did.
  void resume(WarpMask warp, bool left) {
    const WarpMask own = leaving_ & warp;
    leaving_ &= ~warp;
    (left ? pending_ : ready_) |= own;
  }
  /// A warp of ready issues. False: it has come into ready just now. `leaves`: it leaves ready.
  [[nodiscard]] bool issues(WarpMask warp, bool leaves) {
    const bool known = (ready_ & warp) != 0;
    if (!known) {
      ready_ |= warp;
      pending_ &= ~warp;
    }
    if (leaves) remove(warp);
    return known;
  }
  void remove(WarpMask warps) {
    if ((ready_ & warps) == 0) return;
    ready_ &= ~warps;
    full_ = false;
  }

 private:
  WarpMask ready_ = 0;    ///< of ready, those that are known
  WarpMask leaving_ = 0;  ///< they were known to be in ready when they began to wait
  WarpMask pending_ = 0;  ///< of pending, those that are known and do not wait
  bool full_ = false;     ///< all of ready are known, and no warp can enter it
};

/// An instruction. What each issue adds to is in the first line of the host's cache.
struct alignas(64) Row {
  /// Issues in the place of Wait::barrier, and the waits for the other reasons before
  /// Wait::outside.
  std::array<std::uint64_t, index(Wait::outside)> often{};
  std::uint8_t unit = 0;           ///< that it wants
  std::uint64_t barrier = 0;       ///< the wait
  std::uint64_t outside = 0;       ///< the wait
  std::uint64_t off_path = 0;      ///< threads of issues that are not on the path
  std::uint64_t not_executed = 0;  ///< threads of issues that do not execute
  std::uint64_t l1_accesses = 0, l1_misses = 0;
  std::uint64_t shared_accesses = 0, shared_conflict_cycles = 0;

  [[nodiscard]] std::uint64_t& issues() { return often[index(Wait::barrier)]; }
  [[nodiscard]] LineCounts counts() const {
    LineCounts counts;
    counts.issues = often[index(Wait::barrier)];
    std::copy(often.begin(), often.end(), counts.waits.begin());
    counts.waits[index(Wait::barrier)] = barrier;
    counts.waits[index(Wait::outside)] = outside;
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

/// A live warp. Half a line of the host's cache: there are many, and each issue asks for one.
struct alignas(32) Warp {
  std::uint64_t since = 0;   ///< first cycle that is not counted
  std::uint64_t closed = 0;  ///< of a clear warp: Port::closed() at that time
  Row* rows = nullptr;       ///< of its launch
  std::uint32_t last = 0;    ///< pc of the last instruction that was issued
  std::uint16_t launch = 0;
  /// Until then. unit: the warp is clear, and waits for this reason or one behind it.
  Wait reason = Wait::instruction;
};

/// One scheduler.
struct alignas(64) Port {
  /// Enabled cycles in which each unit took nothing; if it takes nothing now, without those before
  /// now, modulo 2^64.
  std::array<std::uint64_t, core::kUnits> shut{};
  unsigned units = 0;  ///< that take nothing now, a bit each
  bool two_level = false;
  bool ages = false;    ///< has an age limit
  WarpMask barred = 0;  ///< now, by the issue filter
  ReadyQueue ready;
  const Scheduler* scheduler = nullptr;     ///< of two levels
  const SchedulerInputs* inputs = nullptr;  ///< as they were in the last cycle that was stepped

  /// Enabled cycles before now in which the unit took nothing, if `enabled` cycles before now were
  /// enabled.
  [[nodiscard]] std::uint64_t closed(unsigned unit, std::uint64_t enabled) const {
    return shut[unit] + (enabled & -std::uint64_t{units >> unit & 1U});
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
  void decided(const core::SchedulerView& /*view*/) override {}
  WarpMask queues(const core::SchedulerView& view) override;
  void closed(std::uint64_t cycle, unsigned scheduler, unsigned units, WarpMask barred) override;
  void launched(std::uint64_t cycle, std::uint32_t number, std::uint32_t launch) override {
    warps_[number] = {cycle,
                      0,
                      launches_[launch].rows.data(),
                      0,
                      static_cast<std::uint16_t>(launch),
                      Wait::instruction};
  }
  void moved(std::uint64_t cycle, std::uint32_t number, std::uint32_t pc,
             core::Standing standing) override;
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*number*/, std::uint32_t /*pc*/) override {}
  void executed(std::uint64_t cycle, std::uint32_t number, std::uint32_t pc, unsigned path,
                unsigned lanes) override;
  void ended(std::uint64_t /*cycle*/, std::uint32_t number) override {
    ports_[slots_.scheduler(number)].ready.remove(slots_.bit(number));
  }
  void looked_up(std::uint32_t launch, std::uint32_t pc, bool missed) override {
    Row& row = launches_[launch].rows[pc];
    ++row.l1_accesses;
    if (missed) ++row.l1_misses;
  }
  void stepped(std::uint64_t /*cycle*/) override {}
  void skipped(std::uint64_t from, std::uint64_t to) override;
  void end(std::uint64_t cycle) override;

 private:
  [[noreturn, gnu::noinline]] static void lost() {
    throw std::logic_error("a warp that could issue has lost what it needs for that");
  }
  /// Counts a wait that is not at a barrier.
  static void count(Row& row, Wait reason, std::uint64_t cycles) {
    if (reason == Wait::unit && cycles != 0) [[unlikely]]
      lost();
    row.often[index(reason)] += cycles;
  }
  /// What moved() does of a warp that begins or ceases to wait as its scheduler sees it, or leaves
  /// a barrier. Apart, so that moved() need not save registers at each turn.
  [[gnu::noinline]] void turned(std::uint32_t number, Row& row, Wait before, std::uint64_t cycles);
  /// Of a warp that waits for its unit, or could issue, from warp.since on.
  void become_clear(std::uint32_t number, const Row& row) {
    const unsigned scheduler = slots_.scheduler(number);
    Warp& warp = warps_[number];
    warp.closed = ports_[scheduler].closed(row.unit, core_->enabled_before(scheduler, warp.since));
  }
  /// Counts a wait at a barrier, or behind a branch for the instruction of `row`.
  void count_held(const Warp& warp, Row& row, std::uint64_t cycles);
  /// Asks for the queues in `cycle`, and counts until then the waits of warps found in ready.
  void ask(unsigned scheduler, std::uint64_t cycle);
  /// Checks what the launch has in common with the core's counts.
  [[nodiscard]] ProfileFigures complete(std::uint32_t launch);

  KernelTable& kernels_;
  LineProfile::CoreCounts& counts_;
  const core::Core* core_ = nullptr;
  core::WarpSlots slots_{1};
  std::vector<Port> ports_;
  std::vector<Warp> warps_;  ///< by warp slot
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
  launches_.clear();
  for (const std::size_t kernel : kernels_.numbers(running)) {
    const core::TimedKernel* const code = running.launches[launches_.size()].timed;
    Launch& launch = launches_.emplace_back(
        Launch{kernel, code, std::vector<Row>(code->instructions() + std::size_t{1})});
    for (std::uint32_t pc = 0; pc < code->instructions(); ++pc) {
      launch.rows[pc].unit = static_cast<std::uint8_t>((*code)[pc].unit);
    }
  }
  before_ = profile_figures(core.statistics());
  shared_accesses_ = before_.shared_accesses;
  shared_conflicts_ = before_.shared_conflict_cycles;
}

WarpMask LineObserver::queues(const core::SchedulerView& view) {
  Port& port = ports_[view.number];
  const SchedulerInputs& inputs = *view.inputs;
  if (port.scheduler == nullptr) [[unlikely]] {
    port.scheduler = view.scheduler;
    port.inputs = view.inputs;
    port.two_level = true;
    port.ages = view.scheduler->config().age_limit != 0;
  }
  const WarpMask issuer = view.outputs->issue_valid ? bit_of(view.outputs->issue_warp) : 0;
  const WarpMask issuable = inputs.issue_en ? inputs.issuable & ~issuer : 0;
  if ((issuable & port.ready.unknown(inputs)) != 0) ask(view.number, view.cycle);
  // Under an age limit warps leave ready when they issue.
  return port.ages ? ~WarpMask{0} : port.ready.outside();
}

void LineObserver::ask(unsigned scheduler, std::uint64_t cycle) {
  Port& port = ports_[scheduler];
  const std::uint64_t enabled = core_->enabled_before(scheduler, cycle);
  for (WarpMask found = port.ready.ask(*port.scheduler, *port.inputs); found != 0;
       found &= found - 1) {
    const auto local = static_cast<WarpId>(std::countr_zero(found));
    const std::uint32_t number = slots_.slot(scheduler, local);
    const Warp& warp = warps_[number];
    // What a response has made clear since, in a later cycle, has not waited yet.
    if (warp.reason != Wait::unit || warp.since > cycle) continue;
    Row& row = warp.rows[core_->view(number).pc];
    const std::uint64_t barred = (port.barred & bit_of(local)) != 0 ? enabled : 0;
    const std::uint64_t outside = enabled - core_->enabled_before(scheduler, warp.since) -
                                  (port.closed(row.unit, enabled) + barred - warp.closed);
    row.outside += outside;
    row.often[index(Wait::not_selected)] -= outside;  // to which its issue adds as many
  }
}

void LineObserver::closed(std::uint64_t cycle, unsigned scheduler, unsigned units,
                          WarpMask barred) {
  Port& port = ports_[scheduler];
  const std::uint64_t enabled = core_->enabled_before(scheduler, cycle);
  for (unsigned rest = port.units ^ units; rest != 0; rest &= rest - 1) {
    const auto unit = static_cast<unsigned>(std::countr_zero(rest));
    port.shut[unit] += (units >> unit & 1U) != 0 ? -enabled : enabled;
  }
  for (WarpMask rest = port.barred ^ barred; rest != 0; rest &= rest - 1) {
    const auto local = static_cast<WarpId>(std::countr_zero(rest));
    std::uint64_t& from = warps_[slots_.slot(scheduler, local)].closed;
    from += (barred & bit_of(local)) != 0 ? enabled : -enabled;
  }
  port.units = units;
  port.barred = barred;
}

void LineObserver::moved(std::uint64_t cycle, std::uint32_t number, std::uint32_t pc,
                         core::Standing standing) {
  Warp& warp = warps_[number];
  Row& row = warp.rows[pc];
  const std::uint64_t cycles = cycle - std::exchange(warp.since, cycle);
  const Wait before = std::exchange(warp.reason, static_cast<Wait>(standing));
  if (before == Wait::barrier || waits(before) != waits(warp.reason)) {
    turned(number, row, before, cycles);
    return;
  }
  count(row, before, cycles);
  if (standing == core::Standing::clear) become_clear(number, row);
}

void LineObserver::turned(std::uint32_t number, Row& row, Wait before, std::uint64_t cycles) {
  Warp& warp = warps_[number];
  if (before == Wait::barrier) {
    count_held(warp, row, cycles);
  } else {
    count(row, before, cycles);
  }
  Port& port = ports_[slots_.scheduler(number)];
  const bool waited = waits(before);
  if (port.two_level && waited != waits(warp.reason)) {
    const WarpMask bit = slots_.bit(number);
    if (waited) {
      port.ready.resume(bit, cycles != 0);
    } else {
      port.ready.wait(bit);
    }
  }
  if (warp.reason == Wait::unit) become_clear(number, row);
}

void LineObserver::count_held(const Warp& warp, Row& row, std::uint64_t cycles) {
  // With scheduler.branch_demotes warps are held behind branches as they are at barriers.
  if ((*launches_[warp.launch].code)[warp.last].changes_path) {
    row.often[index(Wait::instruction)] += cycles;
  } else {
    warp.rows[warp.last].barrier += cycles;
  }
}

void LineObserver::executed(std::uint64_t cycle, std::uint32_t number, std::uint32_t pc,
                            unsigned path, unsigned lanes) {
  Warp& warp = warps_[number];
  Row& row = warp.rows[pc];
  ++row.issues();
  const CoreStatistics& statistics = core_->statistics();
  if (lanes != ir::kWarpSize || statistics.shared_accesses != shared_accesses_) {
    row.off_path += ir::kWarpSize - path;
    row.not_executed += ir::kWarpSize - lanes;
    row.shared_accesses += statistics.shared_accesses - shared_accesses_;
    row.shared_conflict_cycles += statistics.shared_conflict_cycles - shared_conflicts_;
    shared_accesses_ = statistics.shared_accesses;
    shared_conflicts_ = statistics.shared_conflict_cycles;
  }
  const unsigned scheduler = slots_.scheduler(number);
  Port& port = ports_[scheduler];
  const std::uint64_t enabled = core_->enabled_before(scheduler, cycle);
  const std::uint64_t turns = enabled - core_->enabled_before(scheduler, warp.since);
  const std::uint64_t closed = port.closed(row.unit, enabled) - warp.closed;
  row.often[index(Wait::disabled)] += cycle - warp.since - turns;
  row.often[index(Wait::unit)] += closed;
  warp.since = cycle + 1;
  warp.closed = port.closed((&row + 1)->unit, enabled + 1);
  warp.last = pc;
  if (port.two_level && !port.ready.issues(slots_.bit(number), port.ages)) {
    row.outside += turns - closed;
  } else {
    row.often[index(Wait::not_selected)] += turns - closed;
  }
}

void LineObserver::skipped(std::uint64_t from, std::uint64_t to) {
  for (unsigned s = 0; s < ports_.size(); ++s) {
    Port& port = ports_[s];
    if (!port.two_level || (port.inputs->issuable & port.ready.unknown(*port.inputs)) == 0)
      continue;
    if (core_->enabled_cycles(s, from, to) != 0) ask(s, from);
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
  for (Launch& launch : launches_) {
    for (std::uint32_t pc = 0; pc < launch.code->instructions(); ++pc) {
      auto& often = launch.rows[pc].often;
      // What a fence waits for are its stores.
      if ((*launch.code)[pc].fence)
        std::swap(often[index(Wait::memory)], often[index(Wait::arithmetic)]);
    }
  }
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
