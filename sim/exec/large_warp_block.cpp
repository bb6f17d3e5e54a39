// SPDX-License-Identifier: MIT
#include "sim/exec/large_warp_block.h"

#include <algorithm>
#include <bit>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/exec/barriers.h"
#include "sim/exec/block_rows.h"
#include "sim/exec/lane_masks.h"
#include "sim/exec/simt_stack.h"
#include "sim/support/error.h"

namespace paws::exec {
namespace {

/// `low` to `low + count - 1`.
BlockWarpMask rows_from(unsigned low, unsigned count) {
  return static_cast<BlockWarpMask>(((std::uint64_t{1} << count) - 1) << low);
}

unsigned checked(unsigned rows) {
  if (rows == 0 || rows > kMaxRows) {
    throw std::logic_error("a large warp of " + std::to_string(rows) + " rows");
  }
  return rows;
}

}  // namespace

struct LargeWarpBlock::Impl {
  using Stack = SimtStack<LargeWarpMask>;

  Impl(const Executable& of, const LaunchShape& launch, unsigned rows_of_large_warp,
       const std::byte* params, DeviceMemory& memory, std::uint32_t core, std::uint32_t cores)
      : rows(of, launch, params, memory, core, cores),
        height(checked(rows_of_large_warp)),
        large_warps((rows.count() + height - 1) / height) {}

  /// A block's consecutive rows with one path.
  struct LargeWarp {
    Stack stack;
    const Decoded* waits_at = nullptr;  ///< the barrier that it has come to last
  };

  void start(std::uint64_t linear);
  [[nodiscard]] LargeWarpMask guarded(unsigned large_warp) const;
  [[nodiscard]] bool next_ends(unsigned large_warp) const;
  [[nodiscard]] bool at_barrier(unsigned large_warp) const {
    return (barriers.waiting() & rows_of(large_warp)) != 0;
  }
  void execute(unsigned large_warp, std::uint64_t clock, LargeOutcome& outcome,
               DeferredAccesses* later);

  BlockRows rows;
  unsigned height;  ///< rows of a large warp; the last one may have fewer
  std::uint64_t executed = 0;
  std::uint64_t executed_threads = 0;
  std::vector<LargeWarp> large_warps;
  Barriers barriers;

 private:
  [[nodiscard]] unsigned first_row(unsigned large_warp) const { return large_warp * height; }
  [[nodiscard]] unsigned rows_in(unsigned large_warp) const {
    return std::min(height, rows.count() - first_row(large_warp));
  }
  [[nodiscard]] BlockWarpMask rows_of(unsigned large_warp) const {
    return rows_from(first_row(large_warp), rows_in(large_warp));
  }
  [[nodiscard]] LargeWarpMask guarded(const Decoded& in, unsigned large_warp) const;
  void branch(unsigned large_warp, const Decoded& in, std::uint64_t clock, LargeOutcome& outcome);
  void branch_indexed(unsigned large_warp, const Decoded& in, std::uint64_t clock,
                      const LargeOutcome& outcome);
  void barrier(unsigned large_warp, const Decoded& in, std::uint64_t clock, LargeOutcome& outcome);
  void exit(unsigned large_warp, const Decoded& in, std::uint64_t clock, LargeOutcome& outcome);
  BlockWarpMask release(const Barriers::Completion& completion);
  /// Who has not ended and does more than end.
  [[nodiscard]] LargeWarpMask acting(const Stack& stack) const {
    return stack.acting([this](std::uint32_t pc) { return rows.code(pc).only_ends; });
  }
  /// The same, for the observer.
  [[nodiscard]] LargeWarpMask seen_live(const Stack& stack) const {
    return rows.observer() == nullptr ? LargeWarpMask{} : acting(stack);
  }
  [[nodiscard]] BlockWarpMask missing_rows(unsigned large_warp) const;
  BlockWarpMask end_waiting(unsigned large_warp);
  void let_go(BlockWarpMask released, LargeOutcome& outcome) const;
  void check_arrived(unsigned large_warp) const;
  void check_stuck() const;
  [[noreturn]] void report_divergent(unsigned large_warp, BlockWarpMask missing) const;

  /// Calls `each(row)` for the rows that execute the instruction, in their order, when `rows`
  /// speaks of that row.
  template <class Each>
  void each_row(unsigned large_warp, const Decoded& in, std::uint64_t clock,
                const LargeOutcome& outcome, Each each);

  Outcome row_outcome;  ///< of a row of an instruction that accesses no memory; not used
};

void LargeWarpBlock::Impl::start(std::uint64_t linear) {
  executed = 0;
  executed_threads = 0;
  for (unsigned number = 0; number < large_warps.size(); ++number) {
    LargeWarpMask threads{};
    for (unsigned row = 0; row < rows_in(number); ++row) {
      threads[row] = rows.lanes(first_row(number) + row);
    }
    large_warps[number].stack.start(threads);
  }
  barriers.start(rows.all());
  rows.start(linear);
}

LargeWarpMask LargeWarpBlock::Impl::guarded(const Decoded& in, unsigned large_warp) const {
  LargeWarpMask threads = large_warps[large_warp].stack.lanes();
  if (in.guard == kNoSlot) return threads;
  const unsigned first = first_row(large_warp);
  for (unsigned row = 0; row < rows_in(large_warp); ++row) {
    threads[row] = rows.guarded(in, first + row, threads[row]);
  }
  return threads;
}

LargeWarpMask LargeWarpBlock::Impl::guarded(unsigned large_warp) const {
  return guarded(rows.code(large_warps[large_warp].stack.pc()), large_warp);
}

bool LargeWarpBlock::Impl::next_ends(unsigned large_warp) const {
  const Stack& stack = large_warps[large_warp].stack;
  if (stack.empty()) return false;
  const Decoded& in = rows.code(stack.pc());
  return in.flow == Flow::exit && guarded(in, large_warp) == stack.live();
}

void LargeWarpBlock::Impl::execute(unsigned large_warp, std::uint64_t clock, LargeOutcome& outcome,
                                   DeferredAccesses* later) {
  Stack& stack = large_warps[large_warp].stack;
  const std::uint32_t pc = stack.pc();
  const Decoded& in = rows.code(pc);
  outcome.path = stack.lanes();
  outcome.active = guarded(in, large_warp);
  outcome.taken = {};
  outcome.branch = in.flow == Flow::bra;
  outcome.memory = false;
  outcome.store = false;
  outcome.done = false;
  outcome.barrier = false;
  outcome.space = ir::Space::none;
  outcome.bytes = 0;
  outcome.released = 0;
  ++executed;
  executed_threads += count(outcome.path);
  if (none(outcome.active)) {
    stack.advance(pc + 1);
    return;
  }
  switch (in.flow) {
    case Flow::straight:
      rows.straight(in, first_row(large_warp), rows_in(large_warp), outcome.active,
                    seen_live(stack), clock, outcome, later);
      stack.advance(pc + 1);
      break;
    case Flow::bra:
      branch(large_warp, in, clock, outcome);
      break;
    case Flow::brx:
      branch_indexed(large_warp, in, clock, outcome);
      break;
    case Flow::call:
      each_row(large_warp, in, clock, outcome, [&](unsigned) { rows.check_stack(in); });
      stack.call(in.ir->target);
      break;
    case Flow::ret:
      if (rows.observer() != nullptr) each_row(large_warp, in, clock, outcome, [](unsigned) {});
      stack.ret();
      break;
    case Flow::bar:
      barrier(large_warp, in, clock, outcome);
      break;
    case Flow::trap:
      each_row(large_warp, in, clock, outcome, [&](unsigned) { rows.trap(in); });
      break;
    case Flow::exit:
      exit(large_warp, in, clock, outcome);
      break;
  }
}

template <class Each>
void LargeWarpBlock::Impl::each_row(unsigned large_warp, const Decoded& in, std::uint64_t clock,
                                    const LargeOutcome& outcome, Each each) {
  const LargeWarpMask live = seen_live(large_warps[large_warp].stack);
  const unsigned first = first_row(large_warp);
  for (unsigned row = 0; row < rows_in(large_warp); ++row) {
    if (outcome.active[row] == 0) continue;
    rows.begin(in, first + row, outcome.active[row], live[row], clock, row_outcome);
    each(row);
  }
}

void LargeWarpBlock::Impl::branch(unsigned large_warp, const Decoded& in, std::uint64_t clock,
                                  LargeOutcome& outcome) {
  Stack& stack = large_warps[large_warp].stack;
  if (rows.observer() != nullptr) each_row(large_warp, in, clock, outcome, [](unsigned) {});
  outcome.taken = outcome.active;
  LargeWarpMask stay = outcome.path;
  remove(stay, outcome.taken);
  if (none(stay)) {
    stack.advance(in.ir->target);
  } else {
    const std::array<Stack::Leg, 2> legs{{{stack.pc() + 1, stay}, {in.ir->target, outcome.taken}}};
    stack.diverge(legs, in.ir->reconverge);
  }
}

/// As of a warp: the legs in the order of their first thread, threads counted by rows.
void LargeWarpBlock::Impl::branch_indexed(unsigned large_warp, const Decoded& in,
                                          std::uint64_t clock, const LargeOutcome& outcome) {
  Stack& stack = large_warps[large_warp].stack;
  std::vector<Stack::Leg> legs;
  LargeWarpMask stay = outcome.path;
  remove(stay, outcome.active);
  if (!none(stay)) legs.push_back({stack.pc() + 1, stay});
  each_row(large_warp, in, clock, outcome, [&](unsigned row) {
    for (LaneMask left = outcome.active[row]; left != 0; left &= left - 1) {
      const std::uint32_t target =
          rows.indexed_target(in, static_cast<unsigned>(std::countr_zero(left)));
      auto leg = std::find_if(legs.begin(), legs.end(),
                              [&](const Stack::Leg& known) { return known.target == target; });
      if (leg == legs.end()) leg = legs.insert(leg, {target, LargeWarpMask{}});
      leg->lanes[row] |= left & -left;
    }
  });
  if (legs.size() == 1) {
    stack.advance(legs[0].target);
  } else {
    stack.diverge(legs, in.ir->reconverge);
  }
}

void LargeWarpBlock::Impl::barrier(unsigned large_warp, const Decoded& in, std::uint64_t clock,
                                   LargeOutcome& outcome) {
  LargeWarp& self = large_warps[large_warp];
  self.waits_at = &in;
  BlockWarpMask released = 0;
  each_row(large_warp, in, clock, outcome, [&](unsigned row) {
    const BarrierArrival arrival = rows.arrival(in);
    rows.await(in, arrival);
    outcome.barrier = outcome.barrier || arrival.waits;
    released |= release(barriers.arrive(first_row(large_warp) + row, arrival));
  });
  self.stack.advance(self.stack.pc() + 1);
  released |= end_waiting(large_warp);
  let_go(released, outcome);
  check_arrived(large_warp);
  check_stuck();
}

void LargeWarpBlock::Impl::exit(unsigned large_warp, const Decoded& in, std::uint64_t clock,
                                LargeOutcome& outcome) {
  Stack& stack = large_warps[large_warp].stack;
  if (rows.observer() != nullptr) each_row(large_warp, in, clock, outcome, [](unsigned) {});
  stack.exit(outcome.active, stack.pc() + 1);
  outcome.done = stack.empty();
  const LargeWarpMask live = stack.live();
  BlockWarpMask released = 0;
  for (unsigned row = 0; row < rows_in(large_warp); ++row) {
    if (outcome.active[row] == 0 || live[row] != 0) continue;
    barriers.end(first_row(large_warp) + row, kAllLanes,
                 [&](const Barriers::Completion& completion) { released |= release(completion); });
  }
  let_go(released, outcome);
  check_stuck();
}

/// Lets rows go on, and gives them the result of their reduction. Returns them.
BlockWarpMask LargeWarpBlock::Impl::release(const Barriers::Completion& completion) {
  if (completion.released == 0) return 0;
  if (rows.observer() != nullptr) rows.observer()->released(completion.released);
  rows.deliver(completion);
  return completion.released;
}

/// Of the large warps whose rows are released, those without a row that waits still.
void LargeWarpBlock::Impl::let_go(BlockWarpMask released, LargeOutcome& outcome) const {
  for (unsigned number = 0; released != 0 && number < large_warps.size(); ++number) {
    const BlockWarpMask own = rows_of(number);
    if ((released & own) != 0 && !at_barrier(number)) outcome.released |= 1U << number;
    released &= ~own;
  }
}

/// Rows of a large warp that waits for the whole block, which have not arrived themselves.
BlockWarpMask LargeWarpBlock::Impl::missing_rows(unsigned large_warp) const {
  if (!at_barrier(large_warp)) return 0;
  const BlockWarpMask own = rows_of(large_warp);
  BlockWarpMask missing = 0;
  for (unsigned barrier = 0; barrier < kBarriers; ++barrier) {
    if (barriers.expected(barrier) != 0 || (barriers.waiting_at(barrier) & own) == 0) continue;
    missing |= own & barriers.live() & ~barriers.arrived(barrier);
  }
  return missing;
}

/// Of these, a barrier does not wait for the rows that can do nothing more but end. The stack keeps
/// them until they do. Returns the rows that go on.
BlockWarpMask LargeWarpBlock::Impl::end_waiting(unsigned large_warp) {
  BlockWarpMask released = 0;
  const BlockWarpMask missing = missing_rows(large_warp);
  if (missing == 0) return released;
  const LargeWarpMask left = acting(large_warps[large_warp].stack);
  for (unsigned row = 0; row < rows_in(large_warp); ++row) {
    const unsigned of_block = first_row(large_warp) + row;
    if ((missing >> of_block & 1) == 0 || left[row] != 0) continue;
    barriers.end(of_block, kAllLanes,
                 [&](const Barriers::Completion& completion) { released |= release(completion); });
  }
  return released;
}

/// A large warp that waits for rows of its own waits for ever.
void LargeWarpBlock::Impl::check_arrived(unsigned large_warp) const {
  const BlockWarpMask missing = missing_rows(large_warp);
  if (missing != 0) report_divergent(large_warp, missing);
}

/// When no large warp of the block can run, one whose rows do not all wait is to blame. (If there
/// is none, the program locks with any warps; those who run the block find that.)
void LargeWarpBlock::Impl::check_stuck() const {
  for (unsigned number = 0; number < large_warps.size(); ++number) {
    if (!large_warps[number].stack.empty() && !at_barrier(number)) return;
  }
  for (unsigned number = 0; number < large_warps.size(); ++number) {
    const BlockWarpMask missing = rows_of(number) & barriers.live() & ~barriers.waiting();
    if (missing != 0) report_divergent(number, missing);
  }
}

void LargeWarpBlock::Impl::report_divergent(unsigned large_warp, BlockWarpMask missing) const {
  const Dim3 at = rows.coordinates();
  std::ostringstream text;
  text << "kernel '" << rows.kernel().name << "', block (" << at.x << "," << at.y << "," << at.z
       << "), large warp " << large_warp << ": divergent barrier, its rows ";
  for (BlockWarpMask left = missing; left != 0; left &= left - 1) {
    text << (left == missing ? "" : ", ")
         << static_cast<unsigned>(std::countr_zero(left)) - first_row(large_warp);
  }
  text << " have not arrived, and cannot while the large warp waits";
  throw InputError(rows.kernel().file, large_warps[large_warp].waits_at->ir->line, text.str());
}

LargeWarpBlock::LargeWarpBlock(const Executable& executable, const LaunchShape& shape,
                               unsigned rows, const std::byte* params, DeviceMemory& memory,
                               std::uint32_t core, std::uint32_t cores)
    : impl_(std::make_unique<Impl>(executable, shape, rows, params, memory, core, cores)) {}
LargeWarpBlock::~LargeWarpBlock() = default;
LargeWarpBlock::LargeWarpBlock(LargeWarpBlock&&) noexcept = default;

void LargeWarpBlock::watch(std::unique_ptr<BlockObserver> observer) {
  impl_->rows.watch(std::move(observer));
}
void LargeWarpBlock::start(std::uint64_t index) { impl_->start(index); }
std::uint64_t LargeWarpBlock::index() const { return impl_->rows.index(); }
Dim3 LargeWarpBlock::coordinates() const { return impl_->rows.coordinates(); }
unsigned LargeWarpBlock::large_warps() const {
  return static_cast<unsigned>(impl_->large_warps.size());
}
std::uint32_t LargeWarpBlock::pc(unsigned large_warp) const {
  return done(large_warp) ? impl_->rows.code_size() : impl_->large_warps[large_warp].stack.pc();
}
bool LargeWarpBlock::done(unsigned large_warp) const {
  return impl_->large_warps[large_warp].stack.empty();
}
bool LargeWarpBlock::at_barrier(unsigned large_warp) const { return impl_->at_barrier(large_warp); }
const LargeWarpMask& LargeWarpBlock::path(unsigned large_warp) const {
  static constexpr LargeWarpMask kNobody{};
  return done(large_warp) ? kNobody : impl_->large_warps[large_warp].stack.lanes();
}
LargeWarpMask LargeWarpBlock::guarded(unsigned large_warp) const {
  return impl_->guarded(large_warp);
}
bool LargeWarpBlock::next_ends(unsigned large_warp) const { return impl_->next_ends(large_warp); }
std::size_t LargeWarpBlock::stack_depth(unsigned large_warp) const {
  return impl_->large_warps[large_warp].stack.depth();
}
void LargeWarpBlock::execute(unsigned large_warp, std::uint64_t clock, LargeOutcome& outcome,
                             DeferredAccesses* later) {
  impl_->execute(large_warp, clock, outcome, later);
}
std::uint64_t LargeWarpBlock::executed() const { return impl_->executed; }
std::uint64_t LargeWarpBlock::executed_threads() const { return impl_->executed_threads; }

}  // namespace paws::exec
