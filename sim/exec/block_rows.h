// SPDX-License-Identifier: MIT
// The threads of a block without their control flow, internal to sim/exec: registers, memories and
// values, in rows of 32. Who stands where, and which rows execute together, is what the users of
// this add: Block (each row is a warp), LargeWarpBlock, FormedWarpBlock.
//
// An instruction of a row is begin(), which says who executes, followed by what its flow asks for.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "sim/exec/access.h"
#include "sim/exec/barriers.h"
#include "sim/exec/block_observer.h"
#include "sim/exec/deferred.h"
#include "sim/exec/executable.h"
#include "sim/exec/resident_large_block.h"

namespace paws::exec {

class BlockRows {
 public:
  static constexpr unsigned kMost = 8 * sizeof(BlockWarpMask);  ///< rows of a block

  /// `params` must outlive the launch. `core` is what %smid reads. Throws InputError for a block of
  /// no thread, or of more rows than possible.
  BlockRows(const Executable& of, const LaunchShape& launch, const std::byte* params,
            DeviceMemory& memory, std::uint32_t core, std::uint32_t cores);
  // Its address is in accesses that wait.
  BlockRows(const BlockRows&) = delete;
  BlockRows& operator=(const BlockRows&) = delete;

  void watch(std::unique_ptr<BlockObserver> observer) {
    observer_ = std::move(observer);
    ctx_.observer = observer_.get();
  }
  [[nodiscard]] BlockObserver* observer() const { return observer_.get(); }
  /// What later blocks do to global memory is told there, which outlives them.
  void tell(ThreadAccesses& accesses) { ctx_.accesses = &accesses; }

  /// Memories become zero, and registers where it matters (RegisterLayout::zeroed).
  void start(std::uint64_t linear);

  [[nodiscard]] unsigned count() const { return count_; }
  [[nodiscard]] BlockWarpMask all() const { return ~BlockWarpMask{0} >> (kMost - count_); }
  /// Lanes that have a thread.
  [[nodiscard]] LaneMask lanes(unsigned row) const {
    const std::uint64_t left = shape_.block.count() - std::uint64_t{row} * ir::kWarpSize;
    return left >= ir::kWarpSize ? kAllLanes : (LaneMask{1} << left) - 1;
  }
  [[nodiscard]] std::uint64_t index() const { return index_; }
  [[nodiscard]] Dim3 coordinates() const { return ctx_.block; }
  [[nodiscard]] const ir::Kernel& kernel() const { return code_.kernel; }
  [[nodiscard]] const Decoded& code(std::uint32_t pc) const { return code_.code[pc]; }
  [[nodiscard]] const Step* steps() const { return code_.steps.data(); }
  [[nodiscard]] std::uint32_t code_size() const {
    return static_cast<std::uint32_t>(code_.code.size());
  }

  /// What a lane of the row has in source `n`, of 32 bits.
  [[nodiscard]] std::uint32_t value(const Decoded& in, unsigned n, unsigned row,
                                    unsigned lane) const {
    const std::byte* base = in.src[n].base == 1 ? ctx_.base[1] : slots_of(row);
    std::uint32_t value = 0;
    std::memcpy(&value, base + in.src[n].offset + sizeof(value) * lane, sizeof(value));
    return value;
  }

  /// Those of `lanes` that pass the guard of a Decoded or Step.
  template <class In>
  [[nodiscard]] LaneMask guarded(const In& in, unsigned row, LaneMask lanes) const {
    if (in.guard == kNoSlot) return lanes;
    LaneMask holds = 0;
    std::memcpy(&holds, slots_of(row) + in.guard, sizeof(holds));
    return lanes & (holds ^ in.guard_flip);
  }

  /// `active` lanes of the row (not 0) execute `in`; `live`, for the observer, have not ended and
  /// do more than end. `outcome` gets what the instruction accesses.
  void begin(const Decoded& in, unsigned row, LaneMask active, LaneMask live, std::uint64_t clock,
             Outcome& outcome) {
    ctx_.base[0] = slots_of(row);
    ctx_.active = active;
    ctx_.warp = row;
    ctx_.outcome = &outcome;
    outcome.texels.clear();
    outcome.arrivals.clear();
    if (in.reads_clock) fill_clock(clock);
    if (observer_) observer_->executing({in, ctx_, pc_of(in), live});
  }

  /// Flow::straight. With `later`, accesses to global memory are put there.
  void straight(const Decoded& in, std::uint64_t clock, DeferredAccesses* later) {
    ctx_.local = local_.data() + ctx_.warp * row_local_;
    if (later != nullptr && in.late != kNotDeferrable) {
      defer(in, clock, *later);
    } else {
      if (observer_ && in.late != kNotDeferrable) {
        observer_->accessing({in, ctx_, pc_of(in), ctx_.active});
      }
      in.handler(in, ctx_);
    }
  }

  /// The row executes instructions for their values alone.
  void enter(unsigned row, Outcome& unread) {
    ctx_.base[0] = slots_of(row);
    ctx_.warp = row;
    ctx_.local = local_.data() + row * row_local_;
    ctx_.outcome = &unread;
  }
  /// `count` instructions of the row that has been entered; all have a quick handler.
  void values(std::uint32_t pc, unsigned count, LaneMask active) {
    ctx_.active = active;
    const Decoded* in = code_.values.data() + steps()[pc].place;
    count = steps()[pc + count].place - steps()[pc].place;
    // Many calls instead of one in a loop: processors remember where each went.
    for (; count >= 8; count -= 8) in = many<8>(in);
    if ((count & 4) != 0) in = many<4>(in);
    if ((count & 2) != 0) in = many<2>(in);
    if ((count & 1) != 0) many<1>(in);
  }
  /// Before arrival() of the row that has been entered.
  void act(LaneMask active) { ctx_.active = active; }

  /// Both for `rows` rows, from row `first` on, lowest first; fills what `outcome` says of memory.
  void straight(const Decoded& in, unsigned first, unsigned rows, const LargeWarpMask& active,
                const LargeWarpMask& live, std::uint64_t clock, LargeOutcome& outcome,
                DeferredAccesses* later);

  /// Flow::brx: where a lane goes.
  [[nodiscard]] std::uint32_t indexed_target(const Decoded& in, unsigned lane) const;

  /// Flow::bar: what the row says as it comes to its barrier.
  [[nodiscard]] BarrierArrival arrival(const Decoded& in) const;
  /// The row awaits the result of its barrier's reduction.
  void await(const Decoded& in, const BarrierArrival& arrival) {
    if (in.dst[0] == kNoSlot) return;
    awaited_[arrival.barrier].push_back({&in, ctx_.warp, arrival.lanes});
  }
  /// The barrier has completed: gives everybody who awaits it the result of the reduction. The
  /// current row is another one afterwards.
  template <class Completion>
  void deliver(const Completion& completion) {
    std::vector<Awaited>& awaited = awaited_[completion.barrier];
    for (const Awaited& one : awaited) deliver(one, completion.count, completion.all);
    awaited.clear();
  }

  /// Flow::call of the row in begin(). Throws InputError if a lane's stack has no room.
  void check_stack(const Decoded& in) const;
  /// The same where threads have no stack of calls. Throws InputError.
  [[noreturn]] void refuse_call(const Decoded& in) const;
  /// Flow::trap.
  [[noreturn]] void trap(const Decoded& in);

  /// ResidentBlock::arrive() for a row.
  void arrive(unsigned row, const LateArrival& arrival);

  /// Does an access that has been put off; `operands` are the captured ones.
  void perform(const DeferredAccess& access, std::byte* operands);

 private:
  /// Lanes of a row that get the result of a reduction.
  struct Awaited {
    const Decoded* in;
    unsigned row;
    LaneMask lanes;
  };

  [[nodiscard]] std::byte* slots_of(unsigned row) const { return slots_.data() + row * row_slots_; }
  [[nodiscard]] std::uint32_t pc_of(const Decoded& in) const {
    return static_cast<std::uint32_t>(&in - code_.code.data());
  }
  template <unsigned kCount>
  [[gnu::always_inline]] const Decoded* many(const Decoded* in) {
    in->quick(*in, ctx_);
    if constexpr (kCount == 1) return in + 1;
    if constexpr (kCount > 1) return many<kCount - 1>(in + 1);
  }
  void defer(const Decoded& in, std::uint64_t clock, DeferredAccesses& later);
  void deliver(const Awaited& to, std::uint32_t count, bool all);
  void fill_specials(unsigned row);
  void execute_invariant(unsigned row);
  void fill_coordinates();
  void fill_clock(std::uint64_t clock);
  [[nodiscard]] std::uint64_t special(ir::Special which, unsigned row, unsigned lane) const;

  const Executable::Impl& code_;
  LaunchShape shape_;
  std::uint32_t core_, cores_;
  unsigned count_;
  std::uint64_t index_ = 0;
  AlignedBytes slots_, shared_, local_;
  std::size_t row_slots_;  ///< bytes from row to row
  std::size_t row_local_;
  std::array<std::vector<Awaited>, kBarriers> awaited_;
  std::vector<const DeviceMemory::Allocation*> hits_;
  std::unique_ptr<BlockObserver> observer_;  ///< mostly none
  WarpContext ctx_;
};

}  // namespace paws::exec
