// SPDX-License-Identifier: MIT
#include "sim/observe/line_profile.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>
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
#pragma GCC unroll 6
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
#pragma GCC unroll 6
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
  static constexpr unsigned kDigits = 6;

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
  std::array<Pair, kMaxWarps> more_{};
};

/// An instruction. Issues add to its first counts mostly, which are in one line of the host's
/// cache: so the threads are those that do not execute, until the launch ends.
struct alignas(64) Row {
  LineCounts counts;
};

struct Launch {
  std::size_t kernel = 0;  ///< in the table
  const core::TimedKernel* code = nullptr;
  std::vector<Row> rows;  ///< by pc
};

/// What has happened at one scheduler.
struct alignas(64) Event {
  enum class Kind : std::uint8_t {
    decided,
    skipped,  ///< `enabled` cycles, all as the last one
    entered   ///< a warp is live from `cycle` on
  };
  static constexpr std::uint8_t kNoWarp = 0xff;

  std::uint64_t cycle = 0;
  WarpMask clear = 0;  ///< warps whose next instruction is decoded and has its operands
  WarpMask low = 0;    ///< of the others, those whose reason is an odd number,
  WarpMask high = 0;   ///< and those whose reason is 2 or more
  /// Of the clear ones, if the scheduler is enabled: not selected, and outside of ready.
  Pair issuable{};
  std::uint64_t enabled = 0;  ///< skipped: such cycles
  std::uint32_t pc = 0;       ///< of what was issued; entered: launch of the warp
  Kind kind = Kind::decided;
  std::uint8_t scheduler = 0;
  std::uint8_t warp = kNoWarp;  ///< that was issued, or entered
  bool ends = false;            ///< it ends with that
};

/// The waits of the warps of a core, worked out from what has happened at its schedulers.
class Accounts {
 public:
  /// The launches stay where they are.
  void begin(const core::Core& core, std::vector<Launch>& launches) {
    core_ = &core;
    launches_ = &launches;
    slots_ = core::WarpSlots(core.schedulers());
    turns_.assign(core.schedulers(), {});
    warps_.assign(core.warps(), {});
  }

  /// In the order of cycles.
  void add(const Event& event) {
    Turn& turn = turns_[event.scheduler];
    if (event.kind == Event::Kind::decided) {
      decided(turn, event);
    } else if (event.kind == Event::Kind::skipped) {
      turn.counters.add(event.issuable, event.enabled);
    } else {
      enter(turn, event);
    }
  }

 private:
  /// One scheduler, with the masks of the last event.
  struct Turn {
    WarpMask live = 0;
    WarpMask clear = 0, low = 0, high = 0;
    WarpCounters counters;  ///< of clear warps, enabled cycles not selected, and outside
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

    /// Counts `cycles` for the reason, which is before unit if they are not 0.
    void wait(std::uint64_t cycles) { waits[index(reason) % index(Wait::unit)] += cycles; }
  };

  void enter(Turn& turn, const Event& event);
  void decided(Turn& turn, const Event& event);
  /// The warps of `changed` wait for another reason from `cycle` on, that of the turn's masks.
  void change(Turn& turn, const Event& event, WarpMask changed);
  void issue(Turn& turn, const Event& event);

  const core::Core* core_ = nullptr;
  std::vector<Launch>* launches_ = nullptr;
  core::WarpSlots slots_{1};
  std::vector<Turn> turns_;
  std::vector<Warp> warps_;
};

void Accounts::enter(Turn& turn, const Event& event) {
  const WarpMask bit = bit_of(event.warp);
  turn.live |= bit;
  for (WarpMask* mask : {&turn.clear, &turn.low, &turn.high}) *mask &= ~bit;
  Warp& warp = warps_[slots_.slot(event.scheduler, event.warp)];
  warp = {};
  warp.launch = &(*launches_)[event.pc];
  warp.since = event.cycle;
}

// How often each branch is taken can hardly be predicted: there are few of them.

inline void Accounts::change(Turn& turn, const Event& event, WarpMask changed) {
  for (WarpMask rest = changed; rest != 0; rest &= rest - 1) {
    const auto local = static_cast<WarpId>(std::countr_zero(rest));
    Warp& warp = warps_[slots_.slot(event.scheduler, local)];
    const std::uint64_t cycles = event.cycle - warp.since;
    if (warp.reason == Wait::unit && cycles != 0) [[unlikely]] {
      throw std::logic_error("a warp that could issue has lost what it needs for that");
    }
    warp.wait(cycles);
    warp.since = event.cycle;
    // Of a clear warp the other two digits are 0.
    warp.reason = static_cast<Wait>((turn.low >> local & 1U) | (turn.high >> local & 1U) << 1U |
                                    (turn.clear >> local & 1U) << 2U);
  }
}

inline void Accounts::decided(Turn& turn, const Event& event) {
  const bool issues = event.warp != Event::kNoWarp;
  const WarpMask issuer = issues ? bit_of(event.warp) : 0;
  // What issues goes on from there as clear, as long as nothing else is said.
  const WarpMask changed =
      ((event.clear ^ turn.clear) | (event.low ^ turn.low) | (event.high ^ turn.high)) & turn.live &
      ~issuer;
  turn.clear = event.clear;
  turn.low = event.low;
  turn.high = event.high;
  change(turn, event, changed);
  turn.counters.add(event.issuable);
  if (issues) issue(turn, event);
  turn.live &= ~(event.ends ? issuer : 0);
}

inline void Accounts::issue(Turn& turn, const Event& event) {
  Warp& warp = warps_[slots_.slot(event.scheduler, event.warp)];
  Launch& launch = *warp.launch;
  LineCounts& counts = launch.rows[event.pc].counts;
  const std::uint64_t cycles = event.cycle - warp.since;
  const std::uint64_t clear = warp.reason == Wait::unit ? cycles : 0;
  warp.wait(cycles - clear);
  const std::uint64_t enabled =
      core_->enabled_cycles(event.scheduler, event.cycle - clear, event.cycle);
  const Pair counted = turn.counters.take(event.warp);
  ++counts.issues;
  counts.waits[index(Wait::disabled)] += clear - enabled;
  counts.waits[index(Wait::not_selected)] += counted[0];
  counts.waits[index(Wait::outside)] += counted[1];
  counts.waits[index(Wait::unit)] += enabled - counted[0] - counted[1];
  if (std::uint64_t& held = warp.waits[index(Wait::barrier)]; held != 0) [[unlikely]] {
    // With scheduler.branch_demotes warps are held behind branches as they are at barriers.
    if ((*launch.code)[warp.last].changes_path) {
      warp.waits[index(Wait::instruction)] += held;
    } else {
      launch.rows[warp.last].counts.waits[index(Wait::barrier)] += held;
    }
    held = 0;
  }
  if ((*launch.code)[event.pc].fence) [[unlikely]] {
    std::swap(warp.waits[index(Wait::memory)], warp.waits[index(Wait::arithmetic)]);
  }
  for (unsigned i = 0; i < warp.waits.size(); ++i) counts.waits[i] += warp.waits[i];
  warp.waits = {};
  warp.reason = Wait::unit;
  warp.last = event.pc;
  warp.since = event.cycle + 1;
}

/// Notes what happens, and works it out when there is much of it: one after the other, neither the
/// core nor the accounts find their data and code in the host's caches.
class LineObserver final : public core::CoreObserver {
 public:
  LineObserver(KernelTable& kernels, LineProfile::CoreCounts& counts)
      : CoreObserver(false), kernels_(kernels), counts_(counts) {}

  void begin(const core::Core& core, const core::RunningKernels& running,
             std::uint64_t cycle) override;
  void decided(const core::SchedulerView& view) override;
  void issued(std::uint64_t /*cycle*/, std::uint32_t /*number*/, std::uint32_t /*pc*/) override {}
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
  /// One scheduler.
  struct Port {
    const Scheduler* scheduler = nullptr;
    const SchedulerInputs* inputs = nullptr;  ///< as they were in the last cycle that was stepped
    bool attend = true;                       ///< it is its first cycle, or `launched` is there
    bool two_level = false;
    bool ages = false;     ///< has an age limit
    std::size_t last = 0;  ///< of its events
    ReadyQueue ready;
    std::optional<WarpId> launched;  ///< in the last cycle of which it knows,
    std::uint64_t entered = 0;       ///< and live from this one on

    /// Of the issuable warps, those that are not selected, and those outside of ready.
    [[nodiscard]] Pair told_apart(WarpMask issuable, WarpMask issuer) {
      WarpMask outside = 0;
      if (two_level) outside = ready.outside(issuable, *scheduler);
      return Pair{issuable & ~(outside | issuer), outside};
    }
  };

  /// The first cycle of the scheduler, or of the warp that has been launched.
  [[gnu::noinline]] void attend(Port& port, const core::SchedulerView& view);
  /// A new event.
  Event& note() { return events_[used_++]; }
  [[gnu::noinline]] void work_out();
  /// Works out the threads, and checks what the launch has in common with the core's counts.
  [[nodiscard]] ProfileFigures complete(std::uint32_t launch);

  static constexpr std::size_t kEvents = 256;  ///< after so many they are worked out

  KernelTable& kernels_;
  LineProfile::CoreCounts& counts_;
  const core::Core* core_ = nullptr;
  core::WarpSlots slots_{1};
  std::vector<Port> ports_;
  std::vector<std::uint32_t> launch_of_;  ///< by warp slot
  std::vector<Launch> launches_;
  Accounts accounts_;
  std::vector<Event> events_;
  std::size_t used_ = 0;
  std::uint64_t now_ = 0;  ///< of the last events, to which instructions may be missing
  ProfileFigures before_;
  std::uint64_t shared_accesses_ = 0;  ///< of the core, as far as they are counted here
  std::uint64_t shared_conflicts_ = 0;
};

void LineObserver::begin(const core::Core& core, const core::RunningKernels& running,
                         std::uint64_t /*cycle*/) {
  core_ = &core;
  slots_ = core::WarpSlots(core.schedulers());
  ports_.assign(core.schedulers(), {});
  launch_of_.assign(core.warps(), 0);
  launches_.clear();
  for (const std::size_t kernel : kernels_.numbers(running)) {
    const core::TimedKernel* const code = running.launches[launches_.size()].timed;
    launches_.push_back({kernel, code, std::vector<Row>(code->instructions())});
  }
  accounts_.begin(core, launches_);
  // In a cycle each scheduler may be skipped, get a warp and decide.
  events_.resize(kEvents + std::size_t{3} * core.schedulers());
  used_ = 0;
  before_ = profile_figures(core.statistics());
  shared_accesses_ = before_.shared_accesses;
  shared_conflicts_ = before_.shared_conflict_cycles;
}

void LineObserver::attend(Port& port, const core::SchedulerView& view) {
  port.attend = false;
  if (port.scheduler == nullptr) {
    port.scheduler = view.scheduler;
    port.inputs = view.inputs;
    const SchedulerConfig& config = view.scheduler->config();
    port.two_level = config.level == Level::two_level;
    port.ages = config.age_limit != 0;
  }
  if (!port.launched) return;
  const std::uint32_t number = slots_.slot(view.number, *port.launched);
  launch_of_[number] = core_->view(number).launch;
  Event& event = note();
  event = {};
  event.kind = Event::Kind::entered;
  event.cycle = port.entered;
  event.scheduler = static_cast<std::uint8_t>(view.number);
  event.warp = static_cast<std::uint8_t>(*port.launched);
  event.pc = launch_of_[number];
  port.launched.reset();
}

void LineObserver::work_out() {
  for (std::size_t i = 0; i < used_; ++i) accounts_.add(events_[i]);
  used_ = 0;
}

void LineObserver::decided(const core::SchedulerView& view) {
  if (used_ >= kEvents && view.cycle != now_) work_out();
  now_ = view.cycle;
  Port& port = ports_[view.number];
  if (port.attend) attend(port, view);
  const SchedulerInputs& inputs = *view.inputs;
  const WarpMask decoded = view.levels->decoded();
  const WarpMask issuer = view.outputs->issue_valid ? bit_of(view.outputs->issue_warp) : 0;
  port.last = used_;
  Event& event = note();
  event.cycle = view.cycle;
  event.clear = view.levels->clear();
  event.high = decoded & ~event.clear;
  event.low = (inputs.waits ^ event.high) & ~event.clear;
  event.kind = Event::Kind::decided;
  event.scheduler = static_cast<std::uint8_t>(view.number);
  event.warp = issuer == 0 ? Event::kNoWarp : static_cast<std::uint8_t>(view.outputs->issue_warp);
  event.issuable = port.told_apart(inputs.issue_en ? inputs.issuable : 0, issuer);
  const WarpMask ended = issuer & inputs.exits;
  event.ends = ended != 0;
  if (port.two_level) port.ready.commit(inputs, port.ages ? issuer : ended);
  if (inputs.launch_valid) {
    port.launched = inputs.launch_warp;
    port.entered = view.cycle + 1;
    port.attend = true;
  }
}

void LineObserver::executed(std::uint32_t number, std::uint32_t pc, unsigned path, unsigned lanes) {
  events_[ports_[slots_.scheduler(number)].last].pc = pc;
  const CoreStatistics& statistics = core_->statistics();
  if (lanes == ir::kWarpSize && statistics.shared_accesses == shared_accesses_) return;
  LineCounts& counts = launches_[launch_of_[number]].rows[pc].counts;
  counts.path_threads += ir::kWarpSize - path;
  counts.thread_instructions += ir::kWarpSize - lanes;
  counts.shared_accesses += statistics.shared_accesses - shared_accesses_;
  counts.shared_conflict_cycles += statistics.shared_conflict_cycles - shared_conflicts_;
  shared_accesses_ = statistics.shared_accesses;
  shared_conflicts_ = statistics.shared_conflict_cycles;
}

void LineObserver::skipped(std::uint64_t from, std::uint64_t to) {
  // The cycle before is over: no instruction is missing.
  if (used_ >= kEvents) work_out();
  for (unsigned s = 0; s < ports_.size(); ++s) {
    Port& port = ports_[s];
    if (port.inputs == nullptr || port.inputs->issuable == 0) continue;
    const std::uint64_t cycles = core_->enabled_cycles(s, from, to);
    if (cycles == 0) continue;
    Event& event = note();
    event.kind = Event::Kind::skipped;
    event.scheduler = static_cast<std::uint8_t>(s);
    event.issuable = port.told_apart(port.inputs->issuable, 0);
    event.enabled = cycles;
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
  work_out();
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
