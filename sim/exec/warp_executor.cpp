// SPDX-License-Identifier: MIT
#include "sim/exec/warp_executor.h"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "sim/exec/barriers.h"
#include "sim/exec/block_observer.h"
#include "sim/exec/block_rows.h"
#include "sim/exec/simt_stack.h"

namespace paws::exec {

namespace {

/// A turn of a loop that does not poll counts so much less towards a yield: it mostly computes, and
/// lanes that leave it early are to wait for the others.
constexpr unsigned kComputingTurns = 1024;

}  // namespace

struct Block::Impl {
  using Stack = SimtStack<LaneMask>;

  Impl(const Executable& of, const LaunchShape& launch, const std::byte* params,
       DeviceMemory& memory, std::uint32_t core, std::uint32_t cores)
      : rows(of, launch, params, memory, core, cores),
        stacks(rows.count()),
        yield_after(launch.yield_after),
        spins(rows.count()) {}

  void start(std::uint64_t linear);
  void execute(unsigned warp, std::uint64_t clock, Outcome& outcome, DeferredAccesses* later);
  [[nodiscard]] Block::Run run(unsigned warp, unsigned most);
  [[nodiscard]] bool next_ends_warp(unsigned warp) const;
  [[nodiscard]] std::uint32_t pc(unsigned warp) const {
    return stacks[warp].empty() ? rows.code_size() : stacks[warp].pc();
  }

  BlockRows rows;              ///< each is a warp
  std::uint64_t executed = 0;  ///< warp instructions since start()
  std::vector<Stack> stacks;
  Barriers barriers;
  unsigned yield_after;  ///< LaunchShape::yield_after
  /// Of each warp, if yield_after != 0.
  struct Spins {
    std::uint64_t turns =
        0;                ///< since a path gave way: kComputingTurns for a loop that polls, or 1
    bool polled = false;  ///< since the last backward branch
  };
  std::vector<Spins> spins;
  Outcome unread;  ///< of run()

 private:
  static constexpr std::uint32_t kMoved = 0xffff'ffffu;  ///< no pc: the stack has it

  bool move(unsigned warp, const Decoded& in, LaneMask active);
  void leave(unsigned warp, LaneMask lanes, Outcome& outcome);
  /// Who has not ended, for the observer.
  [[nodiscard]] LaneMask seen_live(const Stack& stack) const {
    if (rows.observer() == nullptr) return 0;
    return stack.acting([this](std::uint32_t pc) { return rows.code(pc).only_ends; });
  }
  [[nodiscard]] bool waits_for_others(unsigned warp, std::uint32_t pc, LaneMask lanes) const;
  bool yield(unsigned warp);
  void give_way(unsigned warp);
  void pass(Stack& stack, bool together);
  void branch(unsigned warp, const Decoded& in, LaneMask taken);
  void branch_indexed(Stack& stack, const Decoded& in, LaneMask taken);
  void barrier(unsigned warp, const Decoded& in, bool together, Outcome& outcome);
  void release(const Barriers::Completion& completion, Outcome& outcome);
  void settle(unsigned warp, Outcome& outcome) const;
};

void Block::Impl::start(std::uint64_t linear) {
  executed = 0;
  spins.assign(rows.count(), {});
  for (unsigned warp = 0; warp < rows.count(); ++warp) stacks[warp].start(rows.lanes(warp));
  barriers.start(rows.all());
  rows.start(linear);
}

bool Block::Impl::next_ends_warp(unsigned warp) const {
  const Stack& stack = stacks[warp];
  if (stack.empty()) return false;
  const Decoded& in = rows.code(stack.pc());
  return in.flow == Flow::exit && rows.guarded(in, warp, stack.lanes()) == stack.live();
}

void Block::Impl::execute(unsigned warp, std::uint64_t clock, Outcome& outcome,
                          DeferredAccesses* later) {
  Stack& stack = stacks[warp];
  const std::uint32_t pc = stack.pc();
  const Decoded& in = rows.code(pc);
  // With independent thread scheduling, paths that met here execute the instruction as one.
  const bool together = yield_after != 0 && waits_for_others(warp, pc, stack.lanes());
  const LaneMask path = together ? stack.standing_at(pc) : stack.lanes();
  const LaneMask active = rows.guarded(in, warp, path);
  ++executed;
  outcome.active = active;
  outcome.path = path;
  outcome.memory = false;
  outcome.reads_nothing = 0;
  outcome.store = false;
  outcome.done = false;
  outcome.barrier = false;
  outcome.space = ir::Space::none;
  outcome.bytes = 0;
  outcome.released = 0;
  if (yield_after != 0 && in.may_poll) spins[warp].polled = true;
  if (active == 0) {
    pass(stack, together);
    if (yield_after != 0) give_way(warp);
    settle(warp, outcome);
    return;
  }
  rows.begin(in, warp, active, seen_live(stack), clock, outcome);
  switch (in.flow) {
    case Flow::straight:
      rows.straight(in, clock, later);
      pass(stack, together);
      break;
    case Flow::bra:
      branch(warp, in, active);
      break;
    case Flow::brx:
      branch_indexed(stack, in, active);
      break;
    case Flow::call:
      rows.check_stack(in);
      stack.call(in.ir->target);
      break;
    case Flow::ret:
      stack.ret();
      break;
    case Flow::bar:
      spins[warp] = {};
      barrier(warp, in, together, outcome);
      break;
    case Flow::trap:
      rows.trap(in);
    case Flow::exit:
      leave(warp, active, outcome);
      break;
  }
  if (yield_after != 0) give_way(warp);
  settle(warp, outcome);
}

Block::Run Block::Impl::run(unsigned warp, unsigned most) {
  Stack& stack = stacks[warp];
  const Step* const steps = rows.steps();
  const bool yields = yield_after != 0;
  rows.enter(warp, unread);
  Run done;
  std::uint32_t pc = 0;
  std::uint32_t reconverge = 0;
  LaneMask path = 0;
  unsigned threads = 0;
  bool split = false;  // paths of this warp may wait for each other
  const auto read_stack = [&] {
    pc = stack.pc();
    reconverge = stack.reconvergence();
    path = stack.lanes();
    threads = count(path);
    split = yields && stack.depth() > 1;
  };
  read_stack();
  while (done.instructions < most) {
    const Step& step = steps[pc];
    unsigned passed = 1;
    LaneMask active = path;
    if (step.straight != 0 && !split) {
      passed = std::min(step.straight, most - done.instructions);
      rows.values(pc, passed, path);
      pc += passed;
    } else {
      if (split && !step.alone) break;
      if (yields && step.may_poll) spins[warp].polled = true;
      active = rows.guarded(step, warp, path);
      if (active == 0) {
        ++pc;
      } else if (step.quick) {
        rows.values(pc, 1, active);
        ++pc;
      } else if (step.flow == Flow::bra && active == path && (!split || step.target > pc)) {
        if (yields && step.target <= pc) spins[warp] = {};
        pc = step.target;
      } else {
        stack.advance(pc);
        if (!move(warp, rows.code(pc), active)) break;
        pc = kMoved;
      }
    }
    done.instructions += passed;
    done.threads += std::uint64_t{passed} * (active == path ? threads : count(active));
    if (pc == kMoved) {
      if (stack.empty() || barriers.waiting(warp)) break;
      rows.enter(warp, unread);  // a barrier's results are of other rows
      read_stack();
    } else if (pc == reconverge) {
      stack.advance(pc);
      read_stack();
    }
    if (split && !steps[pc].alone) {
      stack.advance(pc);
      give_way(warp);
      read_stack();
    }
  }
  if (pc != kMoved) stack.advance(pc);
  executed += done.instructions;
  return done;
}

/// Of run(): the top path executes what moves the warp. False: execute() is to do it.
bool Block::Impl::move(unsigned warp, const Decoded& in, LaneMask active) {
  switch (in.flow) {
    case Flow::bra:
      branch(warp, in, active);
      return true;
    case Flow::bar:
      spins[warp] = {};
      rows.act(active);
      barrier(warp, in, false, unread);
      return true;
    case Flow::exit:
      leave(warp, active, unread);
      return true;
    default:
      return false;
  }
}

/// Lanes of the path that runs end.
void Block::Impl::leave(unsigned warp, LaneMask lanes, Outcome& outcome) {
  Stack& stack = stacks[warp];
  stack.exit(lanes, stack.pc() + 1);
  if (!stack.empty()) return;
  outcome.done = true;
  barriers.end(warp, kAllLanes,
               [&](const Barriers::Completion& completion) { release(completion, outcome); });
}

/// Whether lanes that stand at `pc` need others of their warp for the instruction there.
bool Block::Impl::waits_for_others(unsigned warp, std::uint32_t pc, LaneMask lanes) const {
  const Decoded& in = rows.code(pc);
  const auto named = [&](unsigned n) {
    // Older forms name no members.
    if (in.src[n].offset == kNoSlot) return LaneMask{0};
    return rows.value(in, n, warp, static_cast<unsigned>(std::countr_zero(lanes)));
  };
  LaneMask members = kAllLanes;
  switch (ir::facts(in.ir->op).lanes) {
    case ir::Lanes::own:
    case ir::Lanes::seen:
      return false;
    case ir::Lanes::first:
      members = named(0);
      break;
    case ir::Lanes::second:
      members = named(1);
      break;
    case ir::Lanes::fourth:
      members = named(3);
      break;
    case ir::Lanes::all:
      break;
  }
  return (members & stacks[warp].live() & ~lanes) != 0;
}

/// Another path runs, if any can.
bool Block::Impl::yield(unsigned warp) {
  spins[warp] = {};
  return stacks[warp].yield([&](std::uint32_t pc, LaneMask lanes) {
    return pc < rows.code_size() && !waits_for_others(warp, pc, lanes);
  });
}

/// A path that needs others waits for them. When all do, those at one instruction go on.
void Block::Impl::give_way(unsigned warp) {
  const Stack& stack = stacks[warp];
  while (!stack.empty() && waits_for_others(warp, stack.pc(), stack.lanes())) {
    if (!yield(warp)) return;
  }
}

/// Behind the instruction.
inline void Block::Impl::pass(Stack& stack, bool together) {
  if (together) {
    stack.advance_all(stack.pc());
  } else {
    stack.advance(stack.pc() + 1);
  }
}

/// Where the instruction has left the warp.
inline void Block::Impl::settle(unsigned warp, Outcome& outcome) const {
  outcome.pc = pc(warp);
  outcome.at_barrier = barriers.waiting(warp);
}

void Block::Impl::branch(unsigned warp, const Decoded& in, LaneMask taken) {
  Stack& stack = stacks[warp];
  const bool backward = in.ir->target <= stack.pc();
  const LaneMask stay = stack.lanes() & ~taken;
  if (stay == 0) {
    stack.advance(in.ir->target);
  } else {
    const std::array<Stack::Leg, 2> legs{{{stack.pc() + 1, stay}, {in.ir->target, taken}}};
    stack.diverge(legs, in.ir->reconverge);
  }
  if (yield_after == 0 || !backward) return;
  Spins& own = spins[warp];
  if (stack.depth() == 1) {
    own = {};
    return;
  }
  own.turns += std::exchange(own.polled, false) ? kComputingTurns : 1;
  if (own.turns >= std::uint64_t{kComputingTurns} * yield_after) yield(warp);
}

void Block::Impl::branch_indexed(Stack& stack, const Decoded& in, LaneMask taken) {
  std::vector<Stack::Leg> legs;
  const LaneMask stay = stack.lanes() & ~taken;
  if (stay != 0) legs.push_back({stack.pc() + 1, stay});
  for (LaneMask left = taken; left != 0; left &= left - 1) {
    const auto lane = static_cast<unsigned>(std::countr_zero(left));
    const std::uint32_t target = rows.indexed_target(in, lane);
    const auto known = std::find_if(legs.begin(), legs.end(),
                                    [&](const Stack::Leg& leg) { return leg.target == target; });
    if (known == legs.end()) {
      legs.push_back({target, LaneMask{1} << lane});
    } else {
      known->lanes |= LaneMask{1} << lane;
    }
  }
  if (legs.size() == 1) {
    stack.advance(legs[0].target);
  } else {
    stack.diverge(legs, in.ir->reconverge);
  }
}

void Block::Impl::barrier(unsigned warp, const Decoded& in, bool together, Outcome& outcome) {
  const BarrierArrival arrival = rows.arrival(in);
  outcome.barrier = arrival.waits;
  rows.await(in, arrival);
  pass(stacks[warp], together);
  release(barriers.arrive(warp, arrival), outcome);
}

/// Lets warps go on, and gives them the result of their reduction.
void Block::Impl::release(const Barriers::Completion& completion, Outcome& outcome) {
  if (completion.released == 0) return;
  outcome.released |= completion.released;
  if (rows.observer() != nullptr) rows.observer()->released(completion.released);
  rows.deliver(completion);
}

Block::Block(const Executable& executable, const LaunchShape& shape, const std::byte* params,
             DeviceMemory& memory, std::uint32_t core, std::uint32_t cores)
    : impl_(std::make_unique<Impl>(executable, shape, params, memory, core, cores)) {}
Block::~Block() = default;
Block::Block(Block&&) noexcept = default;

void Block::watch(std::unique_ptr<BlockObserver> observer) {
  impl_->rows.watch(std::move(observer));
}
void Block::tell(ThreadAccesses& accesses) { impl_->rows.tell(accesses); }
void Block::start(std::uint64_t index) { impl_->start(index); }
unsigned Block::warps() const { return impl_->rows.count(); }
std::uint64_t Block::index() const { return impl_->rows.index(); }
Dim3 Block::coordinates() const { return impl_->rows.coordinates(); }
bool Block::done(unsigned warp) const { return impl_->stacks[warp].empty(); }
bool Block::at_barrier(unsigned warp) const { return impl_->barriers.waiting(warp); }
std::string Block::endless(unsigned warp) const {
  const Impl::Stack& stack = impl_->stacks[warp];
  if (impl_->yield_after != 0 || stack.empty()) return {};
  const auto ends = [this](std::uint32_t pc) { return impl_->rows.code(pc).only_ends; };
  if (stack.lanes() == stack.acting(ends)) return {};
  return " with " + std::to_string(count(stack.lanes())) +
         " of its threads; if they wait for one of the others, as for a lock, neither goes on, for "
         "the others wait where their paths meet (core.yield_after lets the paths of a warp take "
         "turns, as GPUs do since Volta)";
}
std::uint32_t Block::pc(unsigned warp) const { return impl_->pc(warp); }
LaneMask Block::active(unsigned warp) const { return done(warp) ? 0 : impl_->stacks[warp].lanes(); }
bool Block::next_ends_warp(unsigned warp) const { return impl_->next_ends_warp(warp); }
std::uint64_t Block::executed() const { return impl_->executed; }
void Block::execute(unsigned warp, std::uint64_t clock, Outcome& outcome, DeferredAccesses* later) {
  impl_->execute(warp, clock, outcome, later);
}

Block::Run Block::run(unsigned warp, unsigned most) { return impl_->run(warp, most); }

void Block::arrive(unsigned warp, const LateArrival& arrival) { impl_->rows.arrive(warp, arrival); }

}  // namespace paws::exec
